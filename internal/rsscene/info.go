package rsscene

import (
	"math/rand/v2"

	"github.com/truestep-io/truestep/proto/rs"
)

// setRandomInfo gives a player random extended info of a kind, such as an appearance or a chat line. It ignores kinds that the
// client revision lacks.
func (w *World) setRandomInfo(i rs.Index, k rs.InfoKind) {
	if !w.profile.Has(k) {
		return
	}
	p := &w.Players[i]
	said := &p.Current
	if k == rs.KindAppearance {
		said.Appearance = w.profile.AppendAppearance(said.Appearance[:0], w.randomAppearance(i))
		p.Persistent.Appearance = append(p.Persistent.Appearance[:0], said.Appearance...)
	} else {
		randomInfo[k](w.rng, w.profile, said)
	}
	said.Has = said.Has.With(k)
	p.Persistent.Has = p.Persistent.Has.With(k)
	switch k {
	case rs.KindSpeed:
		p.Persistent.Speed = said.Speed
	case rs.KindTarget:
		p.Persistent.Target = said.Target
	case rs.KindClanmate:
		p.Persistent.Clanmate = said.Clanmate
	case rs.KindPIcon:
		p.Persistent.PIcon = said.PIcon
	}
}

// setInstant makes clients set the player at the destination of its teleport at once. Without it, clients draw a short teleport
// as a walk.
func (w *World) setInstant(i rs.Index) {
	said := &w.Players[i].Current
	said.TempSpeed = rs.SpeedInstant
	said.Has = said.Has.With(rs.KindTempSpeed)
}

// randomAppearance returns a human with random body parts, or an NPC form.
func (w *World) randomAppearance(i rs.Index) *rs.Appearance {
	a := &rs.Appearance{
		Female: w.percent(50), PKIcon: -1, PrayerIcon: int8(w.rng.IntN(4) - 1), Bas: 1426,
		CombatLevel: uint8(3 + w.rng.IntN(135)), MaxCombatLevel: 138, CombatRange: 255, Name: playerName(w.Players[i].ID),
	}
	if w.percent(10) {
		a.NPC = &rs.NPCForm{ID: uint16(w.rng.IntN(10000))}
	}
	for pos := range a.Worn {
		if w.percent(60) {
			a.Worn[pos] = rs.Worn{Kind: rs.WornKit, ID: uint16(w.rng.IntN(200))}
		}
	}
	for c := range a.Colours {
		a.Colours[c] = uint8(w.rng.IntN(16))
	}
	return a
}

// playerName returns a name of 1 to 12 letters that is unique to the id.
func playerName(id uint64) []byte {
	name := []byte{'A' + byte(id%26)}
	for id /= 26; id > 0; id /= 26 {
		name = append(name, 'a'+byte(id%26))
	}
	return name
}

