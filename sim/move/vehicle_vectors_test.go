package move

import (
	"encoding/json"
	"os"
	"strconv"
	"testing"

	"github.com/truestep-io/truestep/sim/geom"
	"github.com/truestep-io/truestep/sim/terrain"
)

// vehicleRow is the state of a vehicle after one tick. Positions are those in packets. Request is the charge of the jump
// whose key was released in the tick. Numbers have seven significant digits.
type vehicleRow struct {
	Tick     int
	Pos, Vel [3]json.Number
	Yaw      json.Number
	Angular  json.Number
	OnGround bool `json:"on_ground"`
	Request  *int32
}

// readVehicleTrajectories reads testdata/vehicle_trajectories.json. An independent script computed these trajectories in
// float32 (docs/wire/bedrock.md, vehicles, trajectories).
func readVehicleTrajectories(t testing.TB) map[string][]vehicleRow {
	t.Helper()
	b, err := os.ReadFile("testdata/vehicle_trajectories.json")
	if err != nil {
		t.Fatal(err)
	}
	var tables map[string]struct{ Rows []vehicleRow }
	if err := json.Unmarshal(b, &tables); err != nil {
		t.Fatal(err)
	}
	rows := map[string][]vehicleRow{}
	for name, table := range tables {
		rows[name] = table.Rows
	}
	return rows
}

// vehicleScene is the start of a trajectory: a vehicle, the ground, and the input of each tick, counted from 1.
type vehicleScene struct {
	of      VehicleType
	surface terrain.BlockID // top block of the flat ground
	top     int32           // height of the top of the ground
	water   bool            // true: there is deep water with its top at 63 instead of the ground
	at      geom.Vec        // position in packets
	yaw     float32
	input   func(tick int) Input
}

// stick returns an input with the stick held sideways and forward.
func stick(side, forward float32) Input { return Input{Move: [2]float32{side, forward}} }

// until returns inputs with the stick held for some ticks and released afterwards.
func until(last int, side, forward float32) func(tick int) Input {
	return func(tick int) Input {
		if tick > last {
			return Input{}
		}
		return stick(side, forward)
	}
}

// holdingJump adds the jump key on the ticks from..to.
func holdingJump(from, to int, input func(tick int) Input) func(tick int) Input {
	return func(tick int) Input {
		in := input(tick)
		if tick >= from && tick <= to {
			in.Flags |= InputJumpDown
		}
		return in
	}
}

var vehicleScenes = map[string]vehicleScene{
	"horse_gallop": horseScene(terrain.Stone, until(20, 0, 1)),
	"horse_sideways_back": horseScene(terrain.Stone, func(tick int) Input {
		if tick <= 5 {
			return stick(1, 0)
		}
		return stick(0, -1)
	}),
	"horse_turn": horseScene(terrain.Stone, func(int) Input {
		in := stick(0, 1)
		in.Yaw = 90
		return in
	}),
	"horse_jump_full":          horseScene(terrain.Stone, holdingJump(1, 11, until(0, 0, 0))),
	"horse_jump_short_forward": horseScene(terrain.Stone, holdingJump(6, 9, until(29, 0, 1))),
	"horse_ice":                horseScene(terrain.PackedIce, until(20, 0, 1)),
	"boat_forward":             waterScene(62.95, until(60, 0, 1)),
	"boat_left":                waterScene(62.95, until(15, 1, 0)),
	"boat_back":                waterScene(62.95, until(20, 0, -1)),
	"boat_digital": waterScene(62.95, func(tick int) Input {
		switch {
		case tick <= 20:
			return Input{Flags: InputPaddleLeft | InputPaddleRight}
		case tick <= 25:
			return Input{Flags: InputPaddleLeft}
		}
		return Input{}
	}),
	"boat_packed_ice":      landBoatScene(terrain.PackedIce, until(60, 0, 1)),
	"boat_stone":           landBoatScene(terrain.Stone, until(20, 0, 1)),
	"boat_sinks_and_rises": waterScene(60, until(0, 0, 0)),
}

func horseScene(surface terrain.BlockID, input func(tick int) Input) vehicleScene {
	return vehicleScene{of: Horse, surface: surface, top: 64, at: geom.Vec{X: 8.5, Y: 64, Z: 8.5}, input: input}
}

func waterScene(y float32, input func(tick int) Input) vehicleScene {
	return vehicleScene{of: Boat, water: true, top: 40, surface: terrain.Stone, at: geom.Vec{X: 8.5, Y: y, Z: 8.5}, yaw: 90, input: input}
}

func landBoatScene(surface terrain.BlockID, input func(tick int) Input) vehicleScene {
	return vehicleScene{of: Boat, surface: surface, top: 63, at: geom.Vec{X: 8.5, Y: 63.375, Z: 8.5}, yaw: 90, input: input}
}

func (c *vehicleScene) blocks(t testing.TB) *terrain.Blocks {
	spec := terrain.BlocksSpec{Grid: terrain.BlockGrid{UnitsPerBlock: 1}, Ground: terrain.FlatGround, Level: c.top, Surface: c.surface, Filler: c.surface}
	if c.water {
		spec.Fills = []terrain.BlockFill{{Min: [3]int32{-16, c.top, -16}, Max: [3]int32{63, 62, 63}, Block: terrain.Water}}
	}
	return mustBlocks(t, &spec)
}

// start returns the vehicle before the first tick.
func (c *vehicleScene) start(k *VehicleKind) Vehicle {
	feet := c.at
	feet.Y -= k.Offset
	v := NewVehicle(c.of, k, feet, c.yaw)
	v.OnGround = !c.water
	return v
}

// sameDigits reports whether v, rounded to seven significant digits as in the tables, is n.
func sameDigits(v float32, n json.Number) bool {
	want, _ := n.Float64() // a value that the table omits is 0
	got, _ := strconv.ParseFloat(strconv.FormatFloat(float64(v), 'g', 7, 64), 64)
	return got == want
}

func TestVehicleTrajectoriesMatchIndependentScript(t *testing.T) {
	tables, kinds := readVehicleTrajectories(t), DefaultVehicleKinds()
	if len(tables) != len(vehicleScenes) {
		t.Fatalf("%d tables, want %d", len(tables), len(vehicleScenes))
	}
	for name, c := range vehicleScenes {
		t.Run(name, func(t *testing.T) {
			var s Scratch
			k, ground := &kinds[c.of], c.blocks(t)
			v := c.start(k)
			for _, row := range tables[name] {
				in := c.input(row.Tick)
				r := v.Step(&in, k, ground, &s)
				request := int32(-1)
				if row.Request != nil {
					request = *row.Request
				}
				if r.Mode != SimulateVehicle || r.JumpCharge != request {
					t.Fatalf("tick %d: %+v, want request %d", row.Tick, r, request)
				}
				pos := [3]float32{v.Pos.X, v.Pos.Y + k.Offset, v.Pos.Z}
				vel := array(v.Vel)
				for i := range pos {
					if !sameDigits(pos[i], row.Pos[i]) || !sameDigits(vel[i], row.Vel[i]) {
						t.Fatalf("tick %d: at %v by %v, want %v by %v", row.Tick, pos, vel, row.Pos, row.Vel)
					}
				}
				if !sameDigits(v.Yaw, row.Yaw) || !sameDigits(v.AngularVel, row.Angular) || v.OnGround != row.OnGround {
					t.Fatalf("tick %d: yaw %v + %v, on ground %v, want %v + %v, %v", row.Tick, v.Yaw, v.AngularVel, v.OnGround, row.Yaw, row.Angular, row.OnGround)
				}
			}
		})
	}
}
