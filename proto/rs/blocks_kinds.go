package rs

import "slices"

// slots holds the values of the fields of one item of a block, in the order of kindDef.fields. An index in it is called a slot.
type slots [12]int32

// kindDef describes a kind of extended info independently of a revision: its name, and how its numbers and bytes are stored in
// an Info. How they are encoded is part of a profile.
type kindDef struct {
	name       string
	persistent bool   // clients keep the value beyond the cycle
	fields     string // names of the fields, in the order of their slots
	defaults   slots  // values of the slots that a profile does not send

	length     func(in *Info) int             // returns the length of a list; nil for a kind with a single item
	setLength  func(in *Info, n int)          // sets the length of a list
	load       func(in *Info, i int) slots    // reads item i from an Info
	store      func(in *Info, i int, v slots) // sets item i of an Info
	check      func(v slots) bool             // further check of an item, in addition to the limits in the profile row; nil for none
	bytesField func(in *Info) *[]byte         // returns the field with the kind's text or bytes; nil for a kind that has neither
}

// kindTable describes every InfoKind; the index is the kind.
var kindTable = [numKinds]kindDef{
	KindAppearance: {
		name:       "APPEARANCE",
		persistent: true,
		bytesField: func(in *Info) *[]byte { return &in.Appearance },
	},
	KindSay: {
		name:       "SAY",
		bytesField: func(in *Info) *[]byte { return &in.Say },
	},
	KindAnim: {
		name:     "ANIM",
		fields:   "seq0 seq1 seq2 seq3 delay",
		defaults: slots{1: None, 2: None, 3: None},
		load: func(in *Info, _ int) slots {
			a := &in.Anim
			return slots{int32(a.Seq[0]), int32(a.Seq[1]), int32(a.Seq[2]), int32(a.Seq[3]), int32(a.Delay)}
		},
		store: func(in *Info, _ int, v slots) {
			in.Anim = Anim{Seq: [4]uint16{uint16(v[0]), uint16(v[1]), uint16(v[2]), uint16(v[3])}, Delay: uint8(v[4])}
		},
	},
	KindGfx0: gfxKind("GFX0", 0),
	KindGfx1: gfxKind("GFX1", 1),
	KindGfx2: gfxKind("GFX2", 2),
	KindGfx3: gfxKind("GFX3", 3),
	KindHits: {
		name:      "HITS",
		fields:    "form type amount soaktype soakamount delay hp limit",
		length:    func(in *Info) int { return len(in.Hits) },
		setLength: func(in *Info, n int) { in.Hits = resizeSlice(in.Hits, n) },
		load:      func(in *Info, i int) slots { return in.Hits[i].slots() },
		store:     func(in *Info, i int, v slots) { in.Hits[i] = hitFromSlots(v) },
	},
	KindTarget: {
		name:       "TARGET",
		persistent: true,
		fields:     "v",
		load:       func(in *Info, _ int) slots { return slots{int32(in.Target)} },
		store:      func(in *Info, _ int, v slots) { in.Target = uint16(v[0]) },
	},
	KindTurn: {
		name:       "TURN",
		persistent: true,
		fields:     "v",
		load:       func(in *Info, _ int) slots { return slots{int32(in.Turn)} },
		store:      func(in *Info, _ int, v slots) { in.Turn = uint16(v[0]) },
	},
	KindExactMove: {
		name:   "EXACT_MOVE",
		fields: "x1 z1 x2 z2 t1 t2 dir",
		load: func(in *Info, _ int) slots {
			m := &in.ExactMove
			return slots{int32(m.X1), int32(m.Z1), int32(m.X2), int32(m.Z2), int32(m.T1), int32(m.T2), int32(m.Dir)}
		},
		store: func(in *Info, _ int, v slots) {
			in.ExactMove = ExactMove{int8(v[0]), int8(v[1]), int8(v[2]), int8(v[3]), uint16(v[4]), uint16(v[5]), uint16(v[6])}
		},
	},
	KindSpeed: {
		name:       "SPEED",
		persistent: true,
		fields:     "v",
		load:       func(in *Info, _ int) slots { return slots{int32(in.Speed)} },
		store:      func(in *Info, _ int, v slots) { in.Speed = int8(v[0]) },
	},
	KindTempSpeed: {
		name:   "TEMP_SPEED",
		fields: "v",
		load:   func(in *Info, _ int) slots { return slots{int32(in.TempSpeed)} },
		store:  func(in *Info, _ int, v slots) { in.TempSpeed = int8(v[0]) },
	},
	KindWornAnims: {
		name:      "WORN_ANIM",
		fields:    "seq delay slots",
		length:    func(in *Info) int { return len(in.WornAnims) },
		setLength: func(in *Info, n int) { in.WornAnims = resizeSlice(in.WornAnims, n) },
		load: func(in *Info, i int) slots {
			a := &in.WornAnims[i]
			return slots{int32(a.Seq), int32(a.Delay), int32(a.Slots)}
		},
		store: func(in *Info, i int, v slots) {
			in.WornAnims[i] = WornAnim{Seq: uint16(v[0]), Delay: uint8(v[1]), Slots: uint16(v[2])}
		},
	},
	KindWornTargets: {
		name:       "WORN_TARGETS",
		persistent: true,
		fields:     "t slots",
		length:     func(in *Info) int { return len(in.WornTargets) },
		setLength:  func(in *Info, n int) { in.WornTargets = resizeSlice(in.WornTargets, n) },
		load: func(in *Info, i int) slots {
			return slots{int32(in.WornTargets[i].Target), int32(in.WornTargets[i].Slots)}
		},
		store: func(in *Info, i int, v slots) {
			in.WornTargets[i] = WornTarget{Target: uint32(v[0]), Slots: uint16(v[1])}
		},
	},
	KindRecolour: {
		name:   "RECOLOUR",
		fields: "h s l w start end",
		load: func(in *Info, _ int) slots {
			c := &in.Recolour
			return slots{int32(c.Hue), int32(c.Saturation), int32(c.Lightness), int32(c.Weight), int32(c.Start), int32(c.End)}
		},
		store: func(in *Info, _ int, v slots) {
			in.Recolour = Recolour{int8(v[0]), int8(v[1]), int8(v[2]), uint8(v[3]), uint16(v[4]), uint16(v[5])}
		},
	},
	KindTimerBar: {
		name:   "TIMERBAR",
		fields: "w start gran",
		load: func(in *Info, _ int) slots {
			t := &in.TimerBar
			return slots{int32(t.Duration) | flagBit(t.Sprite, 1<<15), int32(t.Start), int32(t.Granularity)}
		},
		store: func(in *Info, _ int, v slots) {
			in.TimerBar = TimerBar{uint16(v[0]) & 0x7fff, v[0]&(1<<15) != 0, uint8(v[1]), uint8(v[2])}
		},
	},
	KindClanmate: {
		name:       "CLANMATE",
		persistent: true,
		fields:     "v",
		load:       func(in *Info, _ int) slots { return slots{flagBit(in.Clanmate, 1)} },
		store:      func(in *Info, _ int, v slots) { in.Clanmate = v[0] != 0 },
	},
	KindPIcon: {
		name:       "P_ICON",
		persistent: true,
		fields:     "v",
		load:       func(in *Info, _ int) slots { return slots{flagBit(in.PIcon, 1)} },
		store:      func(in *Info, _ int, v slots) { in.PIcon = v[0] != 0 },
	},
	KindFace: {
		name:       "FACE",
		persistent: true,
		fields:     "f type index fallback x z size angle",
		load:       func(in *Info, _ int) slots { return in.Face.slots() },
		store:      func(in *Info, _ int, v slots) { in.Face = faceFromSlots(v) },
		check:      func(v slots) bool { return v[0]>>3&7 <= FaceReset && v[0] < 128 },
	},
	KindSpotAnims: {
		name:      "SPOTANIM",
		fields:    "slot id hd",
		length:    func(in *Info) int { return len(in.SpotAnims) },
		setLength: func(in *Info, n int) { in.SpotAnims = resizeSlice(in.SpotAnims, n) },
		load: func(in *Info, i int) slots {
			a := &in.SpotAnims[i]
			return slots{int32(a.Slot), int32(a.ID), packHeightDelay(a.Height, a.Delay)}
		},
		store: func(in *Info, i int, v slots) {
			in.SpotAnims[i] = SpotAnim{uint8(v[0]), uint16(v[1]), uint16(uint32(v[2]) >> 16), uint16(v[2])}
		},
	},
	KindChat: {
		name:       "CHAT",
		fields:     "colour effect icon auto p0 p1 p2 p3 p4 p5 p6 p7",
		load:       func(in *Info, _ int) slots { return in.Chat.slots() },
		store:      func(in *Info, _ int, v slots) { in.Chat.setSlots(v) },
		bytesField: func(in *Info) *[]byte { return &in.Chat.Packed },
	},
	KindTransparency: {
		name:   "TRANSPARENCY",
		fields: "start end from to usefrom",
		load: func(in *Info, _ int) slots {
			t := &in.Transparency
			return slots{int32(t.Start), int32(t.End), int32(t.From), int32(t.To), flagBit(t.UseFrom, 1)}
		},
		store: func(in *Info, _ int, v slots) {
			in.Transparency = Transparency{uint16(v[0]), uint16(v[1]), uint8(v[2]), uint8(v[3]), v[4] != 0}
		},
	},
	KindHeadBars: {
		name:      "HEADBARS",
		fields:    "type end start startfill endfill",
		length:    func(in *Info) int { return len(in.HeadBars) },
		setLength: func(in *Info, n int) { in.HeadBars = resizeSlice(in.HeadBars, n) },
		load: func(in *Info, i int) slots {
			h := &in.HeadBars[i]
			return slots{int32(h.Type), int32(h.EndTime), int32(h.StartTime), int32(h.StartFill), int32(h.EndFill)}
		},
		store: func(in *Info, i int, v slots) {
			in.HeadBars[i] = HeadBar{uint16(v[0]), uint16(v[1]), uint16(v[2]), uint8(v[3]), uint8(v[4])}
		},
	},
	KindFreeze: {
		name:   "FREEZE",
		fields: "delay duration cancel",
		load: func(in *Info, _ int) slots {
			f := &in.Freeze
			return slots{int32(f.Delay), int32(f.Duration), flagBit(f.Cancel, 1)}
		},
		store: func(in *Info, _ int, v slots) {
			in.Freeze = Freeze{uint16(v[0]), uint16(v[1]), v[2] != 0}
		},
	},
	KindReset: {
		name:   "RESET",
		fields: "v",
		load:   func(in *Info, _ int) slots { return slots{int32(in.ResetWhat)} },
		store:  func(in *Info, _ int, v slots) { in.ResetWhat = uint8(v[0]) },
	},
}

