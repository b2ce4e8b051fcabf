package raknet

import (
	"bytes"
	"cmp"
	"slices"
)

// receive takes a datagram of the connection, whole.
func (p *Peer) receive(b []byte) {
	p.heard = p.host.now
	switch flags := b[0]; {
	case p.state == stateClosed || p.state == stateConnecting:
	case flags&(flagAck|flagNack) != 0:
		p.ackOrNack(b[1:], flags&flagAck != 0)
	default:
		p.data(b)
	}
}

func (p *Peer) ackOrNack(b []byte, ack bool) {
	spans, ok := parseRecords(p.host.spans[:0], b)
	p.host.spans = spans
	if !ok {
		p.host.stats.BadRecords++
		p.wrong()
		return
	}
	if ack {
		p.acknowledged(spans)
	} else {
		p.asked(spans)
	}
}

// wrong counts a datagram that makes no sense. One of them may be forged, so only many in a second end the session.
func (p *Peer) wrong() {
	h := p.host
	if h.now-p.badAt >= 1000 {
		p.badAt, p.bad = h.now, 0
	}
	if p.bad++; p.bad >= h.limits.MaxBad && p.state != stateLingering {
		p.lose(Broken)
	}
}

// data takes a data datagram. All its frames are judged before any of them has an effect, and it is acknowledged only if
// they are taken.
func (p *Peer) data(b []byte) {
	h, st := p.host, &p.host.stats
	if len(b) <= headerSize || !p.sound(b[headerSize:]) {
		st.BadFrames++
		p.wrong()
		return
	}
	n := extend(u24(b[1:]), p.in.high)
	if n < 0 || p.in.ahead(n) {
		st.TooFarAhead++
		p.wrong()
		return
	}
	if !p.in.mayAck(n) {
		st.OverAcks++
		return
	}
	if p.in.seen(n) {
		st.Duplicates++
		p.in.acknowledge(n, h.now, h.limits.AckDelay)
		p.touch()
		return
	}
	if p.state == stateLingering {
		p.in.take(n, h.now, never/2)
		p.in.acknowledge(n, h.now, 0)
		p.touch()
		return
	}
	if p.narrow && n > p.in.low+narrowWindow {
		st.Narrow++
		p.in.acknowledge(n, h.now, h.limits.AckDelay)
		p.touch()
		return
	}
	if !p.takes(b[headerSize:]) {
		st.NotTaken++
		return
	}
	p.in.take(n, h.now, p.nackDelay())
	p.in.acknowledge(n, h.now, h.limits.AckDelay)
	p.touch()
	for b = b[headerSize:]; len(b) > 0 && p.listening(); {
		var f frame
		f, b, _ = parseFrame(b)
		p.take(&f)
	}
}

// listening tells whether frames are of interest.
func (p *Peer) listening() bool {
	return p.state == stateOpen || p.state == stateConnected || p.state == stateClosing
}

// sound tells whether frames are well-formed, whatever came before.
func (p *Peer) sound(b []byte) bool {
	for len(b) > 0 {
		f, rest, ok := parseFrame(b)
		if !ok || f.channel >= maxChannels {
			return false
		}
		if f.split && (f.count < 1 || f.count > uint32(p.host.limits.MaxParts) || f.index >= f.count) {
			return false
		}
		b = rest
	}
	return true
}

// takes tells whether there is room for what sound frames would have us hold. What is refused will be sent again.
func (p *Peer) takes(b []byte) bool {
	opening := 0
	for len(b) > 0 {
		var f frame
		f, b, _ = parseFrame(b)
		if f.kind.reliable() {
			if m := extend(f.message, p.messages.low); m < 0 || p.messages.ahead(m) {
				return false
			} else if p.messages.seen(m) {
				continue
			}
		}
		if f.split {
			s := p.findSplit(f.id)
			if s == nil {
				opening++
			}
			if s != nil && s.count != f.count || len(p.splits)+opening > p.host.limits.MaxSplits {
				return false
			}
		}
		if f.kind == ReliableOrdered {
			if next := p.expected(f.channel); extend(f.order, next) >= next+windowSize {
				return false
			}
		}
	}
	return true
}

// take gives a frame its effect.
func (p *Peer) take(f *frame) {
	if f.kind.reliable() {
		m := extend(f.message, p.messages.low)
		if p.messages.ahead(m) {
			p.host.stats.NotTaken++
			return
		}
		if p.messages.seen(m) {
			p.host.stats.Repeated++
			return
		}
		if p.narrow && m > p.messages.low+narrowWindow {
			p.host.stats.Narrow++
			return
		}
		p.messages.mark(m)
	}
	if !f.split {
		p.arrange(f, false)
		return
	}
	if p.part(f) {
		p.arrange(f, true)
	}
}

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

// split is a message of which not all parts have come.
type split struct {
	id    uint16
	count uint32
	born  int64 // ms
	size  int   // bytes of parts
	parts []part
}

type part struct {
	index uint32
	body  []byte
}

func (p *Peer) findSplit(id uint16) *split {
	for _, s := range p.splits {
		if s.id == id {
			return s
		}
	}
	return nil
}

// part takes one part. When the message is complete its body is put into the frame.
func (p *Peer) part(f *frame) (complete bool) {
	h := p.host
	s := p.findSplit(f.id)
	if s == nil {
		s = &split{id: f.id, count: f.count, born: h.now}
		p.splits = append(p.splits, s)
	}
	at, found := slices.BinarySearchFunc(s.parts, f.index, func(x part, i uint32) int { return cmp.Compare(x.index, i) })
	if found {
		h.stats.Repeated++
		return false
	}
	cost := len(f.body) + heldCost
	if p.splitLen+cost > h.limits.MaxSplitBytes || !h.mayHold(p, cost) {
		p.lose(Broken)
		return false
	}
	p.splitLen += cost
	h.held += cost
	s.size += len(f.body)
	s.parts = slices.Insert(s.parts, at, part{f.index, bytes.Clone(f.body)})
	if uint32(len(s.parts)) < s.count {
		return false
	}
	body := make([]byte, 0, s.size)
	for _, x := range s.parts {
		body = append(body, x.body...)
	}
	f.body = body
	p.dropSplit(s)
	return true
}

func (p *Peer) dropSplit(s *split) {
	cost := s.size + len(s.parts)*heldCost
	p.splitLen -= cost
	p.host.held -= cost
	i := slices.Index(p.splits, s)
	p.splits = slices.Delete(p.splits, i, i+1)
}
