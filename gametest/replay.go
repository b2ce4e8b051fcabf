package gametest

import (
	"fmt"
	"slices"
	"sync"
	"testing"

	"github.com/truestep-io/truestep/sim"
	"github.com/truestep-io/truestep/sim/geom"
	"github.com/truestep-io/truestep/sim/move"
	"github.com/truestep-io/truestep/sim/rng"
)

// players is the number of players that Replay simulates in each area.
const players = 12

// Replay simulates a number of ticks in every area of a world with a game. Players join, walk, fight, leave, lose their
// connections, and call every command with arguments in and out of range, as seed decides. Then Replay steps the same intents
// again, in all areas at the same time: (1) from the beginning, and (2) from a snapshot in the middle. It reports the first
// tick after which the state has another hash than in the first run.
func Replay(t testing.TB, w *sim.World, ticks int, seed uint64) {
	t.Helper()
	if w.Game == nil {
		t.Fatal("the world has no game: set World.Game")
	}
	var again sync.WaitGroup
	for id := range w.Areas {
		p := &play{w: w, area: sim.AreaID(id), random: rng.New(seed + uint64(id))}
		p.record(t, ticks)
		again.Go(func() { p.repeat(t) })
	}
	again.Wait()
}

// play is a simulated run of one area, which Replay then repeats.
type play struct {
	w      *sim.World
	area   sim.AreaID
	random *rng.Stream // source of all random decisions
	log    [][]byte    // encoded intents of each tick
	hashes []uint64    // hash of the state after each tick
	middle []byte      // snapshot before tick len(log)/2
}

// record simulates the run for the first time and stores the intents and the hash of each tick.
func (p *play) record(t testing.TB, ticks int) {
	a := sim.NewArea(p.w, p.area, 1)
	var last *sim.Frame
	for tick := range ticks {
		if tick == ticks/2 {
			p.middle = a.Snapshot(nil)
		}
		p.log = append(p.log, sim.AppendIntents(nil, p.intents(tick, last)))
		ins, err := sim.ParseIntents(nil, p.log[tick])
		if err != nil {
			t.Fatal(err)
		}
		last = a.Step(ins)
		p.hashes = append(p.hashes, last.Hash)
	}
}

// repeat steps the recorded intents twice more: from the beginning, and from the snapshot in the middle of the run. Both must
// give the recorded hashes.
func (p *play) repeat(t testing.TB) {
	p.step(t, "from the beginning", sim.NewArea(p.w, p.area, 1), 0)
	a, err := sim.Restore(p.w, p.middle)
	if err != nil {
		t.Errorf("area %s: %v", p.w.Areas[p.area].Name, err)
		return
	}
	p.step(t, "from a snapshot", a, len(p.log)/2)
}

// step steps area a again with the intents of the recorded ticks, from the tick with index first on. It reports the first tick
// whose hash differs from the recorded one. In the error, the text start says from which state the ticks were repeated.
func (p *play) step(t testing.TB, start string, a *sim.Area, first int) {
	for tick := first; tick < len(p.log); tick++ {
		ins, err := sim.ParseIntents(nil, p.log[tick])
		if err != nil {
			t.Error(err)
			return
		}
		if f := a.Step(ins); f.Hash != p.hashes[tick] {
			t.Errorf("area %s, stepped again %s: tick %d gives another state: the rules of the game depend on something that is not in a field", p.w.Areas[p.area].Name, start, tick+1)
			return
		}
	}
}

// intents returns random intents of the simulated players for one tick. The parameter last is the frame of the previous tick, or
// nil for the first tick.
func (p *play) intents(tick int, last *sim.Frame) (ins []sim.Intent) {
	r := p.random
	for who := sim.EntityID(1); who <= players; who++ {
		at := sim.Intent{Who: who, AtMS: int64(tick) * 50}
		var s *sim.ActorState
		if last != nil {
			s = last.Find(who)
		}
		switch {
		case s == nil:
			if r.IntN(20) == 0 {
				at.Kind, at.Join = sim.IntentJoin, p.join(who)
				ins = append(ins, at)
			}
			continue
		case r.IntN(400) == 0:
			at.Kind = sim.IntentLeave
		case r.IntN(300) == 0:
			at.Kind = sim.IntentDisconnect
		case s.Is(sim.FlagLingering) && r.IntN(40) == 0:
			at.Kind, at.Join = sim.IntentResume, &sim.Join{Authority: move.ByClaim}
		case r.IntN(4) == 0:
			p.command(&at, last)
		case r.IntN(8) == 0:
			at.Kind, at.Target = sim.IntentAttack, p.anybody(last)
		case r.IntN(3) == 0:
			at.Kind = sim.IntentClaim
			at.Claim = move.Claim{X: s.Pos.X + r.Symmetric(3), Y: s.Pos.Y, Z: s.Pos.Z + r.Symmetric(3), DestX: s.Pos.X + r.Symmetric(60), DestZ: s.Pos.Z + r.Symmetric(60), Running: r.IntN(2) == 0}
		default:
			continue
		}
		ins = append(ins, at)
	}
	return ins
}

// anybody returns the id of an actor that is chosen at random from a frame.
func (p *play) anybody(f *sim.Frame) sim.EntityID {
	return f.Actors[p.random.IntN(int32(len(f.Actors)))].ID
}

// join returns what the area needs for a new player to enter it: a new record, and a random position near a portal.
func (p *play) join(who sim.EntityID) *sim.Join {
	at := slices.IndexFunc(p.w.Templates, func(t sim.Template) bool { return t.Playable })
	tmpl := &p.w.Templates[max(at, 0)]
	pos := geom.Vec{}
	if portals := p.w.Areas[p.area].Portals; len(portals) > 0 {
		pos = portals[p.random.IntN(int32(len(portals)))].Pos
	}
	pos.X, pos.Z = pos.X+p.random.Symmetric(20), pos.Z+p.random.Symmetric(20)
	c := &sim.Character{ID: sim.CharacterID(who), Name: fmt.Sprint("Player ", who), Template: tmpl.ID, Level: 1, Attr: tmpl.Attr, Resist: tmpl.Resist, HomeFaction: tmpl.Faction}
	return &sim.Join{Character: c, Portal: -1, Pos: pos, Login: true, Authority: move.ByClaim}
}

// command turns an intent (the parameter in) into a random command of the game. About one in eight numbers among its arguments is
// above the maximum, so that refusals are tested, too.
func (p *play) command(in *sim.Intent, last *sim.Frame) {
	if len(p.w.Schema.Commands) == 0 {
		in.Kind = sim.IntentJump
		return
	}
	id := p.random.IntN(int32(len(p.w.Schema.Commands)))
	in.Kind, in.SlotA, in.Args = sim.IntentCommand, uint8(id), new([sim.MaxGameArgs]int32)
	for i, arg := range p.w.Schema.Commands[id].Args {
		switch {
		case arg.Kind == sim.ArgActor:
			in.Target = p.anybody(last)
		case arg.Kind == sim.ArgText:
			in.Text = "hello"
		case p.random.IntN(8) == 0:
			in.Args[i] = arg.Max + 1
		default:
			in.Args[i] = int32(int64(arg.Min) + int64(p.random.Uint32())%(int64(arg.Max)-int64(arg.Min)+1))
		}
	}
}
