package area

import (
	"bytes"
	"context"
	"fmt"
	"testing"
	"testing/synctest"

	"github.com/truestep-io/truestep/sim"
	"github.com/truestep-io/truestep/sim/combat"
	"github.com/truestep-io/truestep/sim/geom"
	"github.com/truestep-io/truestep/sim/move"
)

// twoFields returns a world of two areas whose portals lead to each other, with cows in the first.
func twoFields() *sim.World {
	beast := sim.Template{ID: 1, Race: "Cow", Radius: 1}
	beast.Attr[0], beast.Attr[1] = combat.Attribute{Value: 100, Max: 100}, combat.Attribute{Value: 100, Max: 100}
	human := beast
	human.ID, human.Race, human.Playable = 2, "Human", true
	return &sim.World{
		Name: "fields", TicksPerSecond: 20,
		Roles: combat.AttributeRoles{Health: 0, Speed: 1, Strength: 1, Energy: -1, Breath: -1, Toughness: -1},
		Rules: sim.Rules{
			Combat: combat.DefaultRules(), Claim: move.OriginalClaimPolicy(), Step: move.Euclidean,
			RespawnArea: sim.NoArea, RespawnPortal: -1, RespawnDelayMS: 2000, RespawnHealth: 50,
			PortalLockMS: 35_000, SaveEveryMS: 30_000, MaxActors: 1000,
		},
		Templates:     []sim.Template{beast, human},
		NewCharacters: sim.NewCharacterRules{Pet: sim.NoTemplate},
		Areas: []sim.AreaDef{
			{
				Name:      "West",
				Waypoints: []sim.Waypoint{{Used: true, NextA: -1, NextB: -1, Prev: -1}},
				Spawns:    []sim.Spawn{{Template: 1, Size: 50, Range: 40, Max: 5, PeriodMS: 100}},
				Portals:   []sim.Portal{{Name: "gate", Pos: geom.Vec{X: 100}, Radius: 5, ToArea: 1}},
			},
			{
				Name:    "East",
				Portals: []sim.Portal{{Name: "gate", Pos: geom.Vec{X: 10, Z: 20}, Radius: 5, ToArea: 0}},
			},
		},
	}
}

func enter(w *sim.World, who sim.EntityID, x float32) sim.Intent {
	return sim.Intent{Kind: sim.IntentJoin, Who: who, Join: &sim.Join{
		Character: &sim.Character{ID: sim.CharacterID(who), Name: fmt.Sprint("P", who), Template: 2, Level: 1, Attr: w.Template(2).Attr},
		Portal:    -1, Pos: geom.Vec{X: x}, Login: true,
	}}
}

func TestPlayerThatTravelsThroughPortalIsSavedInDestination(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		w := NewWorld(twoFields(), Options{Seed: 1})
		f := w.Subscribe("f", 1024, All)
		w.Start(t.Context())
		submit(t, w, 0, enter(w.Def(), 1, 50))
		ticks(20)
		walk := sim.Intent{Kind: sim.IntentClaim, Who: 1, AtMS: w.NowMS()}
		walk.Claim = move.Claim{X: 50, DestX: 100}
		submit(t, w, 0, walk)
		ticks(200)
		if s := w.Stats(); s[0].Players != 0 || s[1].Players != 1 || s[0].Actors != 5 {
			t.Fatalf("%d players in the west, %d in the east, %d actors", s[0].Players, s[1].Players, s[0].Actors)
		}
		if err := w.Stop(context.Background()); err != nil {
			t.Fatal(err)
		}
		var record *sim.Character
		for p := range f.C() {
			for _, e := range p.Frame.Events {
				if e.Kind == sim.EventLeft {
					record = e.Record
				}
			}
			p.Release()
		}
		if record == nil || record.Area != "East" || record.Pos.X != 10 || record.Pos.Z != 20 {
			t.Errorf("the record is %+v", record)
		}
	})
}

func TestPlaybackOfReplayReachesRecordedState(t *testing.T) {
	def := twoFields()
	a := sim.NewArea(def, 0, 9)
	var rec recorder
	step := func(intents ...sim.Intent) {
		rec.before(a, intents)
		f := a.Step(intents)
		rec.after(f.Hash)
		a.Recycle(f)
	}
	step(enter(def, 1, 30))
	for i := range 2*snapshotTicks + 50 {
		c := sim.Intent{Kind: sim.IntentClaim, Who: 1, AtMS: int64(i) * 50}
		c.Claim = move.Claim{X: 30, DestX: float32(i % 60)}
		step(c)
		if n := i + 2; n == snapshotTicks || n == 2*snapshotTicks+1 || i%97 == 0 {
			p := &Replay{Area: "west", Digest: def.Digest(), Snapshot: rec.snapshot(), Seed: 9, Ticks: rec.ticks[:rec.n]}
			p, err := ParseReplay(p.Append(nil))
			if err != nil {
				t.Fatal(err)
			}
			if err := p.Verify(def); err != nil {
				t.Fatal(err)
			}
			b, err := p.Play(def)
			for err == nil {
				_, _, err = b.Next()
			}
			if !bytes.Equal(b.Area().Snapshot(nil), a.Snapshot(nil)) {
				t.Fatalf("after %d ticks the replay has another state", n)
			}
		}
	}
	for what, p := range map[string]*Replay{
		"unknown area":       {Area: "nowhere", Digest: def.Digest()},
		"another world":      {Area: "west"},
		"truncated snapshot": {Area: "west", Digest: def.Digest(), Snapshot: []byte("torn")},
		"wrong hash":         {Area: "west", Digest: def.Digest(), Seed: 9, Ticks: []ReplayTick{{Hash: 1}}},
		"missing panic":      {Area: "west", Digest: def.Digest(), Seed: 9, Ticks: []ReplayTick{{}}, Panic: "boom"},
	} {
		if err := p.Verify(def); err == nil {
			t.Errorf("%s: no error", what)
		}
	}
}
