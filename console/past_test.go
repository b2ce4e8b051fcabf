package console

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"net/http"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/coder/websocket"

	"github.com/truestep-io/truestep/area"
	"github.com/truestep-io/truestep/sim"
	"github.com/truestep-io/truestep/sim/geom"
	"github.com/truestep-io/truestep/sim/move"
	"github.com/truestep-io/truestep/tape"
)

// recording is a recorded tape, with the states of the area at the time of recording as expected values.
type recording struct {
	dir   string
	at    []time.Time // time of each tick; the first is that of tick 1
	where []map[sim.EntityID]geom.Vec
}

func recordingOptions(dir string) tape.Options {
	return tape.Options{Dir: dir, World: defaultWorld(), Program: "test", Seed: 1, SegmentTicks: 100, Retain: tape.Retain{Age: time.Hour, Bytes: 1 << 30}}
}

// record records ticks of area 0, in which Ann walks east and at tick 200 claims to be far away, and closes the tape cleanly.
func record(t testing.TB, dir string, ticks int) *recording {
	t.Helper()
	o := recordingOptions(dir)
	written, err := tape.Open(o)
	if err != nil {
		t.Fatal(err)
	}
	logs := make([]area.Log, len(o.World.Areas))
	for i := range logs {
		logs[i], _ = written.OpenArea(sim.AreaID(i))
	}
	a, log := sim.NewArea(o.World, 0, o.Seed), logs[0]
	rec := &recording{dir: dir}
	hash := uint64(0)
	var f *sim.Frame
	for tick := 1; tick <= ticks; tick++ {
		time.Sleep(50 * time.Millisecond)
		var intents []sim.Intent
		switch {
		case tick == 1:
			intents = []sim.Intent{annJoins(o.World)}
		case tick == 200:
			intents = []sim.Intent{{Kind: sim.IntentClaim, Who: 1, AtMS: int64(tick) * 50, Claim: move.Claim{X: 3000, Z: 3000}}}
		case tick%4 == 0 && tick < 200:
			x := float32(tick) * 0.05
			intents = []sim.Intent{{Kind: sim.IntentClaim, Who: 1, AtMS: int64(tick) * 50, Claim: move.Claim{X: x, DestX: x + 5}}}
		}
		rec.at = append(rec.at, time.UnixMilli(time.Now().UnixMilli()))
		log.Seal(area.Batch{Tick: a.Now() + 1, PrevHash: hash, Intents: intents})
		a.Recycle(f)
		f = a.Step(intents)
		hash = f.Hash
		log.Commit()
		if memory := log.SnapshotBuffer(); memory != nil {
			a.CloneInto(memory)
			log.Snapshot(memory)
		}
		where := map[sim.EntityID]geom.Vec{}
		for i := range f.Actors {
			where[f.Actors[i].ID] = f.Actors[i].Pos
		}
		rec.where = append(rec.where, where)
	}
	for _, log := range logs {
		err = errors.Join(err, log.Close(true))
	}
	if err := errors.Join(err, written.Close()); err != nil {
		t.Fatal(err)
	}
	return rec
}

func annJoins(w *sim.World) sim.Intent {
	join := sim.Join{Portal: -1, Login: true}
	for i := range w.Templates {
		if tmpl := &w.Templates[i]; tmpl.Playable {
			join.Character = &sim.Character{ID: 1, Name: "Ann", Template: tmpl.ID, Level: 1, Attr: tmpl.Attr}
			break
		}
	}
	return sim.Intent{Kind: sim.IntentJoin, Who: 1, Join: &join}
}

// showing returns a function that changes a harness so that its console plays the recordings in a folder.
func showing(dir string) func(*harness) {
	return func(r *harness) {
		r.OpenPast = func(id sim.AreaID) (*tape.Playback, error) { return tape.OpenPlayback(recordingOptions(dir), id) }
	}
}

// pastClient is a client of GET /past.
type pastClient struct {
	*harness
	ctx context.Context
	*websocket.Conn
	rec *recording // recording whose content the received frames must show; nil for no check
}

