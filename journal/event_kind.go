package journal

import (
	"fmt"

	"github.com/truestep-io/truestep/sim"
)

// eventKind is the kind of a nearby event of a player.
type eventKind uint8

const (
	eventLoggedIn eventKind = 1 + iota
	eventArrived            // the player arrived from another area
	eventLeft
	eventDeparted // playerEvent.other is the name of the destination area
	eventDealtHit // playerEvent.other is the target, n the damage or -1 for a miss
	eventTookHit  // playerEvent.other is the attacker
	eventShot     // playerEvent.other is the target
	eventDied     // playerEvent.other is the killer, or ""
	eventKilled   // playerEvent.other is the victim
	eventRespawned
	eventMoved
	eventKnockedBack
	eventStanceChanged // the server sent another speed or stance
	eventMounted
	eventDismounted
	eventByOperator   // an operator changed items or attributes; playerEvent.other says what was done
	eventFramesMissed // playerEvent.n is the number of frames of the area that the journal missed
)

// eventKindNames are the names of kinds in the file and in the API.
var eventKindNames = [...]string{
	eventLoggedIn: "joined", eventArrived: "joined", eventLeft: "left", eventDeparted: "departed",
	eventDealtHit: "struck", eventTookHit: "struck", eventShot: "shot", eventDied: "died", eventKilled: "killed", eventRespawned: "respawned",
	eventMoved: "moved", eventKnockedBack: "knocked", eventStanceChanged: "stance", eventMounted: "mounted", eventDismounted: "dismounted",
	eventByOperator: "operator", eventFramesMissed: "missed",
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
		return fmt.Sprintf("struck %s %s", other, damage(m.n)) + m.judged("which")
	case eventTookHit:
		return fmt.Sprintf("was struck by %s %s", other, damage(m.n)) + m.judged("as it")
	case eventShot:
		return "shot at " + other + m.judged("which")
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
		return "had its stance, speed or effects changed by the server"
	case eventMounted:
		return "mounted " + other
	case eventDismounted:
		return "dismounted"
	case eventByOperator:
		return "an operator " + m.other
	case eventFramesMissed:
		return fmt.Sprintf("the journal missed %d frames of the area; their events are not known", m.n)
	}
	return "unknown event"
}

// judged returns a part of a sentence about lag compensation: how long ago the target was at the position by which the attack
// was judged. It returns "" if the attack was judged by the current position.
func (m *playerEvent) judged(subject string) string {
	if m.agoMS == 0 {
		return ""
	}
	return fmt.Sprintf(", %s was %s ago at %s", subject, formatAgo(int32(m.agoMS)), formatPosition(m.seen))
}

// formatAgo formats ms as seconds: "0.15 s".
func formatAgo(ms int32) string { return fmt.Sprintf("%.2f s", float64(ms)/1000) }

func damage(n int32) string {
	if n < 0 {
		return "and missed"
	}
	return fmt.Sprintf("for %d", n)
}

// playerEventKinds returns the kinds under which an event is recorded for its actors Who and Other. A kind is 0 if the event is
// not recorded for that actor.
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
	case sim.EventEffect:
		if e.Rewind != nil && e.Rewind.Serial != 0 { // an effect that was only renewed is not recorded
			return eventStanceChanged, 0
		}
	case sim.EventOrderDone:
		if e.Text != "" {
			return eventByOperator, 0
		}
	case sim.EventMounted:
		return eventMounted, 0
	case sim.EventDismounted:
		return eventDismounted, 0
	}
	return 0, 0
}