// gfxKind returns the kindDef of the spot animations in one slot. The parameter n is the number of the slot, 0..3.
func gfxKind(name string, n int) kindDef {
	return kindDef{
		name:   name,
		fields: "id hd opts",
		load: func(in *Info, _ int) slots {
			g := &in.Gfx[n]
			opts := int32(g.Rotation) | int32(g.WornSlot)<<3 | flagBit(g.Loop, 1<<7)
			return slots{int32(g.ID), packHeightDelay(g.Height, g.Delay), opts}
		},
		store: func(in *Info, _ int, v slots) {
			in.Gfx[n] = Gfx{
				ID: uint16(v[0]), Height: uint16(uint32(v[1]) >> 16), Delay: uint16(v[1]),
				Rotation: uint8(v[2]) & 7, WornSlot: uint8(v[2]) >> 3 & 15, Loop: v[2]&(1<<7) != 0,
			}
		},
	}
}

// Values of the first number of an encoded hit, called form, for hits that show two marks or none. For a hit with one mark,
// this number is the type of the mark.
const (
	hitSoaked = 32767 // the hit shows two marks
	hitHidden = 32766 // the hit shows no mark
)

func (h *Hit) slots() slots {
	form := h.Type
	switch {
	case h.Soaked:
		form = hitSoaked
	case h.Hidden:
		form = hitHidden
	}
	return slots{
		int32(form), int32(h.Type), int32(h.Amount), int32(h.SoakType), int32(h.SoakAmount),
		int32(h.Delay), int32(h.HP), int32(h.Limit),
	}
}

