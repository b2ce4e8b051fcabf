package raknet

// receive handles a datagram of the peer's connection: an ACK, a NACK, or data. Before Open Connection Reply 2 and after the
// end of the session it ignores the datagram.
func (p *Peer) receive(b []byte) {
	p.lastReceived = p.host.now
	p.stats.DatagramsIn++
	p.stats.BytesIn += uint64(len(b))
	switch flags := b[0]; {
	case p.state == stateClosed || p.state == stateConnecting:
	case flags&(flagAck|flagNack) != 0:
		p.receiveRecords(b[1:], flags&flagAck != 0)
	default:
		p.receiveData(b)
	}
}

func (p *Peer) receiveRecords(b []byte, ack bool) {
	spans, ok := parseRecords(p.host.spans[:0], b)
	p.host.spans = spans
	if !ok {
		p.host.stats.BadRecords++
		return
	}
	if ack {
		p.handleAck(spans)
	} else {
		p.handleNack(spans)
	}
}

// countMalformed counts a malformed datagram whose number is plausible: in the receive window and not received before. Such a
// datagram may be forged, so only Limits.MaxMalformed of them within one second end the session. Datagrams with other numbers
// are not counted; otherwise an attacker that knows only the peer's address could end the session.
func (p *Peer) countMalformed() {
	h := p.host
	if h.now-p.badSince >= 1000 {
		p.badSince, p.badCount = h.now, 0
	}
	if p.badCount++; p.badCount >= h.limits.MaxMalformed && p.state != stateLingering {
		p.end(ProtocolViolation)
	}
}

// receiveData handles a data datagram. All frames are validated before any takes effect, and the datagram is acknowledged
// only if they are accepted.
func (p *Peer) receiveData(b []byte) {
	h, st := p.host, &p.host.stats
	if len(b) <= headerSize {
		st.BadFrames++
		return
	}
	n := extend(u24(b[1:]), p.in.high)
	if n < 0 || p.in.tooFarAhead(n) {
		st.TooFarAhead++
		return
	}
	if !p.validFrames(b[headerSize:]) {
		st.BadFrames++
		if !p.in.seen(n) {
			p.countMalformed()
		}
		return
	}
	if !p.in.canAck(n) {
		st.AckBacklog++
		return
	}
	if p.in.seen(n) {
		st.Duplicates++
		p.in.queueAck(n, h.now, h.limits.AckDelay)
		p.markDirty()
		return
	}
	if p.state == stateLingering {
		p.in.add(n, h.now, never/2)
		p.in.queueAck(n, h.now, 0)
		p.markDirty()
		return
	}
	if p.imitateJSP && n > p.in.low+jspWindow {
		st.DroppedImitatingJSP++
		p.in.queueAck(n, h.now, h.limits.AckDelay)
		p.markDirty()
		return
	}
	if !p.hasRoomFor(b[headerSize:]) {
		st.NoRoom++
		return
	}
	p.in.add(n, h.now, p.nackDelay())
	p.in.queueAck(n, h.now, h.limits.AckDelay)
	p.markDirty()
	for b = b[headerSize:]; len(b) > 0 && p.acceptsFrames(); {
		var f frame
		f, b, _ = parseFrame(b)
		p.handleFrame(&f)
	}
}

// acceptsFrames reports whether the peer is in a state in which received frames are still processed.
func (p *Peer) acceptsFrames() bool {
	return p.state == stateOpen || p.state == stateConnected || p.state == stateClosing
}

// validFrames reports whether b consists of well-formed frames. The result depends on b and the configured limits alone, not on
// earlier datagrams.
func (p *Peer) validFrames(b []byte) bool {
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

// hasRoomFor reports whether the messages in b, whose frames are valid, are within the receive windows and the limits of
// incomplete messages. If they are not, the datagram is not acknowledged, so the sender retransmits it.
func (p *Peer) hasRoomFor(b []byte) bool {
	newSplits := 0
	for len(b) > 0 {
		var f frame
		f, b, _ = parseFrame(b)
		if f.kind.reliable() {
			if m := extend(f.message, p.messages.low); m < 0 || p.messages.tooFarAhead(m) {
				return false
			} else if p.messages.seen(m) {
				continue
			}
		}
		if f.split {
			s := p.findSplit(f.id)
			if s == nil {
				newSplits++
			}
			if s != nil && s.count != f.count || len(p.splits)+newSplits > p.host.limits.MaxSplits {
				return false
			}
		}
		if f.kind == ReliableOrdered {
			if next := p.nextOrderIndex(f.channel); extend(f.order, next) >= next+windowSize {
				return false
			}
		}
	}
	return true
}

// handleFrame drops a message that was received before. It delivers a new message in the order of its channel, a split message
// once all its parts have arrived.
func (p *Peer) handleFrame(f *frame) {
	if f.kind.reliable() {
		m := extend(f.message, p.messages.low)
		if p.messages.tooFarAhead(m) {
			p.host.stats.NoRoom++
			return
		}
		if p.messages.seen(m) {
			p.host.stats.Repeated++
			return
		}
		if p.imitateJSP && m > p.messages.low+jspWindow {
			p.host.stats.DroppedImitatingJSP++
			return
		}
		p.messages.mark(m)
	}
	if !f.split {
		p.deliverInOrder(f, false)
		return
	}
	if p.addPart(f) {
		p.deliverInOrder(f, true)
	}
}
