package console

import (
	"context"
	"errors"
	"io"
	"runtime"
	"sync"
	"time"

	"github.com/coder/websocket"

	"github.com/truestep-io/truestep/journal"
	"github.com/truestep-io/truestep/sim"
	"github.com/truestep-io/truestep/tape"
)

// Limits of the number of open maps that show the recorded past. For each such map the server simulates the ticks of an area
// again, which takes CPU time from the running world.
const (
	maxPastMaps            = 8 // maximum number of open maps of recordings, for all operators together
	maxPastMapsPerOperator = 3 // maximum number of open maps of recordings per operator
)

// pastSlots limits how many maps of the past simulate ticks at the same time: half the number of CPUs, at least one. A map sends
// a value to the channel before it simulates ticks, and receives one afterwards.
var pastSlots = make(chan struct{}, max(1, runtime.GOMAXPROCS(0)/2))

// past is the console's state for showing the recorded past: which maps and which playbacks of the tape are open.
type past struct {
	maps quota[string]  // open maps that show the past, by operator
	busy sync.WaitGroup // goroutines of these maps

	mu   sync.Mutex
	open map[sim.AreaID]*tape.Playback // playbacks for GET /tape, kept open because they cache the index of an area's files
}

// close waits until all maps that show the past have ended, and then closes the playbacks. If ctx ends first, for example because
// a disk does not answer, close returns, and the playbacks are closed later in the background.
func (p *past) close(ctx context.Context) {
	ended := make(chan struct{})
	go func() {
		defer close(ended)
		p.busy.Wait()
		p.mu.Lock()
		defer p.mu.Unlock()
		for _, playback := range p.open {
			playback.Close()
		}
		p.open = nil
	}()
	select {
	case <-ended:
	case <-ctx.Done():
	}
}

// pastHello is the first message of a map that shows the recorded past.
type pastHello struct {
	Type     string     `json:"type"`     // always "hello"
	Area     sim.AreaID `json:"area"`     // id of the area that the map shows
	Rate     int        `json:"rate"`     // broadcasts per second
	TickRate int        `json:"tickRate"` // ticks per second of the world
	TickMS   float64    `json:"tickMs"`   // time between two ticks, ms
	From     int64      `json:"from"`     // start of the recording, in ms since 1970
	To       int64      `json:"to"`       // end of the recording, in ms since 1970
}

// pastState is the message with the state of a playback: its time, its speed, and whether it is playing.
type pastState struct {
	Type    string   `json:"type"`    // always "state"
	At      int64    `json:"at"`      // time of the tick that is shown, in ms since 1970
	Tick    sim.Tick `json:"tick"`    // number of the tick that is shown
	Playing bool     `json:"playing"` // the playback is running; false if it is paused or ended
	Speed   float64  `json:"speed"`   // speed of the playback; 1 is real time
	End     bool     `json:"end"`     // the end of the recording is reached
	Gap     *gapBody `json:"gap"`     // gap in the recording that was skipped; null for none
}

// gapBody is a gap in the recording: a time without recorded ticks, or a reload of the world file.
type gapBody struct {
	From     int64 `json:"from"`     // start of the gap, in ms since 1970
	To       int64 `json:"to"`       // end of the gap, in ms since 1970
	Reloaded bool  `json:"reloaded"` // the world file was reloaded between From and To, so no tick is missing
}

// pastReset tells the client that the recorded time jumps, and that the next messages describe all actors again.
type pastReset struct {
	Type string `json:"type"` // always "reset"
}

// pastError tells the client why the map ends.
type pastError struct {
	Type    string `json:"type"`    // always "error"
	Message string `json:"message"` // the reason, as a text for people
}

var errTooManyPastMaps = &apiError{429, codeThrottled, "too many maps show the past: close one"}