func hitFromSlots(v slots) Hit {
	h := Hit{
		Type: uint16(v[1]), Amount: uint16(v[2]), SoakType: uint16(v[3]), SoakAmount: uint16(v[4]),
		Delay: uint16(v[5]), HP: uint8(v[6]), Limit: uint16(v[7]),
	}
	switch v[0] {
	case hitSoaked:
		h.Soaked = true
	case hitHidden:
		h.Hidden = true
	default:
		h.Type |= uint16(v[0]) // the type is in the field "form" or "type" of a row; only a soaked hit has both fields
	}
	return h
}

func (f *Face) slots() slots {
	return slots{
		int32(f.WalkMode) | int32(f.Kind)<<3 | flagBit(f.Instant, 1<<6),
		int32(f.Entity), f.Index, int32(f.Fallback), int32(f.X), int32(f.Z), int32(f.SizeX) | int32(f.SizeZ)<<4, int32(f.Angle),
	}
}

func faceFromSlots(v slots) Face {
	return Face{
		WalkMode: uint8(v[0]) & 7, Kind: uint8(v[0]) >> 3 & 7, Instant: v[0]&(1<<6) != 0,
		Entity: uint8(v[1]), Index: v[2], Fallback: uint16(v[3]), X: uint16(v[4]), Z: uint16(v[5]),
		SizeX: uint8(v[6]) & 15, SizeZ: uint8(v[6]) >> 4, Angle: uint16(v[7]),
	}
}

func (c *Chat) slots() slots {
	v := slots{int32(c.Colour), int32(c.Effect), int32(c.ModIcon), flagBit(c.Auto, 1)}
	for i, p := range c.Pattern {
		v[4+i] = int32(p)
	}
	return v
}

// setSlots sets the numeric fields of c from v, in the order of the fields of KindChat. It does not change Packed, which is a
// byte string.
func (c *Chat) setSlots(v slots) {
	c.Colour, c.Effect, c.ModIcon, c.Auto = uint8(v[0]), uint8(v[1]), uint8(v[2]), v[3] != 0
	for i := range c.Pattern {
		c.Pattern[i] = uint8(v[4+i])
	}
}

func packHeightDelay(height, delay uint16) int32 { return int32(uint32(height)<<16 | uint32(delay)) }

// resizeSlice returns s with length n, reusing its memory if large enough.
func resizeSlice[T any](s []T, n int) []T { return slices.Grow(s[:0], n)[:n] }

// flagBit returns bit if set is true, else 0.
func flagBit(set bool, bit int32) int32 {
	if set {
		return bit
	}
	return 0
}
