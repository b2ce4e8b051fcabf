package bedrock

import (
	"fmt"
	"reflect"
	"slices"
	"strings"

	"github.com/truestep-io/truestep/sim"
	"github.com/truestep-io/truestep/sim/geom"
	"github.com/truestep-io/truestep/sim/move"
	"github.com/truestep-io/truestep/sim/reason"
)

// referee reads frames and finds the server's reason for each correction.
type checker struct {
	players map[sim.EntityID]*playerRecord
	names   map[string]*playerRecord
	client  func(name string, tick uint64) clientState
}

// memory is what a client has of its player.
type clientState struct {
	after        move.Avatar // a tick...
	known        bool        // ...if it remembers that
	lateNewsTick uint64      // tick at which news took effect for one that it had forgotten, the last time; 0 never
	knockbacks   int         // knockbacks of which it has heard
}

// judged is what the referee knows of one player.
type playerRecord struct {
	name            string
	id              sim.EntityID
	state           sim.PredictedState // of the newest frame that has him
	frameTick       sim.Tick           // of that frame
	changeTick      sim.Tick           // when the server last changed his state by its own doing...
	changeKind      string             // ...and how
	teleportPending bool               // was not corrected since he was teleported
	agreeTick       sim.Tick           // when he was last where his client has him, and as it has him...
	agreeInput      uint64             // ...after this tick of the client
	knockbackTicks  []uint64           // ticks of his client after which he was knocked back

	corrected    map[reason.Reason]int
	byCause      map[string]int // corrections by what the server did before them; "": nothing
	refused      map[reason.Reason]int
	knockbacks   int
	teleports    int
	resyncs      int // teleports that took the place of a correction, since his client would have forgotten the tick (SV-15)
	speedChanges int // changes of the movement attribute
	deaths       int
	expelled     reason.Reason
	notes        []string // the first corrections, for people
}

// deadLine is the cause of a correction after a line delivered nothing for two seconds and then everything: inputs were
// lost (SV-19), or news came for ticks that the client had forgotten, and it could not go back to them (CL-2).
const connectionStall = "dead line"

// excuse is for how long a change by the server explains a correction in any case: as long as clients remember, and as long
// again for what was under way. Beyond that it does until both agree again: half a block's difference is not corrected, and
// becomes more at the next edge.
const changeGrace = 2 * rewindTicks // ticks

// remembers is how many ticks a client does.
const rewindTicks = 40

func newChecker() checker {
	return checker{players: map[sim.EntityID]*playerRecord{}, names: map[string]*playerRecord{}}
}

// of is a player by name; nobody's if he was not seen yet.
func (ch *checker) record(name string) *playerRecord {
	if rec := ch.names[name]; rec != nil {
		return rec
	}
	return &playerRecord{name: name}
}

func (ch *checker) checkFrame(f *sim.Frame) {
	for i := range f.Events {
		e := &f.Events[i]
		if e.Kind == sim.EventJoined {
			ch.addPlayer(f, e.Who)
		}
		if rec := ch.players[e.Who]; rec != nil {
			rec.countEvent(f, e)
			if e.Kind == sim.EventCorrected {
				rec.classifyCorrection(f, e, ch.client(rec.name, e.Rewind.Tick))
			}
		}
	}
	for i := range f.Predicted {
		if rec := ch.players[f.Predicted[i].ID]; rec != nil {
			rec.state, rec.frameTick = f.Predicted[i], f.Tick
			if has := ch.client(rec.name, rec.state.Tick); has.known && statesAgree(&has.after, &rec.state.Avatar) {
				rec.agreeTick, rec.agreeInput = f.Tick, rec.state.Tick
			}
		}
	}
}

func (ch *checker) addPlayer(f *sim.Frame, id sim.EntityID) {
	a := f.Find(id)
	if a == nil || a.Body.Character == 0 || ch.players[id] != nil {
		return
	}
	rec := &playerRecord{name: a.Body.Name, id: id, corrected: map[reason.Reason]int{}, byCause: map[string]int{}, refused: map[reason.Reason]int{}}
	ch.players[id], ch.names[rec.name] = rec, rec
}

