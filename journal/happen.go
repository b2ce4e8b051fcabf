package journal

import (
	"fmt"

	"github.com/truestep-io/truestep/sim"
)

// happening is what else happens to players.
type happening uint8

const (
	hasLoggedIn happening = 1 + iota
	hasArrived            // from another area
	hasLeft
	hasDeparted // to area other
	hasStruck   // other, n damage or -1
	wasStruck   // by other
	hasSwung    // shot at other
	hasDied     // other: killer
	hasKilled   // other
	hasRespawned
	wasMoved
	wasKnocked
	wasHurried // speed or stance changed
	hasMounted
	hasDismounted
	hasMissed // n frames of an area were missed
)

// kinds are the names of happenings in the file and in the API.
var kinds = [...]string{
	hasLoggedIn: "joined", hasArrived: "joined", hasLeft: "left", hasDeparted: "departed",
	hasStruck: "struck", wasStruck: "struck", hasSwung: "shot", hasDied: "died", hasKilled: "killed", hasRespawned: "respawned",
	wasMoved: "moved", wasKnocked: "knocked", wasHurried: "stance", hasMounted: "mounted", hasDismounted: "dismounted",
	hasMissed: "missed",
}

// sentence says a moment to a person. names makes text of a name's bytes.
func (m *moment) sentence(names func(string) string) string {
	other := names(m.other)
	if other == "" {
		other = "somebody"
	}
	switch m.kind {
	case hasLoggedIn:
		return "logged in"
	case hasArrived:
		return "arrived from another area"
	case hasLeft:
		return "left the world"
	case hasDeparted:
		return "went to " + other
	case hasStruck:
		return fmt.Sprintf("struck %s %s", other, damage(m.n))
	case wasStruck:
		return fmt.Sprintf("was struck by %s %s", other, damage(m.n))
	case hasSwung:
		return "shot at " + other
	case hasDied:
		if m.other == "" {
			return "died"
		}
		return "was killed by " + other
	case hasKilled:
		return "killed " + other
	case hasRespawned:
		return "lives again"
	case wasMoved:
		return "was put somewhere else by the server"
	case wasKnocked:
		return "was knocked back"
	case wasHurried:
		return "was told another stance or speed"
	case hasMounted:
		return "mounted " + other
	case hasDismounted:
		return "dismounted"
	case hasMissed:
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

// happened is what an event is to Who and, where it is something to Other as well, to that one. 0 is nothing.
func happened(e *sim.Event) (who, other happening) {
	switch e.Kind {
	case sim.EventAttacked:
		return hasStruck, wasStruck
	case sim.EventShotFired:
		return hasSwung, 0
	case sim.EventDied:
		return hasDied, hasKilled
	case sim.EventRespawned:
		return hasRespawned, 0
	case sim.EventPlaced, sim.EventTeleported:
		return wasMoved, 0
	case sim.EventKnockback:
		return wasKnocked, 0
	case sim.EventStance:
		return wasHurried, 0
	case sim.EventMounted:
		return hasMounted, 0
	case sim.EventDismounted:
		return hasDismounted, 0
	}
	return 0, 0
}
