package enet

import "net/netip"

// Flush writes everything that waits, for all peers, as datagrams. A datagram is borrowed while emit runs; emit must not
// call the host.
func (h *Host) Flush(now uint32, emit func(to netip.AddrPort, datagram []byte)) {
	for len(h.dirty) > 0 {
		h.FlushPeer(now, h.dirty[len(h.dirty)-1], emit)
	}
}

// FlushPeer is Flush for one peer.
func (h *Host) FlushPeer(now uint32, p *Peer, emit func(to netip.AddrPort, datagram []byte)) {
	h.now = now
	if p.state == stateClosed {
		return
	}
	h.clean(p)
	w := writer{p: p, now: now, emit: emit, b: h.scratch[:maxHeader]}
	w.challenge()
	w.acks()
	w.reliable()
	w.unreliable()
	w.farewell()
	w.end()
	p.finishIfDone()
	h.schedule(p)
}

// writer builds the datagrams of one flush of one peer. The original stops a datagram at 32 commands, but its receiver
// reads on to the end of the datagram, so we fill each up to the MTU.
type writer struct {
	p    *Peer
	now  uint32
	emit func(netip.AddrPort, []byte)
	b    []byte // room for a header, then commands
	sent bool   // a command in b wants an acknowledgement
}

// end emits what is in b, if anything, and starts over.
func (w *writer) end() {
	if len(w.b) > maxHeader {
		w.out(w.p.closeDatagram(w.b, w.now, w.sent))
		w.b = w.b[:maxHeader]
		w.sent = false
	}
}

func (w *writer) out(datagram []byte) {
	st := &w.p.host.stats
	st.DatagramsOut++
	st.BytesOut += uint64(len(datagram))
	w.p.spent += len(datagram)
	w.p.stats.DatagramsOut++
	w.p.stats.BytesOut += uint64(len(datagram))
	w.emit(w.p.addr, datagram)
}

// room makes sure that n more bytes fit b.
func (w *writer) room(n int) {
	if len(w.b)+n > w.p.mtu {
		w.end()
	}
}

// mayAnswer tells whether a datagram of n more bytes keeps to what an unverified sender has earned.
func (w *writer) mayAnswer(n int) bool {
	p := w.p
	return p.state != stateVerifying || p.spent+len(w.b)+n <= amplification*p.received
}

func (w *writer) challenge() {
	p := w.p
	if !p.challenge.due {
		return
	}
	p.challenge.due = false
	if !w.mayAnswer(commandHeader) {
		return
	}
	d := p.appendChallenge(w.b[:0])
	st := &p.host.stats
	st.DatagramsOut++
	st.BytesOut += uint64(len(d))
	st.CommandsOut++
	p.spent += len(d)
	w.emit(p.challenge.to, d)
}

func (w *writer) acks() {
	p := w.p
	for _, a := range p.acks {
		w.room(commandSize[cmdAcknowledge])
		w.b = appendAcknowledge(w.b, a)
	}
	p.host.stats.CommandsOut += uint64(len(p.acks))
	p.acks = p.acks[:0]
}

// reliable writes pending commands as far as the window reaches. The rest waits for acknowledgements, which make the
// peer dirty again.
func (w *writer) reliable() {
	p := w.p
	for o := p.pending.head; o != nil; o = p.pending.head {
		if p.inFlight.n >= maxInFlight || o.dataLen > 0 && p.inTransit+int(o.dataLen) > p.window {
			return
		}
		if !w.mayAnswer(len(o.body)) {
			return
		}
		w.room(len(o.body))
		if !p.launch(o, w.now) {
			return
		}
		w.b = append(w.b, o.body...)
		w.sent = true
		p.host.stats.CommandsOut++
	}
}

// unreliable emits the chunks where they are; one that fits behind what is in b is copied there instead.
func (w *writer) unreliable() {
	p := w.p
	if p.fill == 0 && len(p.full) == 0 {
		return
	}
	for _, chunk := range p.full {
		w.chunk(chunk)
	}
	if p.fill > 0 {
		w.chunk(p.chunk[:p.fill])
	}
	p.host.stats.CommandsOut += p.loose
	p.dropUnreliable()
}

func (w *writer) chunk(b []byte) {
	if len(w.b) > maxHeader {
		if len(w.b)+len(b)-maxHeader <= w.p.mtu {
			w.b = append(w.b, b[maxHeader:]...)
			return
		}
		w.end()
	}
	w.out(w.p.closeDatagram(b, w.now, false))
}

func (w *writer) farewell() {
	p := w.p
	if !p.farewell {
		return
	}
	p.farewell = false
	p.controlSeq++
	w.room(commandSize[cmdDisconnect])
	w.b = appendHeader(w.b, cmdDisconnect|flagUnsequenced, controlChannel, p.controlSeq)
	w.b = append(w.b, 0, 0, 0, 0)
	p.host.stats.CommandsOut++
}