func (rec *playerRecord) countEvent(f *sim.Frame, e *sim.Event) {
	own := ""
	switch e.Kind {
	case sim.EventKnockback:
		rec.knockbacks++
		rec.knockbackTicks = append(rec.knockbackTicks, e.Rewind.Tick)
		own = "knockback"
	case sim.EventTeleported:
		rec.teleports++
		if e.Reason == reason.InputOverflow || e.Reason == reason.Mispredicted || e.Reason == reason.MispredictedSpeed {
			rec.resyncs++
		}
		rec.teleportPending = true
		own = "teleport"
	case sim.EventStance:
		if e.Rewind.Serial != 0 {
			rec.speedChanges++
			own = "attribute"
		}
	case sim.EventDied:
		rec.deaths++
	case sim.EventRefused:
		rec.refused[e.Reason]++
	case sim.EventExpelled:
		rec.expelled = e.Reason
	}
	if own != "" {
		rec.changeTick, rec.changeKind = f.Tick, own
	}
}

// judge finds the cause of a correction, and writes down the first that have none, or one that should not have led to it.
func (rec *playerRecord) classifyCorrection(f *sim.Frame, e *sim.Event, has clientState) {
	cause := ""
	if rec.changeKind != "" && (f.Tick-rec.changeTick <= changeGrace || rec.agreeTick < rec.changeTick) {
		cause = rec.changeKind
	}
	if cause != "" && rec.teleportPending {
		cause = "landing"
	}
	if e.Reason == reason.InputOverflow || cause != "landing" && rec.missedNews(cause, e.Rewind.Tick, has) {
		cause = connectionStall
	}
	rec.teleportPending = false
	rec.corrected[e.Reason]++
	rec.byCause[cause]++
	if cause == "landing" || len(rec.notes) >= 4 {
		return
	}
	r := e.Rewind
	text := fmt.Sprintf("frame %d, tick %d, %v: off by %.4f, %d ticks after %q;", f.Tick, r.Tick, e.Reason, r.Distance, f.Tick-rec.changeTick, rec.changeKind)
	if has.known {
		text += differences(has.after, r.State)
	}
	rec.notes = append(rec.notes, text)
}

// deaf tells whether a correction of a tick comes of a line that delivered nothing to the client for longer than it
// remembers: news for forgotten ticks took effect and both have not agreed on a tick since, or the client has not heard of
// the last knockback yet, which the server could wait for no longer (SV-14).
func (rec *playerRecord) missedNews(cause string, tick uint64, has clientState) bool {
	if has.lateNewsTick > 0 && has.lateNewsTick >= rec.agreeInput {
		return true
	}
	return cause == "knockback" && has.knockbacks == len(rec.knockbackTicks)-1 && tick > rec.knockbackTicks[has.knockbacks]+rewindTicks
}

// agree tells whether a client has its player where the server has him, and as it has him.
func statesAgree(client, server *move.Avatar) bool {
	const near = 0.005 // blocks
	return geom.Dist2(client.Pos, server.Pos) <= near*near && geom.Dist2(client.Vel, server.Vel) <= move.VelocityTolerance*move.VelocityTolerance &&
		client.Speed == server.Speed && client.Sneaking == server.Sneaking && client.Sprinting == server.Sprinting
}

// differences is the fields of two states that differ.
func differences(client, server move.Avatar) string {
	var b strings.Builder
	c, s := reflect.ValueOf(client), reflect.ValueOf(server)
	for i := range c.NumField() {
		if x, y := c.Field(i).Interface(), s.Field(i).Interface(); x != y {
			fmt.Fprintf(&b, " %s %v here %v there,", c.Type().Field(i).Name, x, y)
		}
	}
	return b.String()
}

func total[K comparable](counts map[K]int) (n int) {
	for _, c := range counts {
		n += c
	}
	return n
}

func merge[K comparable](into, from map[K]int) {
	for k, n := range from {
		into[k] += n
	}
}

// byReason is counts as text, the most frequent first.
func byReason(counts map[reason.Reason]int) string {
	var list []reason.Reason
	for r := range counts {
		list = append(list, r)
	}
	slices.SortFunc(list, func(a, b reason.Reason) int {
		if counts[a] != counts[b] {
			return counts[b] - counts[a]
		}
		return int(a) - int(b)
	})
	var parts []string
	for _, r := range list {
		parts = append(parts, fmt.Sprintf("%v %d", r, counts[r]))
	}
	if parts == nil {
		return "none"
	}
	return strings.Join(parts, ", ")
}
