package raknet

// What all sessions together may make us remember is bounded. When the bound is reached the session that takes the most
// of it ends: refusing whoever comes next would let a few sessions lock out all others.

// mayHold tells whether cost more bytes of incoming messages may be held for a peer, and ends others for it.
func (h *host) makeReceiveRoom(p *Peer, cost int) bool {
	for h.held+cost > h.limits.MaxHostReceiveBytes {
		largest := p
		for _, q := range h.peers {
			if q.heldBytes+q.splitBytes > largest.heldBytes+largest.splitBytes {
				largest = q
			}
		}
		if largest == p {
			return false
		}
		h.stats.Evicted++
		largest.end(ProtocolViolation)
	}
	return true
}

// mayQueue tells whether cost more bytes may wait for a peer, and empties the queues of others for it. Those are told at
// the next Tick.
func (h *host) makeSendRoom(p *Peer, cost int) bool {
	for h.queued+cost > h.limits.MaxHostQueuedBytes {
		largest := p
		for _, q := range h.peers {
			if q.queuedBytes > largest.queuedBytes {
				largest = q
			}
		}
		if largest == p {
			return false
		}
		h.stats.Evicted++
		largest.dropQueues()
		largest.fail(Overflow)
	}
	return true
}
