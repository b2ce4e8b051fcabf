package sim

import (
	"testing"

	"pgregory.net/rapid"

	"github.com/truestep-io/truestep/sim/geom"
	"github.com/truestep-io/truestep/sim/reason"
	"github.com/truestep-io/truestep/sim/terrain"
)

// dropAt puts an item on the ground of an area, as if a player had dropped it, and returns its handle.
func (s *stage) dropAt(at geom.Vec) uint32 {
	handle, _ := s.a.newHandle()
	s.a.ground = append(s.a.ground, groundItem{GroundItem{Handle: handle, Stack: herbs(1), Pos: at}, s.a.now + 1_000_000})
	return handle
}

func pickUpIntent(x *actor, handle uint32, slot uint8) Intent {
	return Intent{Kind: IntentPickUp, Who: x.id, Ground: handle, SlotA: slot}
}

// docs/one-world.md: an item is within reach of a player that could attack an actor at the item's position.
func TestPickUpThroughWallIsRefused(t *testing.T) {
	fence := terrain.Solid{Min: geom.Vec{X: 10, Z: 30}, Max: geom.Vec{X: 11, Y: 3.5, Z: 60}}
	roof := terrain.Solid{Min: geom.Vec{X: 40, Y: 9, Z: -20}, Max: geom.Vec{X: 60, Y: 10, Z: 20}}
	for name, c := range map[string]struct {
		from, item geom.Vec
		fly        bool
		why        reason.Reason
	}{
		"behind the wall":                  {from: geom.Vec{X: 8}, item: geom.Vec{X: 13}, why: reason.Covered},
		"behind it, from a claimed height": {from: geom.Vec{X: 8, Y: 60}, item: geom.Vec{X: 13}, why: reason.Covered},
		"behind it, at a claimed height":   {from: geom.Vec{X: 8}, item: geom.Vec{X: 13, Y: 60}, why: reason.Covered},
		"on its own side of the wall":      {from: geom.Vec{X: 8}, item: geom.Vec{X: 9.9, Z: 5}},
		"past the end of the wall":         {from: geom.Vec{X: 8, Z: 21}, item: geom.Vec{X: 13, Z: 21}},
		"over a fence":                     {from: geom.Vec{X: 8, Z: 45}, item: geom.Vec{X: 13, Z: 45}},
		"behind the wall and out of reach": {from: geom.Vec{X: 8}, item: geom.Vec{X: 28.5}, why: reason.BadSlot},
		"from on high":                     {from: geom.Vec{X: 8, Y: 60}, item: geom.Vec{X: 13, Y: 60}, fly: true},
		"in the wall":                      {from: geom.Vec{X: 8}, item: geom.Vec{X: 10.5}},
		"in the wall, from there":          {from: geom.Vec{X: 13}, item: geom.Vec{X: 10.5}},
		"half in the wall":                 {from: geom.Vec{X: 8}, item: geom.Vec{X: 11.02}},
		"on the roof, from below":          {from: geom.Vec{X: 50}, item: geom.Vec{X: 50, Y: 10}, why: reason.Covered},
		"below the roof, from on it":       {from: geom.Vec{X: 50, Y: 10}, item: geom.Vec{X: 52}, why: reason.Covered},
		"on the roof, from on it":          {from: geom.Vec{X: 50, Y: 10}, item: geom.Vec{X: 52, Y: 10}},
		"below the roof":                   {from: geom.Vec{X: 50}, item: geom.Vec{X: 56}},
		"from inside a wall":               {from: geom.Vec{X: 10.5}, item: geom.Vec{X: 13}},
	} {
		t.Run(name, func(t *testing.T) {
			w := wallIn(t, testWorld(), block(10, -20, 11, 20), fence, roof)
			if c.fly {
				w.Template(tmplHuman).Environment = Fly
			}
			s := newStage(t, w)
			x := s.player(1, geom.Vec{X: -50})
			x.pos = c.from
			handle := s.dropAt(c.item)
			if c.why == reason.None {
				s.expectEvent(EventPickedUp, pickUpIntent(x, handle, bag))
				return
			}
			s.expectRefusal(c.why, pickUpIntent(x, handle, bag))
			if len(s.f.Ground) != 1 || !x.inv[bag].Empty() {
				t.Errorf("refused, but the player has %+v", x.inv[bag])
			}
		})
	}
}

// In an area without solids, as in a RealmCrafter project, only the distance counts.
func TestPickUpInAreaWithoutWallsDependsOnDistanceOnly(t *testing.T) {
	s := newStage(t, testWorld())
	x := s.player(1, geom.Vec{X: 8})
	s.expectEvent(EventPickedUp, pickUpIntent(x, s.dropAt(geom.Vec{X: 13, Y: 60}), bag))
}

// An item inside a solid can be picked up, even if that solid is surrounded by other solids.
func TestItemInsideSolidCanBePickedUp(t *testing.T) {
	var filled []terrain.Solid
	for x := float32(0); x < 20; x += 4 {
		for z := float32(0); z < 20; z += 4 {
			filled = append(filled, block(x, z, x+4, z+4))
		}
	}
	s := newStage(t, wallIn(t, testWorld(), filled...))
	x := s.player(1, geom.Vec{X: -5})
	for i, from := range []geom.Vec{{X: -1, Z: 10}, {X: 21, Z: 10}, {X: 10, Z: -1}, {X: 10, Z: 21}} {
		x.pos = from
		s.expectEvent(EventPickedUp, pickUpIntent(x, s.dropAt(geom.Vec{X: 10, Z: 10}), bag+uint8(i)))
	}
}

// A player that stands at the position of an item can pick it up, even if solids surround the position.
func TestItemAtPlayersPositionCanBePickedUp(t *testing.T) {
	rapid.Check(t, func(rt *rapid.T) {
		var solids []terrain.Solid
		for range rapid.IntRange(1, 12).Draw(rt, "solids") {
			b := block(0, 0, 0, 0)
			b.Min = geom.Vec{X: rapid.Float32Range(-9, 9).Draw(rt, "x"), Y: rapid.Float32Range(-2, 9).Draw(rt, "y"), Z: rapid.Float32Range(-9, 9).Draw(rt, "z")}
			b.Max = b.Min
			b.Max.X += rapid.Float32Range(0, 9).Draw(rt, "wide")
			b.Max.Y += rapid.Float32Range(0, 9).Draw(rt, "high")
			b.Max.Z += rapid.Float32Range(0, 9).Draw(rt, "deep")
			solids = append(solids, b)
		}
		s := newStage(t, wallIn(t, testWorld(), solids...))
		x := s.player(1, geom.Vec{X: 50})
		x.pos = geom.Vec{X: rapid.Float32Range(-12, 12).Draw(rt, "at x"), Y: rapid.Float32Range(-5, 20).Draw(rt, "at y"), Z: rapid.Float32Range(-12, 12).Draw(rt, "at z")}
		x.destX, x.destZ = x.pos.X, x.pos.Z
		if !s.a.canReachItem(x, x.pos) {
			rt.Fatalf("player at the item at %v cannot reach it; solids %v", x.pos, solids)
		}
	})
}
