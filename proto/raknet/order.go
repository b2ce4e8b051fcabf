package raknet

import "bytes"

// channel is the receiving side of one ordering channel.
type channel struct {
	next     int64            // order index that is delivered next
	sequence int64            // lowest sequence index that is delivered
	held     map[int64][]byte // by order index, all above next
}

// heldCost is what a held message or part costs beside its bytes.
const heldCost = 96

func (p *Peer) expected(number uint8) int64 {
	if c := p.channels[number]; c != nil {
		return c.next
	}
	return 0
}

// arrange delivers a whole message when its turn has come. owned tells that its body is not borrowed.
func (p *Peer) arrange(f *frame, owned bool) {
	if !f.kind.ordered() {
		if f.kind == Unreliable && f.body[0] == idConnectionRequest && !p.client && p.accepted == 0 {
			p.byNumber = true // only a side that repeats by number would entrust this to chance
		}
		p.deliver(f.body)
		return
	}
	c := p.channels[f.channel]
	if c == nil {
		c = &channel{}
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
		p.hold(c, n, f.body, owned)
		return
	}
	p.moved = p.host.now
	c.next++
	p.deliver(f.body)
	for len(c.held) > 0 && p.listening() {
		body, ok := c.held[c.next]
		if !ok {
			return
		}
		delete(c.held, c.next)
		p.unhold(len(body))
		c.next++
		p.deliver(body)
	}
}

// hold keeps a message that came before its turn.
func (p *Peer) hold(c *channel, n int64, body []byte, owned bool) {
	h := p.host
	if _, taken := c.held[n]; taken || n < c.next || n >= c.next+windowSize {
		h.stats.Stale++
		return
	}
	cost := len(body) + heldCost
	if p.heldNum >= h.limits.MaxHeld || p.heldSize+cost > h.limits.MaxHeldBytes || !h.mayHold(p, cost) {
		p.lose(Broken)
		return
	}
	if p.heldNum == 0 {
		p.moved = h.now
	}
	if !owned {
		body = bytes.Clone(body)
	}
	if c.held == nil {
		c.held = map[int64][]byte{}
	}
	c.held[n] = body
	p.heldNum++
	p.heldSize += cost
	h.held += cost
}

func (p *Peer) unhold(size int) {
	p.heldNum--
	p.heldSize -= size + heldCost
	p.host.held -= size + heldCost
}
