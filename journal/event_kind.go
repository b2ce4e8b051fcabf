package journal

import (
	"fmt"

	"github.com/truestep-io/truestep/sim"
)

// eventKind is what else happens to players.
type eventKind uint8

const (
	eventLoggedIn eventKind = 1 + iota
	eventArrived            // from another area
	eventLeft
	eventDeparted // to area other
	eventDealtHit // other, n damage or -1
	eventTookHit  // by other
	eventShot     // shot at other
	eventDied     // other: killer
	eventKilled   // other
	eventRespawned
	eventMoved
	eventKnockedBack
	eventStanceChanged // speed or stance changed
	eventMounted
	eventDismounted
	eventFramesMissed // n frames of an area were missed
)

// eventKindNames are the names of happenings in the file and in the API.
var eventKindNames = [...]string{
	eventLoggedIn: "joined", eventArrived: "joined", eventLeft: "left", eventDeparted: "departed",
	eventDealtHit: "struck", eventTookHit: "struck", eventShot: "shot", eventDied: "died", eventKilled: "killed", eventRespawned: "respawned",
	eventMoved: "moved", eventKnockedBack: "knocked", eventStanceChanged: "stance", eventMounted: "mounted", eventDismounted: "dismounted",
	eventFramesMissed: "missed",
}

// sentence says a moment to a person. names makes text of a name's bytes.
func (m *playerEvent) sentence(names func(string) string) string {
	other := names(m.other)
	if other == "" {
		other = "somebody"
	}
	switch m.kind {
	case eventLoggedIn:
		return "logged in"
	case eventArrived:
		return "arrived from another area"
	case eventLeft:
		return "left the world"
	case eventDeparted:
		return "went to " + other
	case eventDealtHit:
		return fmt.Sprintf("struck %s %s", other, damage(m.n))
	case eventTookHit:
		return fmt.Sprintf("was struck by %s %s", other, damage(m.n))
	case eventShot:
		return "shot at " + other
	case eventDied:
		if m.other == "" {
			return "died"
		}
		return "was killed by " + other
	case eventKilled:
		return "killed " + other
	case eventRespawned:
		return "lives again"
	case eventMoved:
		return "was put somewhere else by the server"
	case eventKnockedBack:
		return "was knocked back"
	case eventStanceChanged:
		return "was told another stance or speed"
	case eventMounted:
		return "mounted " + other
	case eventDismounted:
		return "dismounted"
	case eventFramesMissed:
		return fmt.Sprintf("%d frames of the area were missed; what happened in them is not known", m.n)
	}
	return "something happened"
}

func damage(n int32) string {
	if n < 0 {
		return "and missed"
	}
	return fmt.Sprintf("for %d", n)
}

// playerEventKinds is what an event is to Who and, where it is something to Other as well, to that one. 0 is nothing.
func playerEventKinds(e *sim.Event) (who, other eventKind) {
	switch e.Kind {
	case sim.EventAttacked:
		return eventDealtHit, eventTookHit
	case sim.EventShotFired:
		return eventShot, 0
	case sim.EventDied:
		return eventDied, eventKilled
	case sim.EventRespawned:
		return eventRespawned, 0
	case sim.EventPlaced, sim.EventTeleported:
		return eventMoved, 0
	case sim.EventKnockback:
		return eventKnockedBack, 0
	case sim.EventStance:
		return eventStanceChanged, 0
	case sim.EventMounted:
		return eventMounted, 0
	case sim.EventDismounted:
		return eventDismounted, 0
	}
	return 0, 0
}
