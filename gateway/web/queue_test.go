package web

import (
	"log/slog"
	"testing"
	"time"

	"github.com/truestep-io/truestep/area"
	"github.com/truestep-io/truestep/content"
	"github.com/truestep-io/truestep/gateway"
	"github.com/truestep-io/truestep/internal/emptystore"
	proto "github.com/truestep-io/truestep/proto/web"
	"github.com/truestep-io/truestep/session"
	"github.com/truestep-io/truestep/sim/move"
	"github.com/truestep-io/truestep/store/sqlite"
	"github.com/truestep-io/truestep/telemetry"
)

// If the queue of a client is full, the oldest input is dropped, but not its acknowledgement of a change: the next input gets it. The
// area would otherwise wait for the acknowledgement and correct nothing meanwhile.
func TestAcknowledgementOfDroppedInputPassesToNextInput(t *testing.T) {
	w, _ := testWorker(t)
	defer w.feed.Close()
	schema := proto.BuiltinSchema()
	p := &player{w: w, g: w.g, link: &wsLink{}, welcomed: true, teller: proto.NewTeller(&schema, true, 20), passed: 1, newest: 1, barriers: []uint32{1<<16 + 7}}
	for tick := range uint32(maxQueuedInputs + 2) {
		p.handleInput(&proto.Input{Tick: 2 + tick, N: 1, Barrier: 7})
	}
	if first := p.inputs[0]; first.input.Tick != 4 || first.confirms != 1<<16+7 || len(p.inputs) != maxQueuedInputs {
		t.Errorf("%d inputs wait, the first of tick %d acknowledges change %d; want %d, tick 4, change %d", len(p.inputs), first.input.Tick, first.confirms, maxQueuedInputs, 1<<16+7)
	}
	p.handleInput(&proto.Input{Tick: 3, N: 1}) // older than all that wait: it is dropped at once
	if first := p.inputs[0]; first.input.Tick != 4 || first.confirms != 1<<16+7 || p.newest != maxQueuedInputs+3 {
		t.Errorf("the first input is of tick %d and acknowledges change %d, the newest is of tick %d; want 4, %d and %d", first.input.Tick, first.confirms, p.newest, 1<<16+7, maxQueuedInputs+3)
	}
	if n := w.g.door.Bad.With("overflow").Load(); n != 3 {
		t.Errorf("%d counted as overflow, want 3", n)
	}
}

// The queue of the area has no room for an input, or for the acknowledgement before it. Both stay in the queue of the door, and the
// acknowledgement is passed once.
func TestInputAndAcknowledgementThatAreaRefusesStayQueued(t *testing.T) {
	quiet := slog.New(slog.DiscardHandler)
	db, err := sqlite.Open(t.Context(), emptystore.Dir(t))
	if err != nil {
		t.Fatal(err)
	}
	defer db.Close()
	for inbox, want := range map[int]uint32{1: 7, 2: 0} { // by room for intents: change that the input of tick 12 still has to acknowledge
		world := area.NewWorld(content.DefaultWorld().World, area.Options{Seed: 1, Log: quiet, MaxInbox: inbox})
		hub := session.NewHub(world, db, session.Options{Log: quiet, RecordTimeout: time.Millisecond}) // no area ticks, so no record of a player arrives
		l, err := hub.LoginWithoutSecret(t.Context(), session.Peer{Door: "web", Authority: move.ByInput}, "web:ann")
		if err != nil {
			t.Fatal(err)
		}
		if err := gateway.EnsureCharacter(t.Context(), hub, world.Def(), l, "Ann"); err != nil {
			t.Fatal(err)
		}
		s, err := hub.Enter(t.Context(), l, 0)
		if err != nil {
			t.Fatal(err)
		}
		p := &player{g: &Gateway{world: world, door: telemetry.New().Door("web")}, session: s, passed: 10, inputTick: 10}
		for tick := uint64(11); tick <= 13; tick++ {
			p.inputs = append(p.inputs, queuedInput{input: move.Input{Tick: tick}})
		}
		p.inputs[1].confirms = 7
		for range 3 { // frames
			p.submitInputs()
		}
		if len(p.inputs) != 2 || p.inputs[0].input.Tick != 12 || p.inputs[0].confirms != want || p.passed != 11 || p.passedNow != 0 {
			t.Errorf("room for %d intents: %+v wait, %d is passed, want 12 and 13, of which 12 acknowledges change %d", inbox, p.inputs, p.passed, want)
		}
		if refused, gaps := p.g.door.Bad.With("budget").Load(), p.g.door.Bad.With("input_gap").Load(); refused != 2 || gaps != 0 {
			t.Errorf("room for %d intents: %d refused, %d gaps, want 2 and none", inbox, refused, gaps)
		}
		_ = world.Stop(t.Context())
		_ = hub.Close(t.Context())
	}
}
