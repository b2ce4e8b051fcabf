package journal

import (
	"fmt"

	"github.com/truestep-io/truestep/sim"
)

// eventKind is what happened to a player in a nearby event.
type eventKind uint8

const (
	eventLoggedIn eventKind = 1 + iota
	eventArrived            // arrived from another area
	eventLeft
	eventDeparted // other: name of the area it went to
	eventDealtHit // other: target; n: damage, -1 for a miss
	eventTookHit  // other: attacker
	eventShot     // other: target
	eventDied     // other: killer, if any
	eventKilled   // other: victim
	eventRespawned
	eventMoved
	eventKnockedBack
	eventStanceChanged // the server sent another speed or stance
	eventMounted
	eventDismounted
	eventFramesMissed // n: frames of the area that the journal missed
)

// eventKindNames are the names of kinds in the file and in the API.
var eventKindNames = [...]string{
	eventLoggedIn: "joined", eventArrived: "joined", eventLeft: "left", eventDeparted: "departed",
	eventDealtHit: "struck", eventTookHit: "struck", eventShot: "shot", eventDied: "died", eventKilled: "killed", eventRespawned: "respawned",
	eventMoved: "moved", eventKnockedBack: "knocked", eventStanceChanged: "stance", eventMounted: "mounted", eventDismounted: "dismounted",
	eventFramesMissed: "missed",
}

// sentence describes an event in words.
func (m *playerEvent) sentence() string {
	other := m.other
	if other == "" {
		other = "another actor"
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
		return "respawned"
	case eventMoved:
		return "was moved by the server"
	case eventKnockedBack:
		return "was knocked back"
	case eventStanceChanged:
		return "had its stance or speed changed by the server"
	case eventMounted:
		return "mounted " + other
	case eventDismounted:
		return "dismounted"
	case eventFramesMissed:
		return fmt.Sprintf("the journal missed %d frames of the area; their events are not known", m.n)
	}
	return "unknown event"
}

func damage(n int32) string {
	if n < 0 {
		return "and missed"
	}
	return fmt.Sprintf("for %d", n)
}

// playerEventKinds returns what an event is for its actor Who and for its actor Other; 0: not recorded.
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
