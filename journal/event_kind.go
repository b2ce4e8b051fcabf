package journal

import (
	"fmt"

	"github.com/truestep-io/truestep/sim"
)

// eventKind says what happened to a player. The events shortly before and after an entry are stored together with the
// entry.
type eventKind uint8

const (
	eventLoggedIn      eventKind = 1 + iota // the player logged in or resumed its session
	eventArrived                            // the player arrived from another area
	eventLeft                               // the player left the world
	eventDeparted                           // the player went to another area, named by playerEvent.other
	eventDealtHit                           // the player hit playerEvent.other; playerEvent.n is the damage, -1 for a miss
	eventTookHit                            // the player was hit by playerEvent.other; playerEvent.n is the damage, -1 for a miss
	eventShot                               // the player shot at playerEvent.other
	eventDied                               // the player died; playerEvent.other is the killer, "" if there is none
	eventKilled                             // the player killed playerEvent.other
	eventRespawned                          // the player respawned
	eventMoved                              // the server moved the player
	eventKnockedBack                        // the player was knocked back
	eventStanceChanged                      // the server changed the player's speed, stance or effects
	eventMounted                            // the player mounted playerEvent.other
	eventDismounted                         // the player dismounted
	eventByOperator                         // an operator changed the player's items or attributes; playerEvent.other describes the change
	eventFramesMissed                       // the journal missed frames of the area; playerEvent.n is their number
)

// eventKindNames are the names of event kinds in the file and in the API. Some kinds share a name.
var eventKindNames = [...]string{
	eventLoggedIn: "joined", eventArrived: "joined", eventLeft: "left", eventDeparted: "departed",
	eventDealtHit: "struck", eventTookHit: "struck", eventShot: "shot", eventDied: "died", eventKilled: "killed", eventRespawned: "respawned",
	eventMoved: "moved", eventKnockedBack: "knocked", eventStanceChanged: "stance", eventMounted: "mounted", eventDismounted: "dismounted",
	eventByOperator: "operator", eventFramesMissed: "missed",
}

// sentence describes an event in words, without a full stop.
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

// judged returns a clause about an attack that was judged under lag compensation: at which position the attacker's client
// displayed the target, and how long ago the target was there. The parameter subject is the word for the target in the clause.
// If the attack was judged by the target's current position, judged returns "".
func (m *playerEvent) judged(subject string) string {
	if m.agoMS == 0 {
		return ""
	}
	return fmt.Sprintf(", %s was %s ago at %s", subject, formatAgo(int32(m.agoMS)), formatPosition(m.seen))
}

// formatAgo formats milliseconds as seconds: "0.15 s".
func formatAgo(ms int32) string { return fmt.Sprintf("%.2f s", float64(ms)/1000) }

func damage(n int32) string {
	if n < 0 {
		return "and missed"
	}
	return fmt.Sprintf("for %d", n)
}

// playerEventKinds returns the kinds under which an event of a frame is recorded: first for the actor Who of the event, then for
// its actor Other. A kind is 0 if the event is not recorded for that actor.
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
		if e.Rewind != nil && e.Rewind.Serial != 0 { // a barrier was sent: the effect changed and was not only renewed
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
