package raknet

// receive takes a datagram of the connection, whole.
func (p *Peer) receive(b []byte) {
	p.heard = p.host.now
	p.stats.DatagramsIn++
	p.stats.BytesIn += uint64(len(b))
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
		return
	}
	if ack {
		p.acknowledged(spans)
	} else {
		p.asked(spans)
	}
}

// wrong counts a datagram that makes no sense although its number is one of the next. One of them may be forged, so only
// many in a second end the session; of those without such a number no number of them does, or a stranger who knows
// nothing but an address could end it with a trickle.
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
	if len(b) <= headerSize {
		st.BadFrames++
		return
	}
	n := extend(u24(b[1:]), p.in.high)
	if n < 0 || p.in.ahead(n) {
		st.TooFarAhead++
		return
	}
	if !p.sound(b[headerSize:]) {
		st.BadFrames++
		if !p.in.seen(n) {
			p.wrong()
		}
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