// pastText is any text message of GET /past.
type pastText struct {
	Type          string
	At            int64
	Tick          sim.Tick
	Playing, End  bool
	Speed, TickMS float64
	Gap           *gapBody
	From, To      int64
	Message       string
	Add           []rosterActor
	Entry         struct {
		Verdict, Player string
		Tick            sim.Tick
	}
}

func (r *harness) dialPast(ctx context.Context, role Role, query string) (*websocket.Conn, *http.Response, error) {
	header := http.Header{"Authorization": {"Bearer " + r.tokens[role]}}
	return websocket.Dial(ctx, r.url+apiBase+"/past?"+query, &websocket.DialOptions{HTTPHeader: header, HTTPClient: &http.Client{Transport: r.transport}})
}

func (r *harness) openPast(at time.Time, rec *recording) *pastClient {
	r.t.Helper()
	ctx, cancel := context.WithTimeout(context.Background(), waitLimit)
	c, _, err := r.dialPast(ctx, Viewer, fmt.Sprintf("area=0&rate=20&at=%d", at.UnixMilli()))
	if err != nil {
		cancel()
		r.t.Fatal(err)
	}
	c.SetReadLimit(8 << 20)
	r.t.Cleanup(func() { c.CloseNow(); cancel() })
	return &pastClient{r, ctx, c, rec}
}

func (p *pastClient) ask(command string) {
	p.t.Helper()
	if err := p.Write(p.ctx, websocket.MessageText, []byte(command)); err != nil {
		p.t.Fatal(err)
	}
}

// until reads messages until accept returns true for one, and compares each frame with the recorded state.
func (p *pastClient) until(accept func(m *pastText, f *LiveFrame) bool) {
	p.t.Helper()
	for {
		kind, b, err := p.Read(p.ctx)
		if err != nil {
			p.t.Fatalf("no connection: %v\n%s", err, p.log)
		}
		if kind == websocket.MessageText {
			m := new(pastText)
			if err := json.Unmarshal(b, m); err != nil {
				p.t.Fatalf("%v in %s", err, b)
			}
			if accept(m, nil) {
				return
			}
			continue
		}
		f, err := ParseLive(b, nil)
		if err != nil {
			p.t.Fatal(err)
		}
		p.compare(&f)
		if accept(nil, &f) {
			return
		}
	}
}

func (p *pastClient) compare(f *LiveFrame) {
	p.t.Helper()
	if p.rec == nil {
		return
	}
	if want := float64(p.rec.at[f.Tick-1].UnixMilli()); f.At != want {
		p.t.Errorf("tick %d is shown at %v, recorded at %v", f.Tick, f.At, want)
	}
	where := p.rec.where[f.Tick-1]
	if len(f.Actors) != len(where) {
		p.t.Errorf("tick %d: %d actors, recorded %d", f.Tick, len(f.Actors), len(where))
	}
	for i := range f.Actors {
		if a := &f.Actors[i]; a.Pos != where[a.ID] {
			p.t.Errorf("tick %d: actor %d at %v, recorded at %v", f.Tick, a.ID, a.Pos, where[a.ID])
		}
	}
}

// state reads up to the next state message, and returns it with the newest frame before it.
func (p *pastClient) state() (s pastText, last LiveFrame) {
	p.t.Helper()
	p.until(func(m *pastText, f *LiveFrame) bool {
		if f != nil {
			last = *f
		} else if m.Type == "state" {
			s = *m
		}
		return s.Type != ""
	})
	return s, last
}

