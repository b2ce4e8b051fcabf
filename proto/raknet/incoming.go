package raknet

// receive handles a datagram of the peer's connection: an ACK, a NACK, or data. It ignores the datagram if the connection
// is not open yet, or has ended.
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

// countMalformed counts a malformed datagram. After Limits.MaxMalformed of them within one second the session ends; a single
// one does not end it, because it may be forged. The caller calls countMalformed only for datagrams whose number is in the
// receive window and was not received before. Otherwise an attacker that knows only the peer's address could end the session.
func (p *Peer) countMalformed() {
	h := p.host
	if h.now-p.badSince >= 1000 {
		p.badSince, p.badCount = h.now, 0
	}
	if p.badCount++; p.badCount >= h.limits.MaxMalformed && p.state != stateLingering {
		p.end(ProtocolViolation)
	}
}

// receiveData handles a data datagram. It validates all frames before it processes the first. A datagram that has a
// malformed frame, or for which there is no room, is not acknowledged.
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

// acceptsFrames reports whether received frames are still processed in the present state of the peer.
func (p *Peer) acceptsFrames() bool {
	return p.state == stateOpen || p.state == stateConnected || p.state == stateClosing
}

// validFrames reports whether b consists of well-formed frames that do not exceed the configured limits. Earlier datagrams
// do not matter for the result.
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

// hasRoomFor reports whether the messages in b can be accepted now: they must be within the receive windows, and there must
// be room for incomplete messages. Otherwise the datagram is not acknowledged, so that the sender retransmits it. The
// frames in b must be valid.
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

// handleFrame processes one frame. It drops a message that was received before. It stores a part of a split message until
// all parts have arrived. It delivers an ordered message when its turn in the channel comes.
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
