package enet

import "net/netip"

// Flush calls emit with every datagram that is queued for any peer. The bytes of a datagram are valid only until emit
// returns. The function emit must not call the host.
func (h *Host) Flush(now uint32, emit func(to netip.AddrPort, datagram []byte)) {
	for i := range h.replies {
		h.stats.DatagramsOut++
		h.stats.BytesOut += uint64(len(h.replies[i].datagram))
		emit(h.replies[i].to, h.replies[i].datagram)
	}
	clear(h.replies)
	h.replies = h.replies[:0]
	for len(h.dirty) > 0 {
		h.FlushPeer(now, h.dirty[len(h.dirty)-1], emit)
	}
}

// FlushPeer calls emit with every datagram that is queued for one peer. The rules of Flush apply.
func (h *Host) FlushPeer(now uint32, p *Peer, emit func(to netip.AddrPort, datagram []byte)) {
	h.now = now
	if p.state == stateClosed {
		return
	}
	h.clearDirty(p)
	w := writer{p: p, now: now, emit: emit, buf: h.scratch[:maxHeader]}
	w.writeChallenge()
	w.writeAcks()
	w.writeReliable()
	w.writeUnreliable()
	w.writeFarewell()
	w.endDatagram()
	p.finishIfDone()
	h.schedule(p)
}

// writer builds the datagrams of one flush for one peer, each as long as the MTU permits. Libenet 1.1 puts at most 32
// commands into a datagram, but it accepts more.
type writer struct {
	p        *Peer
	now      uint32
	emit     func(netip.AddrPort, []byte) // function that sends a datagram
	buf      []byte                       // space for the header, followed by the commands
	wantsAck bool                         // a command in buf requests an acknowledgement
}

// endDatagram emits the datagram in buf and begins a new one. It does nothing if buf contains no command.
func (w *writer) endDatagram() {
	if len(w.buf) > maxHeader {
		w.emitDatagram(w.p.closeDatagram(w.buf, w.now, w.wantsAck))
		w.buf = w.buf[:maxHeader]
		w.wantsAck = false
	}
}

func (w *writer) emitDatagram(datagram []byte) {
	st := &w.p.host.stats
	st.DatagramsOut++
	st.BytesOut += uint64(len(datagram))
	w.p.sentBytes += len(datagram)
	w.p.stats.DatagramsOut++
	w.p.stats.BytesOut += uint64(len(datagram))
	w.emit(w.p.addr, datagram)
}

// ensureRoom makes room for n more bytes. If they do not fit into the current datagram, it begins a new one.
func (w *writer) ensureRoom(n int) {
	if len(w.buf)+n > w.p.mtu {
		w.endDatagram()
	}
}

// withinAmplification reports whether n more bytes may be sent to the peer. An unverified sender is sent at most three
// times as many bytes as were received from it.
func (w *writer) withinAmplification(n int) bool {
	p := w.p
	return p.state != stateVerifying || p.sentBytes+len(w.buf)+n <= amplification*p.receivedBytes
}

func (w *writer) writeChallenge() {
	p := w.p
	if !p.challenge.pending {
		return
	}
	p.challenge.pending = false
	if !w.withinAmplification(commandHeader) {
		return
	}
	d := p.appendChallenge(w.buf[:0])
	st := &p.host.stats
	st.DatagramsOut++
	st.BytesOut += uint64(len(d))
	st.CommandsOut++
	p.sentBytes += len(d)
	w.emit(p.challenge.to, d)
}

func (w *writer) writeAcks() {
	p := w.p
	for _, a := range p.acks {
		w.ensureRoom(commandSize[cmdAcknowledge])
		w.buf = appendAcknowledge(w.buf, a)
	}
	p.host.stats.CommandsOut += uint64(len(p.acks))
	p.acks = p.acks[:0]
}

// writeReliable writes pending reliable commands as far as the window permits. The other commands stay pending until an
// acknowledgement makes room in the window.
func (w *writer) writeReliable() {
	p := w.p
	for o := p.pending.head; o != nil; o = p.pending.head {
		if p.inFlight.n >= maxInFlight || o.dataLen > 0 && p.inTransit+int(o.dataLen) > p.window {
			return
		}
		if !w.withinAmplification(len(o.body)) {
			return
		}
		w.ensureRoom(len(o.body))
		if !p.markSent(o, w.now) {
			return
		}
		w.buf = append(w.buf, o.body...)
		w.wantsAck = true
		p.host.stats.CommandsOut++
	}
}

// writeUnreliable emits the queued unreliable commands. They are stored as complete datagrams, called chunks. If the
// current datagram has commands and enough room, a chunk is appended to it. Otherwise the chunk is emitted as a datagram of
// its own, without a copy.
func (w *writer) writeUnreliable() {
	p := w.p
	if p.chunkUsed == 0 && len(p.fullChunks) == 0 {
		return
	}
	for _, chunk := range p.fullChunks {
		w.writeChunk(chunk)
	}
	if p.chunkUsed > 0 {
		w.writeChunk(p.chunk[:p.chunkUsed])
	}
	p.host.stats.CommandsOut += p.unreliableCount
	p.dropUnreliable()
}

func (w *writer) writeChunk(b []byte) {
	if len(w.buf) > maxHeader {
		if len(w.buf)+len(b)-maxHeader <= w.p.mtu {
			w.buf = append(w.buf, b[maxHeader:]...)
			return
		}
		w.endDatagram()
	}
	w.emitDatagram(w.p.closeDatagram(b, w.now, false))
}

func (w *writer) writeFarewell() {
	p := w.p
	if !p.sendFarewell {
		return
	}
	p.sendFarewell = false
	p.controlSeq++
	w.ensureRoom(commandSize[cmdDisconnect])
	w.buf = appendHeader(w.buf, cmdDisconnect|flagUnsequenced, controlChannel, p.controlSeq)
	w.buf = append(w.buf, 0, 0, 0, 0)
	p.host.stats.CommandsOut++
}
