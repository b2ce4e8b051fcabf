package raknet

// The memory of all sessions together is limited. At the limit, the session that uses the most memory ends. If new data were
// refused instead, a few sessions could starve all others.

// makeReceiveRoom reports whether received data that take cost bytes may be held for peer p, in addition to what is held
// already. To make room, it ends sessions that hold more bytes than p.
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

// makeSendRoom reports whether a message that takes cost bytes may be added to the send queue of peer p. To make room, it
// empties the send queues of sessions that have more bytes queued than p. These sessions end with an event at the next Tick.
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