// showPast handles GET /past, the WebSocket that plays the recorded past of an area.
func (k *call) showPast() (any, error) {
	ask, err := k.parseQuery("area", "at", "rate")
	if err != nil {
		return nil, err
	}
	where, err := k.findRequiredArea(ask.Get("area"))
	if err != nil {
		return nil, err
	}
	if ask.Get("at") == "" {
		return nil, badRequest(`"at" is missing: a time in ms since 1970`)
	}
	at, err := parseNumber(ask, "at", 0, 0, maxUnixMS)
	if err != nil {
		return nil, err
	}
	most := int64(k.World.Def().TicksPerSecond)
	rate, err := parseNumber(ask, "rate", min(defaultRate, most), 1, most)
	if err != nil {
		return nil, err
	}
	if k.OpenPast == nil {
		return nil, notFound("the past is not recorded: the server's tape is off")
	}
	k.past.busy.Add(1)
	defer k.past.busy.Done()
	if !k.past.maps.acquire(k.caller.name, maxPastMaps, maxPastMapsPerOperator) {
		return nil, errTooManyPastMaps
	}
	defer k.past.maps.release(k.caller.name)
	playback, err := k.OpenPast(where)
	if err != nil {
		return nil, err
	}
	defer playback.Close()
	return k.upgrade(pastReadPerSecond, func(conn *websocket.Conn) {
		p := &pastMap{call: k, conn: conn, playback: playback, area: where, rate: int(rate), speed: 1, queue: newPastQueue()}
		p.reset()
		p.serve(time.UnixMilli(at))
	})
}

// findRequiredArea returns the area with a name or id from the query. It is an error if name is empty.
func (k *call) findRequiredArea(name string) (sim.AreaID, error) {
	if name == "" {
		return 0, badRequest(`"area" is missing`)
	}
	return k.findArea("area", name)
}

// pastMap plays the recorded past of an area for one viewer. One goroutine does everything except reading the viewer's commands. If
// the viewer reads slowly, that goroutine waits and simulates no ticks.
type pastMap struct {
	*call
	conn     *websocket.Conn
	playback *tape.Playback
	area     sim.AreaID
	rate     int // broadcasts per second
	queue    *pastQueue

	group   *viewerGroup // encodes frames for the viewer
	viewer  *viewer
	playing bool      // the playback is running
	speed   float64   // playback speed; 1 is real time
	end     bool      // the end of the recording is reached
	gap     *gapBody  // gap in the recording that the last step skipped; nil for none
	toldAt  time.Time // time of the last state message

	from   time.Time // time at which playing began, or continued after a jump
	fromAt time.Time // recorded time that the map showed at the time in the field from
}

// errPastEnded ends a map of the recorded past without a message to its viewer: the viewer has disconnected, or has already been
// sent the reason.
var errPastEnded = errors.New("the map of the recorded past has ended")

// serve plays the recording until the connection ends or must be closed. The parameter at is the recorded time from which it
// plays.
func (p *pastMap) serve(at time.Time) {
	gone, cancel := context.WithCancel(context.Background())
	defer p.abortOnStop(gone)()
	defer cancel()
	p.conn.SetReadLimit(maxCommandBytes)
	refused := make(chan string, 1)
	go func() {
		if why := p.queue.read(gone, p.conn); why != "" {
			refused <- why
			return
		}
		cancel()
	}()
	if err := p.begin(gone, at); err != nil {
		p.fail(gone, err)
		return
	}
	frames := time.NewTicker(time.Second / time.Duration(p.rate))
	defer frames.Stop()
	pings := time.NewTicker(p.pingInterval)
	defer pings.Stop()
	var beat chan bool
	for {
		var due <-chan time.Time
		if p.playing {
			due = frames.C
		}
		var err error
		select {
		case <-gone.Done():
			return
		case why := <-refused:
			p.closeMap(p.conn, websocket.StatusPolicyViolation, why)
			return
		case <-p.stopping:
			p.closeMap(p.conn, websocket.StatusGoingAway, "the server is stopping")
			return
		case alive := <-beat:
			if beat = nil; !alive {
				return
			}
		case <-pings.C:
			if !p.auth.stillValid(&p.caller) {
				p.closeMap(p.conn, closeLoginEnded, "the login has ended")
				return
			}
			if beat == nil {
				beat = make(chan bool, 1)
				go p.ping(gone, p.conn, beat)
			}
		case <-p.queue.wake:
			for c, ok := p.queue.next(); ok && err == nil; c, ok = p.queue.next() {
				err = p.carryOut(gone, &c)
			}
		case <-due:
			err = p.advance(gone, time.Now())
		}
		if err != nil {
			p.fail(gone, err)
			return
		}
	}
}

