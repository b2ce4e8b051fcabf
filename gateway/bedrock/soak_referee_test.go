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
type referee struct {
	players map[sim.EntityID]*judged
	names   map[string]*judged
	client  func(name string, tick uint64) memory
}

// memory is what a client has of its player.
type memory struct {
	after  move.Avatar // a tick...
	ok     bool        // ...if it remembers that
	forgot uint64      // tick at which news took effect for one that it had forgotten, the last time; 0 never
	heard  int         // knockbacks of which it has heard
}

// judged is what the referee knows of one player.
type judged struct {
	name    string
	id      sim.EntityID
	at      sim.PredictedState // of the newest frame that has him
	seen    sim.Tick           // of that frame
	changed sim.Tick           // when the server last changed his state by its own doing...
	doing   string             // ...and how
	lands   bool               // was not corrected since he was teleported
	agreed  sim.Tick           // when he was last where his client has him, and as it has him...
	tick    uint64             // ...after this tick of the client
	blows   []uint64           // ticks of his client after which he was knocked back

	corrected map[reason.Reason]int
	caused    map[string]int // corrections by what the server did before them; "": nothing
	refused   map[reason.Reason]int
	knocks    int
	teleports int
	reseated  int // teleports that took the place of a correction, since his client would have forgotten the tick (SV-15)
	speeds    int // changes of the movement attribute
	deaths    int
	expelled  reason.Reason
	notes     []string // the first corrections, for people
}

// deadLine is the cause of a correction after a line delivered nothing for two seconds and then everything: inputs were
// lost (SV-19), or news came for ticks that the client had forgotten, and it could not go back to them (CL-2).
const deadLine = "dead line"

// excuse is for how long a change by the server explains a correction in any case: as long as clients remember, and as long
// again for what was under way. Beyond that it does until both agree again: half a block's difference is not corrected, and
// becomes more at the next edge.
const excuse = 2 * remembers // ticks

// remembers is how many ticks a client does.
const remembers = 40

func newReferee() referee {
	return referee{players: map[sim.EntityID]*judged{}, names: map[string]*judged{}}
}

// of is a player by name; nobody's if he was not seen yet.
func (r *referee) of(name string) *judged {
	if j := r.names[name]; j != nil {
		return j
	}
	return &judged{name: name}
}

func (r *referee) frame(f *sim.Frame) {
	for i := range f.Events {
		e := &f.Events[i]
		if e.Kind == sim.EventJoined {
			r.joined(f, e.Who)
		}
		if j := r.players[e.Who]; j != nil {
			j.event(f, e)
			if e.Kind == sim.EventCorrected {
				j.judge(f, e, r.client(j.name, e.Rewind.Tick))
			}
		}
	}
	for i := range f.Predicted {
		if j := r.players[f.Predicted[i].ID]; j != nil {
			j.at, j.seen = f.Predicted[i], f.Tick
			if has := r.client(j.name, j.at.Tick); has.ok && agree(&has.after, &j.at.Avatar) {
				j.agreed, j.tick = f.Tick, j.at.Tick
			}
		}
	}
}

func (r *referee) joined(f *sim.Frame, id sim.EntityID) {
	a := f.Find(id)
	if a == nil || a.Body.Character == 0 || r.players[id] != nil {
		return
	}
	j := &judged{name: a.Body.Name, id: id, corrected: map[reason.Reason]int{}, caused: map[string]int{}, refused: map[reason.Reason]int{}}
	r.players[id], r.names[j.name] = j, j
}

func (j *judged) event(f *sim.Frame, e *sim.Event) {
	own := ""
	switch e.Kind {
	case sim.EventKnockback:
		j.knocks++
		j.blows = append(j.blows, e.Rewind.Tick)
		own = "knockback"
	case sim.EventTeleported:
		j.teleports++
		if e.Reason == reason.InputOverflow || e.Reason == reason.Mispredicted || e.Reason == reason.MispredictedSpeed {
			j.reseated++
		}
		j.lands = true
		own = "teleport"
	case sim.EventStance:
		if e.Rewind.Serial != 0 {
			j.speeds++
			own = "attribute"
		}
	case sim.EventDied:
		j.deaths++
	case sim.EventRefused:
		j.refused[e.Reason]++
	case sim.EventExpelled:
		j.expelled = e.Reason
	}
	if own != "" {
		j.changed, j.doing = f.Tick, own
	}
}

// judge finds the cause of a correction, and writes down the first that have none, or one that should not have led to it.
func (j *judged) judge(f *sim.Frame, e *sim.Event, has memory) {
	cause := ""
	if j.doing != "" && (f.Tick-j.changed <= excuse || j.agreed < j.changed) {
		cause = j.doing
	}
	if cause != "" && j.lands {
		cause = "landing"
	}
	if e.Reason == reason.InputOverflow || cause != "landing" && j.deaf(cause, e.Rewind.Tick, has) {
		cause = deadLine
	}
	j.lands = false
	j.corrected[e.Reason]++
	j.caused[cause]++
	if cause == "landing" || len(j.notes) >= 4 {
		return
	}
	r := e.Rewind
	text := fmt.Sprintf("frame %d, tick %d, %v: off by %.4f, %d ticks after %q;", f.Tick, r.Tick, e.Reason, r.Distance, f.Tick-j.changed, j.doing)
	if has.ok {
		text += differences(has.after, r.State)
	}
	j.notes = append(j.notes, text)
}

// deaf tells whether a correction of a tick comes of a line that delivered nothing to the client for longer than it
// remembers: news for forgotten ticks took effect and both have not agreed on a tick since, or the client has not heard of
// the last knockback yet, which the server could wait for no longer (SV-14).
func (j *judged) deaf(cause string, tick uint64, has memory) bool {
	if has.forgot > 0 && has.forgot >= j.tick {
		return true
	}
	return cause == "knockback" && has.heard == len(j.blows)-1 && tick > j.blows[has.heard]+remembers
}

// agree tells whether a client has its player where the server has him, and as it has him.
func agree(client, server *move.Avatar) bool {
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
