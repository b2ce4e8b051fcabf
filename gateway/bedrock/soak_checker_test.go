package bedrock

import (
	"fmt"
	"reflect"
	"slices"
	"sort"
	"strings"

	"github.com/truestep-io/truestep/sim"
	"github.com/truestep-io/truestep/sim/geom"
	"github.com/truestep-io/truestep/sim/move"
	"github.com/truestep-io/truestep/sim/reason"
)

// checker reads the frames of a soak test and determines the cause of each correction.
type checker struct {
	players map[sim.EntityID]*playerRecord
	names   map[string]*playerRecord
	client  func(name string, tick uint64) clientState
}

// clientState is the state of a player as its client knows it.
type clientState struct {
	after        move.Avatar       // state after the tick, as the client predicted it when it sent its input
	vehicle      move.Vehicle      // predicted state, after the tick, of the vehicle that the client drives
	known        bool              // the client's prediction of the tick is still stored; if false, after and vehicle are zero
	lateNewsTick uint64            // client tick of the last packet that arrived too late for the client's history, 0 if there was none
	received     []receivedBarrier // barriers received so far, with increasing serials
}

// receivedBarrier describes a barrier that a client has received.
type receivedBarrier struct {
	serial uint32 // serial of the change that the barrier follows
	tick   uint64 // client tick at which the barrier was received
}

// barrierChange describes a change by the server after which the server sent a barrier.
type barrierChange struct {
	serial uint32
	tick   uint64 // tick of the client's input after which the change took effect
}

// playerRecord is the state of the checker for one player.
type playerRecord struct {
	name            string
	id              sim.EntityID
	state           sim.AvatarState // state in the newest frame that contains the player
	vehicle         move.Vehicle    // vehicle that the player drives in that frame
	frameTick       sim.Tick        // tick of the newest frame that contains the player
	changeTick      sim.Tick        // tick of the last change of the player's state by the server
	changeKind      string          // kind of the last change by the server
	teleportPending bool            // the player was teleported and has not been corrected since
	agreeTick       sim.Tick        // tick of the last frame in which the client had predicted the server's state and knew the server's last change
	agreeInput      uint64          // tick of the client's input in the frame of agreeTick
	changes         []barrierChange // all changes that a barrier follows

	corrected    map[reason.Reason]int
	byCause      map[string]int // number of corrections, by the kind of the server's last change before; "" if there was no change
	refused      map[reason.Reason]int
	knockbacks   int
	teleports    int
	resyncs      int // teleports in place of corrections whose tick was no longer in the client's history (rule SV-15 of docs/wire/bedrock.md)
	speedChanges int // changes of the movement attribute
	deaths       int
	expelled     reason.Reason
	notes        []string // descriptions of the first few corrections
}

// connectionStall is the cause of a correction after a connection delivered nothing for two seconds and then everything
// at once: inputs were dropped (rule SV-19 of docs/wire/bedrock.md), or packets arrived for ticks that are no longer in
// the client's history, so that the client could not rewind (rule CL-2 of docs/wire/bedrock.md).
const connectionStall = "connection stall"

// resync is the kind of change in which the server sends a client its whole state, instead of a correction that would be
// too late for the client's history (rule SV-15 of docs/wire/bedrock.md). It only occurs after a connection stall.
const resync = "resync"

// changeGrace is the number of ticks for which a change by the server explains a correction: twice the client's history,
// because packets are delayed. After that time, the change explains further corrections only until client and server agree
// again, because a difference below half a block is not corrected at first and may grow.
const changeGrace = 2 * rewindTicks

// rewindTicks is the number of ticks in a client's history.
const rewindTicks = 40

func newChecker() checker {
	return checker{players: map[sim.EntityID]*playerRecord{}, names: map[string]*playerRecord{}}
}

