package sim

import (
	"bytes"
	"fmt"
	"hash/fnv"
	"slices"
	"testing"

	"github.com/truestep-io/truestep/internal/race"
	"github.com/truestep-io/truestep/sim/combat"
	"github.com/truestep-io/truestep/sim/geom"
	"github.com/truestep-io/truestep/sim/move"
	"github.com/truestep-io/truestep/sim/rng"
)

// mixedIntents returns random intents of players for one tick. Player n joins with authority n%3.
func mixedIntents(w *World, random *rng.Stream, a *Area, tick int, players int32) []Intent {
	var ins []Intent
	for range random.IntN(16) {
		who := EntityID(random.Between(1, players))
		in := Intent{Kind: IntentKind(random.Between(1, 28)), Who: who, AtMS: int64(tick)*50 + int64(random.IntN(50))}
		if in.Kind == IntentLeave && random.IntN(8) > 0 {
			in.Kind = IntentAttack
		}
		if in.Kind.IsOperatorOrder() && random.IntN(8) > 0 {
			in.Kind = IntentClaim
		}
		if a.find(who) == nil {
			in.Kind = IntentJoin
		}
		in.Tile = move.Tile{X: uint16(3170 + random.IntN(60)), Z: uint16(3180 + random.IntN(60))}
		in.Target = EntityID(random.Between(1, players))
		if x := a.find(who); x != nil && random.IntN(4) > 0 {
			in.Target = nearestTo(a, x, in.Kind == IntentInteract)
			in.Tile = nearestTile(&a.def.Tiles, x.pos)
			in.Tile.X += uint16(random.IntN(9)) - 4
			in.Tile.Z += uint16(random.IntN(9)) - 4
		}
		in.SlotA, in.SlotB, in.Amount = uint8(random.IntN(20)), uint8(random.IntN(20)), uint16(random.IntN(2))
		in.Ground, in.Serial, in.Text = uint32(random.IntN(5)), uint32(random.IntN(8)), "Pba"
		in.To = AreaID(random.IntN(2))
		if in.Kind == IntentFreeze && random.IntN(3) > 0 {
			in.Amount = 0
		}
		in.Claim = move.Claim{X: random.Symmetric(250), Y: random.Symmetric(5), Z: random.Symmetric(120), DestX: random.Symmetric(300), DestZ: random.Symmetric(150),
			Running: random.IntN(2) == 0, Backward: random.IntN(9) == 0}
		if x := a.find(who); x != nil && random.IntN(4) > 0 {
			in.Claim.X, in.Claim.Y, in.Claim.Z = x.pos.X+random.Symmetric(6), x.pos.Y, x.pos.Z+random.Symmetric(6)
			in.Claim.DestX, in.Claim.DestZ = x.pos.X+random.Symmetric(60), x.pos.Z+random.Symmetric(60)
		}
		switch in.Kind {
		case IntentJoin:
			j := joinAt(w, who, geom.Vec{X: random.Symmetric(120), Z: random.Symmetric(80)})
			j.AtMS, j.Join.Authority, j.Join.Running = in.AtMS, move.Authority(who%3), random.IntN(2) == 0
			c := *j.Join.Character
			c.Inventory[SlotWeapon] = ItemStack{Item: uint16(random.Between(1, 3)), Amount: 1, Health: 30}
			if random.IntN(3) == 0 {
				j.Join.Pets = []Pet{{Template: tmplDog}}
			}
			j.Join.Character = &c
			in = j
		case IntentTeleport:
			in.Join = &Join{Portal: int(random.Between(-1, 0)), Pos: geom.Vec{X: random.Symmetric(300), Z: random.Symmetric(200)}, Yaw: random.Symmetric(360)}
		}
		ins = append(ins, in)
	}
	for id := EntityID(2); id <= EntityID(players); id += 3 { // one input per tick for all but the last player, which stays silent
		if x := a.find(id); x != nil && random.IntN(9) > 0 && id != EntityID(players-1) {
			in := move.Input{Tick: uint64(tick) + 100, Yaw: random.Symmetric(360), Move: [2]float32{random.Symmetric(1), 1}, RTT: uint16(random.IntN(200))}
			in.Pos = a.def.BlockGrid.ToBlocks(x.pos)
			in.Flags = move.InputFlags(random.Uint32()) & (move.InputJumping | move.InputStartJump | move.InputSprinting)
			if predictOf(x).Teleport.Open && random.IntN(5) == 0 {
				in.Flags |= move.InputHandledTeleport
			}
			ins = append(ins, Intent{Kind: IntentInput, Who: id, AtMS: int64(tick) * 50, Input: in})
		}
	}
	return ins
}

// nearestTo returns the id of the actor nearest to x, or 0. If rideable is set, only actors that can be ridden count.
func nearestTo(a *Area, x *actor, rideable bool) EntityID {
	var best *actor
	for _, y := range a.actors {
		if y == x || rideable && !y.tmpl.Rideable {
			continue
		}
		if best == nil || geom.Dist2XZ(x.pos, y.pos) < geom.Dist2XZ(x.pos, best.pos) {
			best = y
		}
	}
	if best == nil {
		return 0
	}
	return best.id
}

