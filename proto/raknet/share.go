package raknet

// What all sessions together may make us remember is bounded. When the bound is reached the session that takes the most
// of it ends: refusing whoever comes next would let a few sessions lock out all others.

// mayHold tells whether cost more bytes of incoming messages may be held for a peer, and ends others for it.
func (h *host) mayHold(p *Peer, cost int) bool {
	for h.held+cost > h.limits.MaxHostHeld {
		greedy := p
		for _, q := range h.peers {
			if q.heldSize+q.splitLen > greedy.heldSize+greedy.splitLen {
				greedy = q
			}
		}
		if greedy == p {
			return false
		}
		h.stats.Evicted++
		greedy.lose(Broken)
	}
	return true
}

// mayQueue tells whether cost more bytes may wait for a peer, and empties the queues of others for it. Those are told at
// the next Tick.
func (h *host) mayQueue(p *Peer, cost int) bool {
	for h.queued+cost > h.limits.MaxHostQueued {
		greedy := p
		for _, q := range h.peers {
			if q.queued > greedy.queued {
				greedy = q
			}
		}
		if greedy == p {
			return false
		}
		h.stats.Evicted++
		greedy.dropQueues()
		greedy.fail(Overflow)
	}
	return true
}