// record returns the record of a player and creates it if needed.
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
	for i := range f.Avatars {
		if rec := ch.players[f.Avatars[i].ID]; rec != nil {
			rec.state, rec.frameTick, rec.vehicle = f.Avatars[i], f.Tick, move.Vehicle{}
			if v := f.FindVehicle(f.Find(rec.id).Mount); v != nil && rec.state.Seat == 0 {
				rec.vehicle = v.Vehicle
			}
			if has := ch.client(rec.name, rec.state.Prediction.Tick); has.known && rec.knewLastChange(&has) && has.agrees(&rec.state.Avatar, &rec.vehicle) {
				rec.agreeTick, rec.agreeInput = f.Tick, rec.state.Prediction.Tick
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
	if r := e.Rewind; r != nil && r.Serial != 0 {
		rec.changes = append(rec.changes, barrierChange{r.Serial, r.Tick})
	}
	own := ""
	switch e.Kind {
	case sim.EventKnockback:
		rec.knockbacks++
		own = "knockback"
		if e.Reason != reason.None { // the knockback belongs to a teleport that replaces a correction
			own = resync
		}
	case sim.EventTeleported:
		rec.teleports++
		rec.teleportPending = true
		own = "teleport"
		if e.Reason == reason.InputOverflow || e.Reason == reason.Mispredicted || e.Reason == reason.MispredictedSpeed {
			rec.resyncs++
			own = resync
		}
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

// classifyCorrection determines the cause of a correction, and adds a description to notes for the first corrections that no
// teleport caused.
func (rec *playerRecord) classifyCorrection(f *sim.Frame, e *sim.Event, has clientState) {
	cause := ""
	if rec.changeKind != "" && (f.Tick-rec.changeTick <= changeGrace || rec.agreeTick < rec.changeTick) {
		cause = rec.changeKind
	}
	if cause != "" && rec.teleportPending {
		cause = "landing"
	}
	if e.Reason == reason.InputOverflow || cause == resync || cause != "landing" && rec.missedNews(e.Rewind.Tick, has) {
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
	if has.known && r.Vehicle.Type != move.NoVehicle {
		text += " vehicle:" + differences(has.vehicle, r.Vehicle)
	}
	rec.notes = append(rec.notes, text)
}

// missedNews returns whether a correction for a tick was caused by a connection that delivered nothing for longer than the
// client's prediction history. There are two cases. The client had not received a change of the server at that tick, and the
// server could not wait longer (rules SV-14 and VH-2 of docs/wire/bedrock.md). Or the client received a change too late to
// rewind to it, and its state has differed from the server's since.
func (rec *playerRecord) missedNews(tick uint64, has clientState) bool {
	if has.lateNewsTick > 0 && has.lateNewsTick >= rec.agreeInput {
		return true
	}
	const recent = 1000 // number of recent changes to search
	for _, ch := range rec.changes[max(0, len(rec.changes)-recent):] {
		i := sort.Search(len(has.received), func(i int) bool { return has.received[i].serial >= ch.serial })
		switch last := ch.tick + rewindTicks; {
		case i == len(has.received) && tick > last, i < len(has.received) && has.received[i].tick > last && has.received[i].tick >= rec.agreeInput:
			return true
		}
	}
	return false
}

// knewLastChange reports whether the client had received the last change by the server when it sent its last processed
// input. Otherwise the client's state may equal the server's by chance, or because the server has accepted its position.
func (rec *playerRecord) knewLastChange(has *clientState) bool {
	if len(rec.changes) == 0 {
		return true
	}
	last := rec.changes[len(rec.changes)-1]
	i := sort.Search(len(has.received), func(i int) bool { return has.received[i].serial >= last.serial })
	return i < len(has.received) && has.received[i].tick < rec.state.Prediction.Tick
}

// agrees reports whether the client's prediction equals the server's state of the player. It compares the vehicle that the
// player drives or, if it drives none, the player's body.
func (m *clientState) agrees(body *move.Avatar, vehicle *move.Vehicle) bool {
	if m.vehicle.Type != move.NoVehicle || vehicle.Type != move.NoVehicle {
		return m.vehicle.Type == vehicle.Type && movesAgree(m.vehicle.Pos, m.vehicle.Vel, vehicle.Pos, vehicle.Vel) &&
			m.vehicle.ChargeTicks == vehicle.ChargeTicks && m.vehicle.PendingJump == vehicle.PendingJump
	}
	return statesAgree(&m.after, body)
}

// movesAgree reports whether two positions and two velocities are equal, except for a small tolerance.
func movesAgree(pos, vel, otherPos, otherVel geom.Vec) bool {
	const near = 0.005 // tolerated difference of positions in blocks
	return geom.Dist2(pos, otherPos) <= near*near && geom.Dist2(vel, otherVel) <= move.VelocityTolerance*move.VelocityTolerance
}

// statesAgree reports whether client and server have the same state of the player's body.
func statesAgree(client, server *move.Avatar) bool {
	return movesAgree(client.Pos, client.Vel, server.Pos, server.Vel) &&
		client.Speed == server.Speed && client.Sneaking == server.Sneaking && client.Sprinting == server.Sprinting &&
		client.JumpBoost == server.JumpBoost && client.Levitation == server.Levitation && client.SlowFalling == server.SlowFalling && client.GlideBoost == server.GlideBoost
}

// differences lists the fields in which two states differ.
func differences[T move.Avatar | move.Vehicle](client, server T) string {
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

// byReason formats counts by reason, the most frequent first.
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