func TestTapeCanBePlayedSteppedAndShownFromAnyTime(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	var rec *recording
	before := func(r *harness) { // records before the live world starts, because the ticks of a running world would take longer than the recording
		showing(dir)(r)
		rec = record(r.t, dir, 400)
	}
	inBubble(t, before, func(t *testing.T, r *harness) {
		p := r.openPast(rec.at[149].Add(20*time.Millisecond), rec)
		var order []string
		p.until(func(m *pastText, f *LiveFrame) bool {
			if f != nil {
				order = append(order, fmt.Sprint("frame ", f.Tick))
				return false
			}
			order = append(order, m.Type)
			switch m.Type {
			case "hello":
				if m.From > rec.at[0].UnixMilli() || m.To != rec.at[399].UnixMilli() || m.TickMS != 50 {
					t.Errorf("the hello message is %+v", m)
				}
			case "actors":
				if m.Add[0].Name != "Ann" || !m.Add[0].Player || len(m.Add) != len(rec.where[149]) {
					t.Errorf("the added actors are %+v", m.Add)
				}
			}
			return m.Type == "state"
		})
		if got := strings.Join(order, ", "); got != "hello, reset, actors, frame 150, state" {
			t.Error(got)
		}

		p.ask(`{"do": "play", "speed": 4}`)
		began, held := time.Now(), false
		p.until(func(m *pastText, f *LiveFrame) bool {
			if m != nil && m.Type == "entry" {
				held = m.Entry.Verdict == "held" && m.Entry.Player == "Ann" && m.Entry.Tick == 200
			}
			return f != nil && f.Tick >= 250
		})
		if took := time.Since(began); took < 1200*time.Millisecond || took > 1400*time.Millisecond || !held {
			t.Errorf("100 ticks at 4 times the speed took %v; entry of the hold: %v", took, held)
		}
		p.ask(`{"do": "pause"}`)
		var at sim.Tick
		for s, _ := p.state(); ; s, _ = p.state() {
			if at = s.Tick; !s.Playing {
				break
			}
		}
		for _, c := range []struct {
			ticks int
			want  sim.Tick
		}{{1, at + 1}, {-1, at}, {20, at + 20}, {-20, at}} {
			p.ask(fmt.Sprintf(`{"do": "step", "ticks": %d}`, c.ticks))
			if s, f := p.state(); s.Tick != c.want || f.Tick != c.want || s.Playing {
				t.Errorf("%d ticks from %d: %+v, frame %d", c.ticks, at, s, f.Tick)
			}
		}

		p.ask(fmt.Sprintf(`{"do": "seek", "at": %d}`, rec.at[9].UnixMilli()))
		if s, f := p.state(); s.Tick != 10 || f.Tick != 10 || s.At != rec.at[9].UnixMilli() {
			t.Errorf("%+v, frame %d", s, f.Tick)
		}
		p.ask(fmt.Sprintf(`{"do": "seek", "at": %d}`, rec.at[395].UnixMilli()))
		p.ask(`{"do": "play", "speed": 0.25}`)
		var s pastText
		for s, _ = p.state(); !s.End; s, _ = p.state() {
		}
		if s.Tick != 400 || s.Playing {
			t.Errorf("at the end: %+v", s)
		}
	})
}

func TestPlaybackSkipsGapInRecording(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	var first, second *recording
	before := func(r *harness) { // records before the live world starts, because the ticks of a running world would take longer than the recordings
		showing(dir)(r)
		first = record(r.t, dir, 50)
		time.Sleep(time.Minute)
		second = record(r.t, dir, 50)
	}
	inBubble(t, before, func(t *testing.T, r *harness) {
		p := r.openPast(first.at[40], nil)
		p.state()
		p.ask(`{"do": "play", "speed": 16}`)
		reset := false
		p.until(func(m *pastText, _ *LiveFrame) bool {
			reset = reset || m != nil && m.Type == "reset"
			if m == nil || m.Type != "state" || m.Gap == nil {
				return false
			}
			if m.Gap.From != first.at[49].UnixMilli() || m.Gap.To > second.at[0].UnixMilli() || m.Gap.To < m.Gap.From+59_000 || !reset || !m.Playing {
				t.Errorf("%+v, gap %+v, reset %v", m, m.Gap, reset)
			}
			return true
		})
		b := get[tapeBody](r, Viewer, "/tape?area=0")
		if !b.Recording || len(b.Spans) != 2 || b.TickMS != 50 || time.Time(*b.To).UnixMilli() != second.at[49].UnixMilli() || time.Time(b.Spans[1].From).Before(time.Time(b.Spans[0].To).Add(time.Minute)) {
			t.Errorf("the tape is %+v", b)
		}
	})
}

