package raknet

import "net/netip"

// Send queues a copy of a message for the next Flush. The first byte of the body is the id of the message. It must be at
// least 0x80, because lower ids are RakNet's own; the game uses 0xfe. A message that is too long for one datagram is split.
// Its parts are sent reliably, even if r is unreliable. Ordered messages use channel 0. Errors are ErrNotConnected,
// ErrTooLong and ErrQueueFull.
func (p *Peer) Send(body []byte, r Reliability) error {
	if p.state != stateConnected || p.failReason != 0 {
		return ErrNotConnected
	}
	return p.send(body, r)
}

// SendOrdered queues a copy of a message as Send does, with reliability ReliableOrdered.
func (p *Peer) SendOrdered(body []byte) error { return p.Send(body, ReliableOrdered) }

func (p *Peer) send(body []byte, r Reliability) error {
	h := p.host
	if len(body) == 0 || len(body) > h.limits.MaxMessage || r > ReliableSequenced {
		return ErrTooLong
	}
	room := p.payload - headerSize
	parts, size := 1, len(body)
	if size+r.headerSize() > room || p.sameNumber && !p.imitateJSP {
		r = r.reliableForm() // a peer that expects retransmission under the same number waits for every number, so all data must be reliable
	}
	if size+r.headerSize() > room {
		size = room - frameSize - splitSize
		parts = (len(body) + size - 1) / size
	}
	// need is an upper bound of the memory in bytes: one new datagram for each part, and one more.
	if need := (parts + 1) * maxMTU; p.queuedBytes+need > h.limits.MaxQueuedBytes || !h.makeSendRoom(p, need) {
		h.stats.QueueFull++
		p.fail(Overflow)
		return ErrQueueFull
	}
	f := frame{kind: r, split: parts > 1, count: uint32(parts), id: p.nextSplitID}
	if r.ordered() {
		f.order = p.nextOrder
	}
	switch {
	case r.sequenced():
		f.sequence = p.nextSequence
		p.nextSequence++
	case r.ordered():
		p.nextOrder++
	}
	if f.split {
		p.nextSplitID++
	}
	for i := range parts {
		f.index = uint32(i)
		f.body = body[i*size : min((i+1)*size, len(body))]
		p.enqueueFrame(&f)
	}
	p.markDirty()
	return nil
}

// reliableForm returns the reliability that has the same ordering as r and guarantees delivery.
func (r Reliability) reliableForm() Reliability {
	switch r {
	case Unreliable:
		return Reliable
	case UnreliableSequenced:
		return ReliableSequenced
	}
	return r
}

// enqueueFrame appends a frame to the last datagram that was not sent yet. If the frame does not fit, it goes into a new
// datagram.
func (p *Peer) enqueueFrame(f *frame) {
	size := f.kind.headerSize() + len(f.body)
	if f.split {
		size += splitSize
	}
	list := &p.unreliable
	if f.kind.reliable() {
		list = &p.pending
	}
	var o *outDatagram
	if n := len(*list); n > 0 && len((*list)[n-1].buf)+size <= p.payload {
		o = (*list)[n-1]
	} else {
		o = p.host.pool.get()
		o.firstMessage = p.nextMessage
		*list = append(*list, o)
		p.countQueued(cap(o.buf))
	}
	if f.kind.reliable() {
		f.message = uint32(p.nextMessage)
		p.nextMessage++
		o.messageCount++
	}
	o.buf = f.append(o.buf)
}

// countQueued adds n bytes, which may be negative, to the memory of the send queues.
func (p *Peer) countQueued(n int) {
	p.queuedBytes += n
	p.host.queuedBytes += n
	if b := p.host.limits.SendBudget; b != nil {
		b.Add(n)
	}
}

// freeDatagram returns a datagram to the pool for reuse.
func (p *Peer) freeDatagram(o *outDatagram) {
	p.countQueued(-cap(o.buf))
	p.host.pool.put(o)
}

// flush emits the datagrams that are due: retransmissions, ACKs, NACKs, and as many new datagrams as the congestion window
// permits.
func (p *Peer) flush(emit func(netip.AddrPort, []byte)) {
	now := p.host.now
	sent := p.retransmit(emit)
	sent = p.sendUnreliable(emit) || sent
	sent = p.sendPending(emit) || sent
	if len(p.in.ackSpans) > 0 && (sent || p.in.ackDue <= now || p.state == stateLingering) {
		p.in.ackSpans = p.emitRecords(emit, flagValid|flagAck, p.in.ackSpans)
	}
	if len(p.in.gaps) > 0 && p.in.nackDue <= now && p.state != stateLingering {
		again, tries := p.nackPolicy()
		spans := p.in.collectNacks(p.host.spans[:0], now, again, tries)
		p.host.spans = spans
		p.host.stats.NacksOut += uint64(len(spans))
		p.emitRecords(emit, flagValid|flagNack, spans)
	}
}

