package rewind

import (
	"encoding/json"
	"math"
	"os"
	"slices"
	"testing"

	"github.com/truestep-io/truestep/internal/netsim"
)

// The worked examples of the specification PlayerMovementOverview, run frame by frame by a client and a server with
// simplified physics, over a network with a delay of two frames in each direction. testdata/scenarios.json contains the
// expected values. Ticks are frames + 100, because tick 0 means none.
const (
	frameMS   = 50
	delayMS   = 2 * frameMS
	firstTick = 100
)

// walker is the simplified state: a position and whether it sneaks.
type walker struct {
	East, North float32
	Sneak       bool
}

// keys is an input: whether the sneak key was pressed or released. The walker always moves north.
type keys struct{ Start, Stop bool }

// inputClaim is the message of the client for a tick: its keys and its predicted state.
type inputClaim struct {
	Tick  uint64
	Keys  keys
	State walker
}

// serverOrder is the message of the server for a tick: a correction of the position or of the sneak state.
type serverOrder struct {
	Tick  uint64
	Place *walker
	Sneak *bool
}

// constant simulates a tick of the scenario of the knockback: the walker moves one block north.
func constant(w walker, k keys) walker {
	w.North++
	return w
}

// sneaking simulates a tick of the scenario of the sneaking walker: while the walker sneaks, its speed is multiplied by 0.3.
func sneaking(w walker, k keys) walker {
	if k.Start {
		w.Sneak = true
	}
	if k.Stop {
		w.Sneak = false
	}
	speed := float32(0.098)
	if w.Sneak {
		speed = 0.0294
	}
	w.North += speed
	return w
}

func applyOrder(w walker, o serverOrder) walker {
	if o.Place != nil {
		w.East, w.North = o.Place.East, o.Place.North
	}
	if o.Sneak != nil {
		w.Sneak = *o.Sneak
	}
	return w
}

// authority is the server. It simulates each input when the input arrives, compares the result with the client's state, and
// corrects differences. After a correction it sends no further correction until the client has agreed once.
type authority struct {
	step        func(walker, keys) walker
	threshold   float64
	now         walker
	tick        uint64
	claimed     walker
	mismatch    float64
	outstanding bool
	corrections int
	afterStep   func(*authority) bool // changes the walker after a step; returns whether it has changed the walker
}

func (j *authority) process(c inputClaim) (correction *serverOrder) {
	j.tick, j.claimed = c.Tick, c.State
	j.now = j.step(j.now, c.Keys)
	j.mismatch = math.Hypot(float64(j.now.East-c.State.East), float64(j.now.North-c.State.North))
	if j.mismatch <= j.threshold && c.Tick > firstTick {
		j.outstanding = false
	}
	forced := j.afterStep != nil && j.afterStep(j)
	if j.outstanding || !forced && j.mismatch <= j.threshold {
		return nil
	}
	j.outstanding = true
	j.corrections++
	place := j.now
	return &serverOrder{Tick: j.tick, Place: &place}
}

// rig connects a client and a server.
type rig struct {
	t        *testing.T
	frame    int // frame of the client; the server's frame at the same time is lower by two
	client   *History[walker, keys, serverOrder]
	server   authority
	up, down *netsim.Path
	replay   Rewind // result of Reconcile in this frame
	sent     []serverOrder
}

func newRig(t *testing.T, step func(walker, keys) walker, start walker) *rig {
	r := &rig{t: t, client: New(40, inPlace(step), applyOrder, Equal[walker]), server: authority{step: step, now: start, threshold: 0.001}}
	r.client.Reset(firstTick-1, start)
	r.up = netsim.NewPath(netsim.Impairment{DelayMS: delayMS}, 1)
	r.down = netsim.NewPath(netsim.Impairment{DelayMS: delayMS}, 2)
	return r
}

// runFrame runs one frame: the client receives packets, reconciles, steps and sends; then the server, two frames behind,
// calls before and processes what has arrived.
func (r *rig) runFrame(k keys, before func(*authority) *serverOrder) {
	now := uint32(r.frame * frameMS)
	for b, ok := r.down.Receive(now); ok; b, ok = r.down.Receive(now) {
		o := decode[serverOrder](r.t, b)
		r.client.Add(o.Tick, o)
	}
	r.replay = r.client.Reconcile()
	said := *r.client.Step(k)
	r.up.Send(now, encode(r.t, inputClaim{r.client.Tick(), k, said}))
	if before != nil {
		r.send(now, before(&r.server))
	}
	for b, ok := r.up.Receive(now); ok; b, ok = r.up.Receive(now) {
		r.send(now, r.server.process(decode[inputClaim](r.t, b)))
	}
	r.frame++
}

