package raknet

// Memory of all sessions together is bounded. At the bound, the session that uses the most ends: refusing new data
// instead would let a few sessions starve all others.

// makeReceiveRoom reports whether cost more bytes may be held for a peer, and ends larger sessions to make room.
func (h *host) makeReceiveRoom(p *Peer, cost int) bool {
	for h.heldBytes+cost > h.limits.MaxHostReceiveBytes {
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

// makeSendRoom reports whether cost more bytes may be queued for a peer, and empties the queues of larger sessions to
// make room. Those end with an event at the next Tick.
func (h *host) makeSendRoom(p *Peer, cost int) bool {
	for h.queuedBytes+cost > h.limits.MaxHostQueuedBytes || h.limits.SendBudget != nil && !h.limits.SendBudget.HasRoom(cost) {
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
