package enet

// The timers are a binary heap of peers. Its key is the field wakeAt of a peer, the time at which the host looks for due work
// of the peer. An acknowledgement often postpones this work. It does not change wakeAt, so it costs no heap operation. The peer
// then wakes too early, has nothing to do, and is inserted again with its new time.

// schedule ensures that the peer wakes at the time at which its next work is due, or earlier.
func (h *Host) schedule(p *Peer) {
	due, ok := p.nextDue()
	if !ok {
		return
	}
	if p.timerAt == 0 {
		if before(due, h.now+1) && p.state != stateEnding && p.state != stateLingering {
			due = h.now + 1 // the next flush does the work that is due now
		}
		p.wakeAt = due
		h.timers = append(h.timers, p)
		p.timerAt = len(h.timers)
		h.up(p.timerAt - 1)
		return
	}
	if before(due, p.wakeAt) {
		p.wakeAt = due
		h.up(p.timerAt - 1)
	}
}

// unschedule removes the peer from the heap.
func (h *Host) unschedule(p *Peer) {
	if p.timerAt == 0 {
		return
	}
	i, last := p.timerAt-1, len(h.timers)-1
	h.swap(i, last)
	h.timers[last] = nil
	h.timers = h.timers[:last]
	p.timerAt = 0
	if i < last {
		h.up(i)
		h.down(i)
	}
}

func (h *Host) swap(i, j int) {
	h.timers[i], h.timers[j] = h.timers[j], h.timers[i]
	h.timers[i].timerAt = i + 1
	h.timers[j].timerAt = j + 1
}

func (h *Host) up(i int) {
	for i > 0 {
		parent := (i - 1) / 2
		if !before(h.timers[i].wakeAt, h.timers[parent].wakeAt) {
			return
		}
		h.swap(i, parent)
		i = parent
	}
}

func (h *Host) down(i int) {
	for {
		child := 2*i + 1
		if child >= len(h.timers) {
			return
		}
		if r := child + 1; r < len(h.timers) && before(h.timers[r].wakeAt, h.timers[child].wakeAt) {
			child = r
		}
		if !before(h.timers[child].wakeAt, h.timers[i].wakeAt) {
			return
		}
		h.swap(i, child)
		i = child
	}
}