func (r *rig) send(now uint32, o *serverOrder) {
	if o != nil {
		r.sent = append(r.sent, *o)
		r.down.Send(now, encode(r.t, *o))
	}
}

func encode(t *testing.T, v any) []byte {
	t.Helper()
	b, err := json.Marshal(v)
	if err != nil {
		t.Fatal(err)
	}
	return b
}

func decode[T any](t *testing.T, b []byte) (v T) {
	t.Helper()
	if err := json.Unmarshal(b, &v); err != nil {
		t.Fatal(err)
	}
	return v
}

// sneakRow has the expected sneak states in a pair of frames: the client's with and without a tick in the actor data, and the server's.
type sneakRow struct {
	Frames  [2]int `json:"frames"`
	Without bool   `json:"client_sneak_without_tick"`
	With    bool   `json:"client_sneak_with_tick"`
	Server  bool   `json:"server_sneak"`
}

type scenarios struct {
	Knockback struct {
		Rows []struct {
			ClientFrame int                   `json:"client_frame"`
			ClientAfter [2]float32            `json:"client_after"`
			ServerFrame *int                  `json:"server_frame"`
			ServerAfter [2]float32            `json:"server_after"`
			ClientSaid  [2]float32            `json:"client_said"`
			Replay      map[uint64][2]float32 `json:"replay"`
			InSync      bool                  `json:"in_sync"`
		} `json:"rows"`
		Corrections int `json:"corrections_sent"`
	} `json:"A-2_knockback"`
	Sneak struct {
		Start          int        `json:"start_sneak_client_frame"`
		Stop           int        `json:"stop_sneak_client_frame"`
		Flush          int        `json:"server_flush_frame"`
		Rows           []sneakRow `json:"rows"`
		FirstMismatch  [2]int     `json:"without_tick_first_mismatch_frames"`
		WithMismatches int        `json:"with_tick_mismatches"`
		PacketTick     uint64     `json:"with_tick_packet_tick"`
	} `json:"A-1_sneak"`
}

func loadScenarios(t *testing.T) scenarios {
	t.Helper()
	b, err := os.ReadFile("testdata/scenarios.json")
	if err != nil {
		t.Fatal(err)
	}
	return decode[scenarios](t, b)
}

// Scenario A-2 of docs/wire/bedrock.md: a force that only the server knows moves the player one block east. The server sends
// one correction, and both sides agree at client frame 6, server frame 4.
func TestKnockbackUnknownToClientCausesOneCorrection(t *testing.T) {
	s := loadScenarios(t).Knockback
	r := newRig(t, constant, walker{North: -1})
	r.server.afterStep = func(j *authority) bool {
		if j.tick != firstTick {
			return false
		}
		j.now.East++
		return true
	}
	place := func(w walker) [2]float32 { return [2]float32{w.East, w.North} }
	for _, row := range s.Rows {
		if r.frame != row.ClientFrame {
			t.Fatalf("table row is for frame %d, rig is at frame %d", row.ClientFrame, r.frame)
		}
		r.runFrame(keys{}, nil)
		if got := place(r.client.State()); got != row.ClientAfter {
			t.Errorf("frame %d: client at %v, want %v", row.ClientFrame, got, row.ClientAfter)
		}
		if want := len(row.Replay) > 0; r.replay.Happened() != want {
			t.Errorf("frame %d: replay %+v, want %v", row.ClientFrame, r.replay, want)
		}
		for frame, want := range row.Replay {
			if _, got, _ := r.client.At(frame + firstTick); place(got) != want {
				t.Errorf("frame %d: replay of %d gives %v, want %v", row.ClientFrame, frame, place(got), want)
			}
		}
		if row.ServerFrame == nil {
			continue
		}
		if got := int(r.server.tick) - firstTick; got != *row.ServerFrame {
			t.Fatalf("frame %d: server is at %d, want %d", row.ClientFrame, got, *row.ServerFrame)
		}
		if place(r.server.claimed) != row.ClientSaid || place(r.server.now) != row.ServerAfter {
			t.Errorf("frame %d: client sent %v, server has %v, want %v and %v",
				row.ClientFrame, place(r.server.claimed), place(r.server.now), row.ClientSaid, row.ServerAfter)
		}
		if row.InSync && r.server.mismatch != 0 {
			t.Errorf("frame %d: differ by %v, want in sync", row.ClientFrame, r.server.mismatch)
		}
	}
	for range 20 {
		r.runFrame(keys{}, nil)
		if r.server.mismatch != 0 {
			t.Errorf("frame %d: out of sync again", r.frame)
		}
	}
	if r.server.corrections != s.Corrections {
		t.Errorf("%d corrections, want %d", r.server.corrections, s.Corrections)
	}
	if st := r.client.Stats(); st.Rewinds != 1 || st.Replayed != 3 || st.Visible != 1 {
		t.Errorf("statistics %+v", st)
	}
}