// randomInfo maps each kind of extended info to a function that fills the kind's fields of an rs.Info with random content.
var randomInfo = map[rs.InfoKind]func(r *rand.Rand, p *rs.Profile, in *rs.Info){
	rs.KindSay: func(r *rand.Rand, _ *rs.Profile, in *rs.Info) {
		in.Say = in.Say[:0]
		for range 1 + r.IntN(16) {
			in.Say = append(in.Say, byte('a'+r.IntN(26)))
		}
	},
	rs.KindAnim: func(r *rand.Rand, p *rs.Profile, in *rs.Info) {
		seq := uint16(r.Uint32())
		in.Anim = rs.Anim{Seq: [4]uint16{seq, seq, seq, seq}, Delay: uint8(r.Uint32())}
	},
	rs.KindGfx0: randomGfx(0),
	rs.KindGfx1: randomGfx(1),
	rs.KindGfx2: randomGfx(2),
	rs.KindGfx3: randomGfx(3),
	rs.KindHits: func(r *rand.Rand, p *rs.Profile, in *rs.Info) {
		in.Hits = in.Hits[:0]
		for range 1 + r.IntN(3) {
			h := rs.Hit{Type: uint16(r.IntN(100)), Amount: uint16(r.IntN(999)), Delay: uint16(r.IntN(60)), HP: uint8(r.Uint32())}
			if p.Has(rs.KindHeadBars) {
				h.Limit, h.HP = uint16(r.IntN(60)), 0
			} else if r.IntN(3) == 0 {
				h.Soaked, h.SoakType, h.SoakAmount = true, 5, uint16(r.IntN(300))
			}
			in.Hits = append(in.Hits, h)
		}
	},
	rs.KindTarget: func(r *rand.Rand, _ *rs.Profile, in *rs.Info) {
		in.Target = uint16(r.IntN(rs.MaxIndex)+1) + 32768
	},
	rs.KindTurn: func(r *rand.Rand, _ *rs.Profile, in *rs.Info) { in.Turn = uint16(r.IntN(16384)) },
	rs.KindExactMove: func(r *rand.Rand, _ *rs.Profile, in *rs.Info) {
		d := func() int8 { return int8(r.IntN(7) - 3) }
		in.ExactMove = rs.ExactMove{X1: d(), Z1: d(), X2: d(), Z2: d(), T1: 30, T2: uint16(r.IntN(300)), Dir: uint16(r.IntN(4))}
	},
	rs.KindSpeed:     func(r *rand.Rand, _ *rs.Profile, in *rs.Info) { in.Speed = int8(1 + r.IntN(2)) },
	rs.KindTempSpeed: func(r *rand.Rand, _ *rs.Profile, in *rs.Info) { in.TempSpeed = int8(r.IntN(3)) },
	rs.KindWornAnims: func(r *rand.Rand, _ *rs.Profile, in *rs.Info) {
		in.WornAnims = append(in.WornAnims[:0], rs.WornAnim{Seq: uint16(r.Uint32()), Delay: 3, Slots: uint16(r.IntN(4096))})
	},
	rs.KindWornTargets: func(r *rand.Rand, _ *rs.Profile, in *rs.Info) {
		in.WornTargets = append(in.WornTargets[:0],
			rs.WornTarget{Target: uint32(r.IntN(0xc000)), Slots: 1}, rs.WornTarget{Target: 0xc0000000 | r.Uint32(), Slots: 8})
	},
	rs.KindRecolour: func(r *rand.Rand, _ *rs.Profile, in *rs.Info) {
		in.Recolour = rs.Recolour{Hue: int8(r.IntN(128)), Saturation: 7, Lightness: -3, Weight: uint8(r.Uint32()), Start: 5, End: 300}
	},
	rs.KindTimerBar: func(r *rand.Rand, _ *rs.Profile, in *rs.Info) {
		in.TimerBar = rs.TimerBar{Duration: uint16(r.IntN(32768)), Sprite: r.IntN(2) == 0, Start: 50, Granularity: 4}
	},
	rs.KindClanmate: func(r *rand.Rand, _ *rs.Profile, in *rs.Info) { in.Clanmate = r.IntN(2) == 0 },
	rs.KindPIcon:    func(r *rand.Rand, _ *rs.Profile, in *rs.Info) { in.PIcon = r.IntN(2) == 0 },
	rs.KindFace: func(r *rand.Rand, _ *rs.Profile, in *rs.Info) {
		in.Face = rs.Face{Kind: rs.FaceEntity, Entity: 2, Index: int32(r.IntN(rs.MaxIndex) + 1), Fallback: uint16(r.IntN(2048))}
	},
	rs.KindSpotAnims: func(r *rand.Rand, _ *rs.Profile, in *rs.Info) {
		in.SpotAnims = append(in.SpotAnims[:0], rs.SpotAnim{Slot: uint8(r.IntN(4)), ID: uint16(r.IntN(3000)), Height: 96, Delay: 10})
	},
	rs.KindChat: func(r *rand.Rand, _ *rs.Profile, in *rs.Info) {
		packed := append(in.Chat.Packed[:0], 5, 0x83, 0x8c, 0x70) // "hello"
		in.Chat = rs.Chat{Colour: uint8(r.IntN(12)), Effect: uint8(r.IntN(6)), Packed: packed}
	},
	rs.KindTransparency: func(r *rand.Rand, _ *rs.Profile, in *rs.Info) {
		in.Transparency = rs.Transparency{Start: 1, End: uint16(r.IntN(100)), From: 255, To: uint8(r.Uint32()), UseFrom: true}
	},
	rs.KindHeadBars: func(r *rand.Rand, _ *rs.Profile, in *rs.Info) {
		in.HeadBars = append(in.HeadBars[:0], rs.HeadBar{EndTime: 20, StartFill: uint8(r.Uint32()), EndFill: uint8(r.Uint32())})
	},
	rs.KindFreeze: func(r *rand.Rand, _ *rs.Profile, in *rs.Info) {
		in.Freeze = rs.Freeze{Delay: 3, Duration: uint16(r.IntN(50))}
	},
	rs.KindReset: func(r *rand.Rand, _ *rs.Profile, in *rs.Info) { in.ResetWhat = uint8(r.Uint32()) },
}

func randomGfx(slot int) func(r *rand.Rand, p *rs.Profile, in *rs.Info) {
	return func(r *rand.Rand, _ *rs.Profile, in *rs.Info) {
		in.Gfx[slot] = rs.Gfx{
			ID: uint16(r.IntN(3000)), Height: uint16(r.IntN(200)), Delay: uint16(r.IntN(50)),
			Rotation: uint8(r.IntN(8)), WornSlot: rs.NoWornSlot,
		}
	}
}
