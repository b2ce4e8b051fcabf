package web

const (
	maxRefresh  = 7
	drawDelayMS = 100 // least time by which clients draw other actors late, in milliseconds
	mostlyTold  = 0.9 // see chooseRefresh
)

// nextRefresh returns the refresh of the next snapshot. It is at most 1 after a snapshot that left actors out for want of room, so
// that an actor that was left out is next coded against a state that the client is known to have. With refresh m > 1, an actor
// that is in every m-th snapshot might never be coded against such a state, and a single loss would hide it for long.
func (t *Teller) nextRefresh() uint8 {
	if t.crowded {
		return min(t.refresh, 1) // 0 on an ordered connection
	}
	return t.refresh
}

// chooseRefresh returns the refresh of the next snapshots, while they have room for all actors. Usually it is 4, or 1 if the
// connection loses more than 1 % of the snapshots. If nearly all actors are in each snapshot, it may be higher. With refresh m, a
// loss leaves a gap of m+1 snapshots between two states of an actor that the client has. The gap may be as long as the delay with
// which clients draw, so that they interpolate over it. While tolerances leave actors out, a high refresh is not better: fewer can
// be left out, because the states in flight predict them differently, and the client draws them from fewer states.
func (t *Teller) chooseRefresh() uint8 {
	m := 4
	if t.lost > 0.01*(t.took+t.lost) {
		m = 1
	}
	if t.toldShare >= mostlyTold {
		gap := t.rate * drawDelayMS / 1000 / int(min(max(t.gap, 1), maxSpeedAge))
		m = max(m, min(gap-1, maxRefresh))
	}
	return uint8(m)
}

// lossDecay makes the counts of received and lost snapshots forget old ones: at each snapshot they are multiplied by it. With
// this value they cover about the last 200 snapshots.
const lossDecay = 0.995

func (t *Teller) countLoss(taken bool) {
	t.took, t.lost = float64(t.took*lossDecay), float64(t.lost*lossDecay)
	if taken {
		t.took++
	} else {
		t.lost++
		t.allLost++
	}
}
