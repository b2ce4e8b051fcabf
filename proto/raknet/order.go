package raknet

import "bytes"

// orderChannel is the receive state of one ordering channel: the index of the next message to deliver, and the messages
// that arrived before their turn.
type orderChannel struct {
	next     int64            // order index of the next message to deliver
	sequence int64            // lowest sequence index that is still delivered; messages with lower ones are too old
	held     map[int64][]byte // messages that arrived early, by order index; every index is above next
}

// heldOverhead is the number of bytes that a held message or part takes in addition to its body. Limits of memory include it.
const heldOverhead = 96

func (p *Peer) nextOrderIndex(number uint8) int64 {
	if c := p.channels[number]; c != nil {
		return c.next
	}
	return 0
}

// deliverInOrder delivers the message in f once all earlier messages of its channel are delivered; until then it holds the
// message. If owned is true, the body has memory of its own and can be held without a copy. Otherwise it is part of the
// received datagram.
func (p *Peer) deliverInOrder(f *frame, owned bool) {
	if !f.kind.ordered() {
		if f.kind == Unreliable && f.body[0] == idConnectionRequest && !p.client && p.acceptsSent == 0 {
			p.sameNumber = true // only jsp-raknet, which retransmits under the same number, sends its connection request unreliably
		}
		p.deliver(f.body)
		return
	}
	c := p.channels[f.channel]
	if c == nil {
		c = &orderChannel{}
		p.channels[f.channel] = c
	}
	if f.kind.sequenced() {
		if n := extend(f.sequence, c.sequence); n >= c.sequence {
			c.sequence = n + 1
			p.deliver(f.body)
		} else {
			p.host.stats.Stale++
		}
		return
	}
	n := extend(f.order, c.next)
	if n != c.next {
		p.holdOutOfOrder(c, n, f.body, owned)
		return
	}
	p.lastOrdered = p.host.now
	c.next++
	p.deliver(f.body)
	for len(c.held) > 0 && p.acceptsFrames() {
		body, ok := c.held[c.next]
		if !ok {
			return
		}
		if delete(c.held, c.next); len(c.held) == 0 {
			c.held = nil // releases the map, which would keep the memory of its greatest size
		}
		p.releaseHeld(len(body))
		c.next++
		p.deliver(body)
	}
}

// holdOutOfOrder stores a message until the missing messages before it have arrived. The parameter n is the message's index
// in its channel. If a limit of held messages is exceeded, the session ends.
func (p *Peer) holdOutOfOrder(c *orderChannel, n int64, body []byte, owned bool) {
	h := p.host
	if _, duplicate := c.held[n]; duplicate || n < c.next || n >= c.next+windowSize {
		h.stats.Stale++
		return
	}
	cost := len(body) + heldOverhead
	if p.heldCount >= h.limits.MaxOutOfOrder || p.heldBytes+cost > h.limits.MaxOutOfOrderBytes || !h.makeReceiveRoom(p, cost) {
		p.end(ProtocolViolation)
		return
	}
	if p.heldCount == 0 {
		p.lastOrdered = h.now
	}
	if !owned {
		body = bytes.Clone(body)
	}
	if c.held == nil {
		c.held = map[int64][]byte{}
	}
	c.held[n] = body
	p.heldCount++
	p.heldBytes += cost
	h.heldBytes += cost
}

func (p *Peer) releaseHeld(size int) {
	p.heldCount--
	p.heldBytes -= size + heldOverhead
	p.host.heldBytes -= size + heldOverhead
}