// fail sends the viewer the error because of which the map of the past ends, and closes the connection. It does nothing for
// errPastEnded, because the viewer has then disconnected or been sent the reason.
func (p *pastMap) fail(ctx context.Context, err error) {
	if errors.Is(err, errPastEnded) {
		return
	}
	p.write(ctx, pastError{"error", err.Error()})
	p.closeMap(p.conn, websocket.StatusInternalError, "the tape cannot be read there")
}

// write sends the viewer a message, encoded as JSON.
func (p *pastMap) write(ctx context.Context, message any) error {
	if !p.send(ctx, p.conn, []textMessage{encodeMessage(message)}, nil) {
		return errPastEnded
	}
	return nil
}

// begin sends the hello message and shows the recorded time at. As after every jump, it sends a reset, the frame at that time,
// and the state of the playback.
func (p *pastMap) begin(ctx context.Context, at time.Time) error {
	spans, err := p.playback.Spans()
	if err != nil {
		return err
	}
	if len(spans) == 0 {
		return errors.New("no tick of this area is recorded")
	}
	hello := pastHello{"hello", p.area, p.rate, p.World.Def().TicksPerSecond, p.tickMS(), spans[0].From.UnixMilli(), spans[len(spans)-1].To.UnixMilli()}
	if err := p.write(ctx, hello); err != nil {
		return err
	}
	return p.jump(ctx, at)
}

// carryOut executes a command of the viewer.
func (p *pastMap) carryOut(ctx context.Context, c *pastCommand) error {
	switch c.Do {
	case doSeek:
		return p.jump(ctx, time.UnixMilli(c.At))
	case doPlay:
		p.playing, p.speed = true, c.Speed
		p.restartClock(time.Now())
	case doPause:
		p.playing = false
	case doStep:
		p.playing = false
		if c.Ticks < 0 { // seek half a tick past the wanted tick, because ticks are not exactly one interval apart
			back := time.Duration((float64(c.Ticks) + 0.5) * p.tickMS() * float64(time.Millisecond))
			return p.jump(ctx, p.playback.Time().Add(back))
		}
		return p.stepForward(ctx, c.Ticks)
	}
	return p.tell(ctx)
}

// restartClock stores the present time, the parameter now, and the recorded time that is shown. From both, the map computes
// which recorded time is due later.
func (p *pastMap) restartClock(now time.Time) { p.from, p.fromAt = now, p.playback.Time() }

// jump moves the playback to another time, and sends a reset, the frame at that time, and the state of the playback.
func (p *pastMap) jump(ctx context.Context, at time.Time) error {
	if err := inPastSlot(ctx, func() error { return p.playback.Seek(at) }); err != nil {
		return err
	}
	p.end, p.gap = false, nil
	p.reset()
	p.restartClock(time.Now())
	if err := p.write(ctx, pastReset{"reset"}); err != nil {
		return err
	}
	if err := p.show(ctx); err != nil {
		return err
	}
	return p.tell(ctx)
}

// reset forgets which actors the viewer has been told about, so that the next frame is sent with a complete list of actors.
func (p *pastMap) reset() {
	p.group = &viewerGroup{rate: p.rate, perSecond: p.World.Def().TicksPerSecond}
	p.viewer = newViewer()
	p.group.addViewer(p.viewer)
}

// inPastSlot calls step while it holds one of the places in pastSlots. It waits until a place is free, and returns errPastEnded
// if ctx ends first.
func inPastSlot(ctx context.Context, step func() error) error {
	select {
	case pastSlots <- struct{}{}:
	case <-ctx.Done():
		return errPastEnded
	}
	defer func() { <-pastSlots }()
	return step()
}

