package web

const (
	maxRefresh  = 7
	drawDelayMS = 100 // minimum delay with which clients draw other actors, in milliseconds
	mostlyTold  = 0.9 // average share of the wanted actors in a snapshot from which on chooseRefresh treats the snapshots as complete
)

// nextRefresh returns the refresh of the next snapshot (see SnapshotHeader.Refresh). After a snapshot that had no room for all actors it
// is at most 1, so that each actor that was left out is next coded against a state that the client is known to have. With refresh m > 1,
// an actor that is in every m-th snapshot might never be coded against such a state. After a single lost snapshot the client could then
// not decode the actor for a long time.
func (t *Teller) nextRefresh() uint8 {
	if t.crowded {
		return min(t.refresh, 1) // t.refresh is 0 on an ordered connection
	}
	return t.refresh
}

// chooseRefresh returns the refresh of the next snapshots, while they have room for all actors. Usually the result is 4, or 1 if the
// connection loses more than 1 % of the snapshots. If nearly all actors are in each snapshot, the result may be higher. With refresh m,
// the client has a gap of m+1 snapshots between two states of an actor after a lost snapshot. Clients interpolate over the gap if it is
// not longer than the delay with which they draw. If snapshots omit well predicted actors, a higher refresh is not better: the
// unacknowledged states predict the actors differently, so fewer actors can be omitted, and the client draws them from fewer states.
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

// lossDecay is the factor by which the counts of received and lost snapshots are multiplied at each snapshot, so that old snapshots lose
// their weight. With this value the counts cover about the last 200 snapshots.
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