// TestStateHashOfEveryAuthorityEqualsGoldenHash plays one scenario in two areas with walls, in which players of all authorities
// fight, travel, die and are moved by an operator. It computes one hash over the state hashes, actors and events of all frames,
// in order, and over the snapshots of every 250th tick, and compares it with a stored value. A commit that changes the golden
// hash states the reason. Under the race detector the test runs only the first ticks, because it is slow there.
func TestStateHashOfEveryAuthorityEqualsGoldenHash(t *testing.T) {
	w := busyWorld()
	wallIn(t, w, append(house(), block(-60, -20, -55, 60), block(100, 30, 160, 35))...)
	w.Areas[areaTown].BlockGrid = w.Areas[areaField].BlockGrid
	for i := range w.Items {
		if wp := w.Items[i].Weapon; wp != nil {
			wp.Damage *= 3
		}
	}
	for i := range w.Templates {
		w.Templates[i].Attr[attrHealth] = combat.Attribute{Value: 40, Max: 40}
	}
	w.Factions[1].Ratings[1] = 100 // players may attack each other
	w.Rules.Combat.DelayMS = 300
	w.Areas[areaField].Waypoints[0].Pos.X, w.Areas[areaField].Waypoints[1].Pos.X = 30, -30 // near players, which NPCs then attack
	for k := range LastingEffects {
		x := 20 * float32(k)
		w.Areas[areaField].Zones = append(w.Areas[areaField].Zones, EffectZone{
			Min: geom.Vec{X: x, Y: -50, Z: -20}, Max: geom.Vec{X: x + 25, Y: 50, Z: 20}, Effect: Effect{Kind: k, Level: 1 + uint8(k), Ticks: 60},
		})
	}
	w.Items[0].Worn, w.Items[1].Use = []Effect{{Kind: EffectSpeed, Level: 1}}, []Effect{{Kind: EffectJumpBoost, Level: 3, Ticks: 90}}
	w.Rules.Predict, w.Rules.Knockback = move.DefaultPredictPolicy(), Knockback{Away: 0.4, Up: 0.4}
	areas := []*Area{NewArea(w, areaField, 7), NewArea(w, areaTown, 7)}
	random, sum := rng.New(7), fnv.New64a()
	seen := map[EventKind]int{}
	travellers := make([][]Intent, len(areas))
	var encoded, again []byte
	decoded := [2]Frame{}
	ticks, want := 3000, uint64(0x3797a5f2053b25a9)
	if race.Enabled {
		ticks, want = 400, 0x1aa2b1a48edae172
	}
	for tick := range ticks {
		for i, a := range areas {
			players := int32(30)
			ins := append(slices.Clone(travellers[i]), mixedIntents(w, random, a, tick, players)...)
			travellers[i] = nil
			ins = slices.DeleteFunc(ins, func(in Intent) bool { // send an intent only to the area in which its player is
				return in.Kind == IntentJoin && areas[1-i].byID[in.Who] != nil
			})
			f := a.Step(ins)
			fmt.Fprintf(sum, "%x;", f.Hash)
			encoded = f.Append(encoded[:0])
			if err := decoded[i].Decode(w, encoded); err != nil {
				t.Fatalf("tick %d: frame codec: %v", tick, err)
			}
			if again = decoded[i].Append(again[:0]); !bytes.Equal(again, encoded) {
				t.Fatalf("tick %d: the decoded frame differs", tick)
			}
			encoded = AppendIntents(encoded[:0], ins)
			if list, err := ParseIntents(nil, encoded); err != nil || !bytes.Equal(AppendIntents(nil, list), encoded) {
				t.Fatalf("tick %d: intent codec: %v", tick, err)
			}
			for _, e := range f.Events {
				seen[e.Kind]++
				fmt.Fprintf(sum, "%d %d %d %d %d %d %v %v %v %v %v %v %d %d %d %s;", e.Kind, e.Type, e.Reason, e.Who, e.Other, e.N, e.Value,
					e.Pos, e.From, e.Yaw, e.Asked, e.Allowed, e.To, e.Party, e.OldParty, e.Text)
				if e.Rewind != nil {
					fmt.Fprintf(sum, "%v;", *e.Rewind)
				}
				if e.Record != nil {
					fmt.Fprintf(sum, "%s %v %v %s;", e.Record.Area, e.Record.Pos, e.Record.Yaw, e.Record.LastPortalArea)
				}
				if e.Kind == EventDeparted {
					fmt.Fprintf(sum, "%d %v;", e.Join.Authority, e.Join.Running)
					travellers[e.To] = append(travellers[e.To], Intent{Kind: IntentJoin, Who: e.Who, Join: e.Join, AtMS: int64(tick) * 50})
				}
			}
			for i := range f.Actors {
				x := &f.Actors[i]
				fmt.Fprintf(sum, "%d %v %v %v %v %d %d %d %d %d %v %d %v %x;", x.ID, x.Pos, x.DestX, x.DestZ, x.Yaw, x.Mount, x.Target, x.Leader,
					x.Health, x.Energy, x.Tile, x.Gait, x.LastStep, uint8(x.Flags))
			}
			for i := range f.Avatars {
				v := &f.Avatars[i]
				p := &v.Prediction
				fmt.Fprintf(sum, "{%v %v %v %v %v %v %v};", v.ID, p.Tick, v.Avatar, p.TeleportPending, p.Effects, v.Seat, p.RideSerial)
			}
			if tick%250 == 0 {
				b := a.Snapshot(nil)
				sum.Write(b)
				restored, err := Restore(w, b)
				if err != nil {
					t.Fatalf("tick %d: %v", tick, err)
				}
				areas[i] = restored
			}
		}
	}
	for kind := EventJoined; kind <= EventOrderDone; kind++ {
		if seen[kind] == 0 && kind != EventWeather && !race.Enabled {
			t.Errorf("no event of kind %d in the whole run", kind)
		}
	}
	if got := sum.Sum64(); got != want {
		t.Errorf("digest %#x, want %#x", got, want)
	}
}
