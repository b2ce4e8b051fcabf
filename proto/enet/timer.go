package enet

// The timers are a binary heap of peers by due. A due that moves later is not touched: the peer wakes early, finds
// nothing to do and is put back. So an acknowledgement costs nothing here.

// schedule makes sure that the peer wakes when its next due time comes.
func (h *Host) schedule(p *Peer) {
	due, ok := p.nextDue()
	if !ok {
		return
	}
	if p.timerAt == 0 {
		if before(due, h.now+1) && p.state != stateEnding && p.state != stateLingering {
			due = h.now + 1 // what is due now waits for a flush, not for another look
		}
		p.due = due
		h.timers = append(h.timers, p)
		p.timerAt = len(h.timers)
		h.up(p.timerAt - 1)
		return
	}
	if before(due, p.due) {
		p.due = due
		h.up(p.timerAt - 1)
	}
}

// unschedule takes the peer out of the heap.
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
		if !before(h.timers[i].due, h.timers[parent].due) {
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
		if r := child + 1; r < len(h.timers) && before(h.timers[r].due, h.timers[child].due) {
			child = r
		}
		if !before(h.timers[child].due, h.timers[i].due) {
			return
		}
		h.swap(i, child)
		i = child
	}
}