func TestConsoleWithoutLiveWorldShowsRecordingsOnly(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	inBubble(t, func(r *harness) { showing(dir)(r); r.NoLiveWorld, r.describedWorld().body.Live = true, false }, func(t *testing.T, r *harness) {
		rec := record(t, dir, 20)
		if a := r.call(Viewer, "GET", "/live?area=0", ""); a.status != 404 {
			t.Errorf("GET /live: %d %s", a.status, a.body)
		}
		if get[worldBody](r, Viewer, "/world").Live {
			t.Error("GET /world has a live world")
		}
		if s, f := r.openPast(rec.at[4], rec).state(); s.Tick != 5 || f.Tick != 5 {
			t.Errorf("%+v, frame %d", s, f.Tick)
		}
	})
}

func TestReplayRequestWithoutTapeOrAreaOrTimeOrLoginIsRefused(t *testing.T) {
	t.Parallel()
	inBubble(t, nil, func(t *testing.T, r *harness) {
		if b := get[tapeBody](r, Viewer, "/tape?area=0"); b.Recording || b.From != nil || len(b.Spans) != 0 {
			t.Errorf("the tape is %+v", b)
		}
		for path, want := range map[string]int{
			"/past?area=0&at=1": 404, "/past?area=0": 400, "/past?at=1": 400, "/past?area=99&at=1": 404, "/past?area=0&at=-1": 400,
			"/past?area=0&at=1&rate=21": 400, "/tape": 400, "/tape?area=nowhere": 404,
		} {
			if a := r.call(Viewer, "GET", path, ""); a.status != want {
				t.Errorf("GET %s: status %d, response %s, want status %d", path, a.status, a.body, want)
			}
		}
		for _, path := range []string{"/past?area=0&at=1", "/tape?area=0"} {
			if a := r.call(NoRole, "GET", path, ""); a.status != 401 {
				t.Errorf("%s without a login: %d", path, a.status)
			}
		}
	})
}

func TestNumberOfOpenReplaysIsLimitedPerOperatorAndInTotal(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	inBubble(t, showing(dir), func(t *testing.T, r *harness) {
		rec := record(t, dir, 20)
		query := fmt.Sprintf("area=0&at=%d", rec.at[0].UnixMilli())
		open := 0
		for _, role := range []Role{Viewer, Moderator, Admin} {
			for i := range maxPastMapsPerOperator + 1 {
				c, res, err := r.dialPast(t.Context(), role, query)
				switch {
				case err == nil:
					open++
					t.Cleanup(func() { c.CloseNow() })
				case res == nil || res.StatusCode != http.StatusTooManyRequests || i < maxPastMapsPerOperator && open < maxPastMaps:
					t.Errorf("%v, map %d: %v", role, i+1, err)
				}
			}
		}
		if open != maxPastMaps {
			t.Errorf("%d maps are open, want %d", open, maxPastMaps)
		}
	})
}

func TestReplayMapIsClosedAfterInvalidOrTooFrequentCommands(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	inBubble(t, showing(dir), func(t *testing.T, r *harness) {
		rec := record(t, dir, 20)
		for name, send := range map[string]func(p *pastClient) error{
			"not a command": func(p *pastClient) error { return p.Write(p.ctx, websocket.MessageText, []byte(`{"do": "rewind"}`)) },
			"binary":        func(p *pastClient) error { return p.Write(p.ctx, websocket.MessageBinary, []byte(`{"do": "pause"}`)) },
			"flood": func(p *pastClient) error {
				go func() { // floods the server until it closes the connection
					for p.Write(p.ctx, websocket.MessageText, []byte(`{"do": "pause"}`)) == nil {
					}
				}()
				return nil
			},
		} {
			p := r.openPast(rec.at[5], rec)
			p.state()
			if err := send(p); err != nil {
				t.Fatal(err)
			}
			var err error
			for err == nil {
				_, _, err = p.Read(p.ctx)
			}
			if code := websocket.CloseStatus(err); code != websocket.StatusPolicyViolation {
				t.Errorf("after %s, the connection ends with error %v", name, err)
			}
		}
	})
}

