package raknet

import "net/netip"

// Send queues a copy of a message for the next Flush. The first byte of body is the message's id, from 0x80; the game's
// batches have 0xfe, and ids below 0x80 are RakNet's own. A message too long for one datagram is split, and then sent
// reliably even if r is unreliable. Ordered messages use channel 0. Errors are ErrNotConnected, ErrTooLong and
// ErrQueueFull.
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
		r = r.reliableForm() // a peer that expects retransmission under the same number waits for every number, so nothing may be lost
	}
	if size+r.headerSize() > room {
		size = room - frameSize - splitSize
		parts = (len(body) + size - 1) / size
	}
	// This is an upper bound: one new datagram for each part, and one more.
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

// reliableForm returns the reliability that guarantees delivery and has the same ordering as r.
func (r Reliability) reliableForm() Reliability {
	switch r {
	case Unreliable:
		return Reliable
	case UnreliableSequenced:
		return ReliableSequenced
	}
	return r
}

// enqueueFrame appends a frame to the last unsent datagram, or to a new one.
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

// countQueued adds n bytes to the counted memory of the send queues; n may be negative.
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

// flush emits the datagrams that are due: retransmissions, new datagrams as far as the congestion window permits, ACKs
// and NACKs.
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

// nackPolicy returns the ms between repeated NACKs of one gap, and the maximum number of NACKs. A peer with a
// retransmission timer gets only one NACK, because it would treat a second one as another loss, retransmit again and reduce
// its rate.
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

// emitRecords emits the numbers in spans as ACKs or as NACKs, depending on flags. It returns spans with length 0, so that the
// caller can use its memory again.
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

// sendPending sends new datagrams as far as the congestion window permits.
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

// canTransmit reports whether a new datagram may be sent. Three windows limit it: (1) the number of datagrams in flight, (2)
// the range of message indices that are not acknowledged and, (3) only for a peer that expects retransmission under the same
// number, the range of datagram numbers in flight.
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

// transmit emits a datagram. A retransmission gets a new datagram number, as every other transmission does. The exception is a
// peer that retransmits under the same number: for it, a retransmission keeps the previous number of the datagram.
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
