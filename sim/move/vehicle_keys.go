package move

// VehicleKey is a constant of a kind of vehicle that the world file can change. Exactly one of Float and Whole is set.
type VehicleKey struct {
	Name     string   // key in the world file
	Float    *float32 // the value, if it is a fraction; else nil
	Whole    *int32   // the value, if it is a whole number; else nil
	Min, Max float64  // range of valid values, both included
}

// Keys returns all constants of a kind, except Mode and Boat. Each has its name and range in world files, and a pointer to its
// value.
func (k *VehicleKind) Keys() []VehicleKey {
	share := func(name string, v *float32) VehicleKey { return VehicleKey{Name: name, Float: v, Min: 0, Max: 1} }
	value := func(name string, v *float32) VehicleKey { return VehicleKey{Name: name, Float: v, Min: -10, Max: 10} }
	ticks := func(name string, v *int32) VehicleKey { return VehicleKey{Name: name, Whole: v, Min: 1, Max: 1000} }
	keys := []VehicleKey{
		value("offset", &k.Offset),
		{Name: "yaw_offset", Float: &k.YawOffset, Min: -180, Max: 180},
		{Name: "width", Float: &k.Width, Min: 0.1, Max: 4},
		{Name: "height", Float: &k.Height, Min: 0.1, Max: 4},
		{Name: "gravity", Float: &k.Gravity, Min: 0, Max: 1},
		share("drag_up", &k.DragUp),
		share("water_drag", &k.WaterDrag),
		value("seat_x", &k.SeatAlone.X), value("seat_y", &k.SeatAlone.Y), value("seat_z", &k.SeatAlone.Z),
		{Name: "limit_across", Float: &k.Limits.Across, Min: 0, Max: 10},
		{Name: "limit_across_ice", Float: &k.Limits.AcrossIce, Min: 0, Max: 10},
		{Name: "limit_up", Float: &k.Limits.Up, Min: 0, Max: 10},
		{Name: "limit_down", Float: &k.Limits.Down, Min: 0, Max: 10},
	}
	if k.Boat {
		return append(keys,
			value("paddle_force", &k.PaddleForce), value("paddle_torque", &k.PaddleTorque), value("paddle_turn", &k.PaddleTurn),
			value("paddle_strength", &k.PaddleStrength), value("paddle_drop", &k.PaddleDrop), value("paddle_fade", &k.PaddleFade),
			value("paddle_least", &k.PaddleLeast), share("paddle_let", &k.PaddleLet), value("paddle_stop", &k.PaddleStop),
			value("paddle_back", &k.PaddleBack), value("slow_turn", &k.SlowTurn), value("slow_turn_speed2", &k.SlowTurnSpeed2),
			ticks("stroke_ticks", &k.StrokeTicks), ticks("submerged_ticks", &k.SubmergedTicks),
			share("no_block_slip", &k.NoBlockSlip), value("depth_share", &k.DepthShare), value("depth_least", &k.DepthLeast),
			value("buoyancy", &k.Buoyancy), share("rise_keep", &k.RiseKeep), value("rise_gain", &k.RiseGain), value("current", &k.Current),
			value("bubble_rise", &k.BubbleRise), value("bubble_rise_max", &k.BubbleRiseMax),
			value("bubble_sink", &k.BubbleSink), value("bubble_sink_max", &k.BubbleSinkMax),
			value("front_seat_x", &k.Seats[0].X), value("front_seat_y", &k.Seats[0].Y), value("front_seat_z", &k.Seats[0].Z),
			value("back_seat_x", &k.Seats[1].X), value("back_seat_y", &k.Seats[1].Y), value("back_seat_z", &k.Seats[1].Z),
			VehicleKey{Name: "seats", Whole: &k.SeatCount, Min: 1, Max: 2},
		)
	}
	return append(keys,
		VehicleKey{Name: "step", Float: &k.Step, Min: 0, Max: 4},
		VehicleKey{Name: "step_honey", Float: &k.StepHoney, Min: 0, Max: 4},
		value("side_factor", &k.SideFactor), value("back_factor", &k.BackFactor), value("air_share", &k.AirShare),
		VehicleKey{Name: "water_gravity", Float: &k.WaterGravity, Min: 0, Max: 1},
		share("yaw_share", &k.YawShare), share("yaw_least", &k.YawLeast), VehicleKey{Name: "yaw_span", Float: &k.YawSpan, Min: 1, Max: 180},
		ticks("jump_ticks", &k.JumpTicks), share("jump_late", &k.JumpLate), ticks("jump_delay", &k.JumpDelay),
		VehicleKey{Name: "jump_full", Whole: &k.JumpFull, Min: 1, Max: 100},
		share("jump_base", &k.JumpBase), share("jump_gain", &k.JumpGain), share("jump_honey", &k.JumpHoney),
		value("forward_kick", &k.ForwardKick),
		VehicleKey{Name: "limit_per_speed", Float: &k.Limits.PerSpeed, Min: 0, Max: 10},
		VehicleKey{Name: "limit_per_jump", Float: &k.Limits.PerJump, Min: 0, Max: 10},
		VehicleKey{Name: "movement", Float: &k.Movement, Min: 0, Max: 2},
		VehicleKey{Name: "jump_strength", Float: &k.JumpStrength, Min: 0, Max: 2},
		VehicleKey{Name: "underwater_movement", Float: &k.UnderwaterMax, Min: 0, Max: 2},
		VehicleKey{Name: "lava_movement", Float: &k.LavaMax, Min: 0, Max: 2},
	)
}