// runSneak runs the scenario of the sneaking walker. If timed is true, the actor data that the server sends contain the tick to which they
// belong.
func runSneak(t *testing.T, timed bool, each func(r *rig, row int, sneak [2]bool)) *rig {
	s := loadScenarios(t).Sneak
	r := newRig(t, sneaking, walker{})
	flush := func(j *authority) *serverOrder {
		if r.frame-2 != s.Flush {
			return nil
		}
		sneak, o := j.now.Sneak, serverOrder{}
		if o.Sneak = &sneak; timed {
			o.Tick = j.tick
		}
		return &o
	}
	for frame := 0; frame < 40; frame++ {
		r.runFrame(keys{Start: frame == s.Start, Stop: frame == s.Stop}, flush)
		row := slices.IndexFunc(s.Rows, func(row sneakRow) bool { return row.Frames[0] == frame })
		each(r, row, [2]bool{r.client.State().Sneak, r.server.now.Sneak})
	}
	return r
}

// Scenario A-1a of docs/wire/bedrock.md: actor data without a tick undo later inputs of the client. The two sides disagree
// from client frame 9, server frame 7 on.
func TestActorDataPacketWithoutTickMakesClientAndServerPositionsDiffer(t *testing.T) {
	s := loadScenarios(t).Sneak
	first := -1
	r := runSneak(t, false, func(r *rig, row int, sneak [2]bool) {
		if row >= 0 {
			if want := [2]bool{s.Rows[row].Without, s.Rows[row].Server}; sneak != want {
				t.Errorf("frames %v: client and server sneak %v, want %v", s.Rows[row].Frames, sneak, want)
			}
		}
		if first < 0 && r.server.mismatch != 0 {
			first = r.frame - 1
			if got := [2]int{first, first - 2}; got != s.FirstMismatch {
				t.Errorf("first mismatch at frames %v, want %v", got, s.FirstMismatch)
			}
			if math.Abs(r.server.mismatch-0.0686) > 1e-6 {
				t.Errorf("differ by %v, want 0.0686", r.server.mismatch)
			}
		}
	})
	if first < 0 || r.server.corrections == 0 {
		t.Error("no mismatch without a tick")
	}
	if st := r.client.Stats(); st.Untimed != 1 {
		t.Errorf("statistics %+v", st)
	}
}

// Scenario A-1b of docs/wire/bedrock.md: actor data with their tick are applied at that tick; the replay changes
// nothing and no correction is sent.
func TestActorDataPacketWithTickKeepsClientAndServerPositionsEqual(t *testing.T) {
	s := loadScenarios(t).Sneak
	mismatches, replays := 0, 0
	former := map[uint64]walker{}
	r := runSneak(t, true, func(r *rig, row int, sneak [2]bool) {
		if row >= 0 {
			if want := [2]bool{s.Rows[row].With, s.Rows[row].Server}; sneak != want {
				t.Errorf("frames %v: client and server sneak %v, want %v", s.Rows[row].Frames, sneak, want)
			}
		}
		if r.server.mismatch != 0 {
			mismatches++
		}
		if r.replay.Happened() {
			replays++
			if want := (Rewind{To: s.PacketTick, Replayed: 4}); r.replay != want || r.frame-1 != 7 {
				t.Errorf("frame %d: %+v, want %+v in frame 7", r.frame-1, r.replay, want)
			}
			for tick, sneak := range map[uint64]bool{102: true, 103: true, 104: false, 105: false, 106: false} {
				if _, got, _ := r.client.At(tick); got.Sneak != sneak || got != former[tick] {
					t.Errorf("after the replay of %d: %+v, want %+v", tick, got, former[tick])
				}
			}
		}
		former[r.client.Tick()] = r.client.State()
	})
	if mismatches != s.WithMismatches || r.server.corrections != 0 || replays != 1 {
		t.Errorf("%d mismatches, %d corrections, %d replays, want %d, 0 and 1", mismatches, r.server.corrections, replays, s.WithMismatches)
	}
	if len(r.sent) != 1 || r.sent[0].Tick != s.PacketTick {
		t.Errorf("server sent %+v, want one with tick %d", r.sent, s.PacketTick)
	}
	if st := r.client.Stats(); st.Unchanged != 1 || st.Visible != 0 {
		t.Errorf("statistics %+v", st)
	}
}