// step plays one tick of the recording and queues messages about the events of that tick. If the recording has a gap before the
// tick, step continues after the gap. It then makes the viewer forget all actors.
func (p *pastMap) step() error {
	err := p.playback.Step()
	if gap, ok := errors.AsType[*tape.GapError](err); ok {
		p.gap = &gapBody{gap.From.UnixMilli(), gap.To.UnixMilli(), gap.Reloaded}
		p.reset()
		err = p.playback.Step()
	}
	if err != nil {
		return err
	}
	f, at := p.playback.Frame(), p.playback.Time()
	for i := range f.Events {
		e := &f.Events[i]
		switch e.Kind {
		case sim.EventAttacked:
			p.group.addHit(e, at)
		case sim.EventDied:
			p.group.addDeath(e, at)
		}
		if entry, ok := journal.EntryOf(p.World.Def(), f, e, at); ok {
			p.group.addMessage(&p.group.entryLimit, maxEntriesPerSecond, at, func() any { return entryMessage{"entry", entry} })
		}
	}
	return nil
}

// stepForward plays a number of ticks at once and shows the last frame.
func (p *pastMap) stepForward(ctx context.Context, ticks int) error {
	group := p.group
	p.gap = nil
	err := inPastSlot(ctx, func() error {
		for range ticks {
			if err := p.step(); err != nil {
				return err
			}
		}
		return nil
	})
	return p.showSteps(ctx, group, err)
}

// advance plays the recording up to the tick that is due. If that takes longer than half of the time between two frames, it stops
// at an earlier tick, so that playing slows down.
func (p *pastMap) advance(ctx context.Context, now time.Time) error {
	group, tick := p.group, time.Duration(p.tickMS()*float64(time.Millisecond))
	due := p.fromAt.Add(time.Duration(float64(now.Sub(p.from)) * p.speed))
	if p.playback.Time().Add(tick).After(due) {
		return nil
	}
	p.gap = nil
	err := inPastSlot(ctx, func() error {
		limit := time.Now().Add(time.Second / time.Duration(2*p.rate))
		for !p.playback.Time().Add(tick).After(due) {
			if err := p.step(); err != nil {
				return err
			}
			if p.group != group || time.Now().After(limit) {
				p.restartClock(now)
				return nil
			}
		}
		return nil
	})
	if errors.Is(err, io.EOF) {
		p.playing = false
	}
	if err := p.showSteps(ctx, group, err); err != nil {
		return err
	}
	if p.playing && p.gap == nil && now.Sub(p.toldAt) < time.Second {
		return nil
	}
	return p.tell(ctx)
}

// showSteps sends the viewer the frame that the playback has reached after one or more steps. The parameter err is the error of
// the last step. The parameter group is p.group as it was before the steps. If p.group is another one now, the recording had a
// gap, and the viewer is first told to forget all actors.
func (p *pastMap) showSteps(ctx context.Context, group *viewerGroup, err error) error {
	if p.end = errors.Is(err, io.EOF); err != nil && !p.end {
		return err
	}
	if p.group != group {
		if err := p.write(ctx, pastReset{"reset"}); err != nil {
			return err
		}
	}
	if err := p.show(ctx); err != nil || p.playing {
		return err
	}
	return p.tell(ctx)
}

// show sends the current frame of the playback.
func (p *pastMap) show(ctx context.Context) error {
	f := p.playback.Frame()
	p.group.broadcast(f, p.playback.Time(), func(id sim.EntityID) string { return p.doorInPast(f, id) })
	texts, buffer, _ := p.viewer.dequeue(nil)
	if !p.send(ctx, p.conn, texts, buffer) {
		return errPastEnded
	}
	return nil
}

// doorInPast returns the door of a player that was in the recorded frame and is in the world now. For any other player it returns
// "", because a tape does not contain the doors of players.
func (p *pastMap) doorInPast(f *sim.Frame, id sim.EntityID) string {
	now, ok := p.Hub.Player(id)
	if a := f.Find(id); !ok || a == nil || a.Body.Name != now.Name {
		return ""
	}
	return now.Door
}

// tell sends the viewer the state of the playback.
func (p *pastMap) tell(ctx context.Context) error {
	p.toldAt = time.Now()
	return p.write(ctx, pastState{"state", p.playback.Time().UnixMilli(), p.playback.Tick(), p.playing, p.speed, p.end, p.gap})
}