// nackPolicy returns how often missing datagrams are requested: the time in ms between two NACKs of the same gap, and the
// maximum number of NACKs of a gap. A peer with a retransmission timer gets only one NACK. It would treat a second one as
// another loss, retransmit again and reduce its rate.
func (p *Peer) nackPolicy() (again int64, tries int) {
	again = 2 * p.srtt / 1000
	switch {
	case p.imitateJSP: // imitate jsp-raknet, which sends one NACK and then waits forever
		return never/2 - p.host.now, 1
	case p.sameNumber:
		return again, maxNacks
	}
	return again, 1
}

// emitRecords emits the datagram numbers in spans as ACKs or as NACKs, as flags says. It returns spans with length 0, so that
// the caller can reuse its memory.
func (p *Peer) emitRecords(emit func(netip.AddrPort, []byte), flags byte, spans []span) []span {
	h := p.host
	for rest := spans; len(rest) > 0; {
		b, n := appendRecords(h.scratch[:0], flags, rest, p.payload)
		h.scratch = b
		p.emit(emit, b)
		rest = rest[n:]
	}
	return spans[:0]
}

func (p *Peer) sendUnreliable(emit func(netip.AddrPort, []byte)) bool {
	for i, o := range p.unreliable {
		p.transmit(o, emit)
		p.unreliable[i] = nil
		if !p.imitateJSP {
			p.freeDatagram(o)
			continue
		}
		o.retransmitAt = never // imitate jsp-raknet, which retransmits unreliable datagrams, too, after a NACK
		p.flight = append(p.flight, o)
	}
	sent := len(p.unreliable) > 0
	p.unreliable = p.unreliable[:0]
	return sent
}

// sendPending sends as many new datagrams as the congestion window permits. It returns whether it sent any.
func (p *Peer) sendPending(emit func(netip.AddrPort, []byte)) bool {
	n := 0
	for _, o := range p.pending {
		if !p.canTransmit(o) {
			break
		}
		if len(p.flight) == 0 {
			p.oldestMessage = o.firstMessage
			p.retransmitAt = never
		}
		o.firstSent = p.host.now
		p.stats.Sent++
		p.transmit(o, emit)
		p.scheduleRetransmit(o)
		p.flight = append(p.flight, o)
		n++
	}
	if n > 0 {
		rest := copy(p.pending, p.pending[n:])
		clear(p.pending[rest:])
		p.pending = p.pending[:rest]
	}
	return n > 0
}

// canTransmit reports whether a new datagram may be sent. This is limited by (1) the number of datagrams in flight and (2) the
// range of message indices that are not acknowledged. For a peer that expects retransmissions under the same number, a third
// limit applies: the range of datagram numbers in flight.
func (p *Peer) canTransmit(o *outDatagram) bool {
	if len(p.flight) == 0 || p.imitateJSP {
		return true
	}
	limit := int64(p.host.limits.MaxInFlight)
	if p.sameNumber && p.nextNumber-p.flight[0].number >= limit {
		return false
	}
	return len(p.flight) < p.cwnd && o.firstMessage+o.messageCount-p.oldestMessage <= limit
}

// transmit emits a datagram under a new datagram number, even if it is a retransmission. The exception is a peer that
// itself retransmits under the same number: for such a peer a retransmission keeps its number.
func (p *Peer) transmit(o *outDatagram, emit func(netip.AddrPort, []byte)) {
	if o.number < 0 || !p.sameNumber {
		o.number = p.nextNumber
		p.nextNumber++
	}
	o.buf[0] = dataFlags
	appendU24(o.buf[:1], uint32(o.number))
	o.lastSent = p.host.now
	o.sends++
	p.emit(emit, o.buf)
}

func (p *Peer) emit(emit func(netip.AddrPort, []byte), b []byte) {
	p.stats.DatagramsOut++
	p.stats.BytesOut += uint64(len(b))
	p.host.emit(emit, p.addr, b)
}