func TestReplayMapCommandsAreParsedAndInvalidOnesRefused(t *testing.T) {
	for text, want := range map[string]pastCommand{
		`{"do": "seek", "at": 1767323045678}`: {Do: doSeek, At: 1767323045678},
		`{"do": "play", "speed": 0.25}`:       {Do: doPlay, Speed: 0.25},
		`{"do": "pause"}`:                     {Do: doPause},
		`{"do": "step", "ticks": -20}`:        {Do: doStep, Ticks: -20},
	} {
		if c, err := parsePastCommand([]byte(text)); err != nil || c != want {
			t.Errorf("command %s is parsed as %+v, error %v", text, c, err)
		}
		for n := range len(text) {
			if c, err := parsePastCommand([]byte(text[:n])); err == nil {
				t.Errorf("the shortened command %s is parsed as %+v", text[:n], c)
			}
		}
	}
	for _, text := range []string{
		``, `null`, `[]`, `{}`, `{"do": "rewind"}`, `{"do": "play"}`, `{"do": "play", "speed": 3}`, `{"do": "step"}`, `{"do": "step", "ticks": 21}`,
		`{"do": "seek", "at": -1}`, `{"do": "seek", "at": 1e300}`, `{"do": "pause", "now": 1}`, `{"do": "pause"}{"do": "pause"}`,
	} {
		if c, err := parsePastCommand([]byte(text)); err == nil {
			t.Errorf("the invalid command %s is parsed as %+v", text, c)
		}
	}
}

// Only the newest of several waiting seeks is executed, so that the map follows the dragged time slider as fast as the server can.
func TestLaterSeekCommandReplacesQueuedSeekAndStepCommands(t *testing.T) {
	q := newPastQueue()
	for i, c := range []pastCommand{{Do: doSeek, At: 1}, {Do: doPlay, Speed: 1}, {Do: doStep, Ticks: 3}, {Do: doSeek, At: 2}, {Do: doSeek, At: 3}} {
		if !q.add(c, anyTime) {
			t.Fatal(i)
		}
	}
	var got []pastCommand
	for c, ok := q.next(); ok; c, ok = q.next() {
		got = append(got, c)
	}
	if len(got) != 2 || got[0].Do != doPlay || got[1].At != 3 {
		t.Errorf("the queued commands are %+v", got)
	}
}

func FuzzPastCommand(f *testing.F) {
	f.Add([]byte(`{"do": "seek", "at": 1767323045678}`))
	f.Add([]byte(`{"do": "play", "speed": 0.25}`))
	f.Add([]byte(`{"do": "step", "ticks": -20}`))
	f.Fuzz(func(t *testing.T, b []byte) {
		c, err := parsePastCommand(b)
		if err != nil {
			return
		}
		again, err := json.Marshal(c)
		if err != nil {
			t.Fatal(err)
		}
		if d, err := parsePastCommand(again); err != nil || d != c {
			t.Errorf("command %s is parsed as %+v, error %v, want %+v", again, d, err, c)
		}
	})
}

func TestConsoleCloseDoesNotWaitForSlowTapeRead(t *testing.T) {
	t.Parallel()
	for _, path := range []string{"/tape?area=0", "/past?area=0&at=1"} {
		inBubble(t, nil, func(t *testing.T, r *harness) {
			answers := make(chan struct{})
			r.OpenPast = func(sim.AreaID) (*tape.Playback, error) {
				<-answers
				return nil, errors.New("the disk answers late")
			}
			ctx, cancel := context.WithCancel(t.Context())
			asked := make(chan struct{})
			go func() {
				defer close(asked)
				if res, err := r.transport.RoundTrip(r.request(Viewer, "GET", path, "").WithContext(ctx)); err == nil {
					res.Body.Close()
				}
			}()
			synctest.Wait()
			began := time.Now()
			within, done := context.WithTimeout(context.Background(), consoleStopTime)
			defer done()
			if err := r.Close(within); err != nil && !errors.Is(err, context.DeadlineExceeded) {
				t.Error(err)
			}
			if took := time.Since(began); took > consoleStopTime+auditCloseTimeout {
				t.Errorf("%s: closed after %v", path, took)
			}
			close(answers)
			cancel()
			<-asked
		})
	}
}

// consoleStopTime is the time that the server gives the console to close.
const consoleStopTime = 300 * time.Millisecond
