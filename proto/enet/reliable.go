package enet

import "encoding/binary"

// nodeCost is the memory of an outgoing command besides buffers outside of it, rounded up.
const nodeCost = 256

// maxInFlight bounds the commands that are sent and not acknowledged; the window alone would allow 32768 empty ones.
const maxInFlight = 1024

// ack is an acknowledgement that waits for a flush.
type ack struct {
	channel uint8
	seq     uint16
	sent    uint16
}

// fragmentData is how many bytes of a message fit one datagram; longer ones go in fragments.
func (p *Peer) fragmentData() int { return p.mtu - maxHeader - commandSize[cmdFragment] }

// Send queues a reliable message; data is copied. Longer messages than MTU-32 bytes go as fragments.
// Errors: ErrNotConnected, ErrChannel, ErrTooLong, ErrQueueFull; nothing is queued then.
func (p *Peer) Send(channel uint8, data []byte) error {
	if p.state != stateConnected {
		return ErrNotConnected
	}
	if int(channel) >= p.channelCount {
		return ErrChannel
	}
	if len(data) > p.host.cfg.MaxMessage {
		return ErrTooLong
	}
	piece := p.fragmentData()
	pieces := max(1, (len(data)+piece-1)/piece)
	if err := p.roomFor(pieces, len(data)); err != nil {
		return err
	}
	if pieces > 1 {
		p.sendFragments(channel, data, piece, pieces)
		return nil
	}
	ch := p.out(channel)
	ch.reliable++
	o := p.newCommand(cmdReliable, channel, ch.reliable, len(data))
	o.body = binary.BigEndian.AppendUint16(o.body, uint16(len(data)))
	o.body = append(o.body, data...)
	p.queueCommand(o)
	return nil
}

// roomFor checks the queue limits for a message of that many commands and bytes, by the memory it would take at most.
func (p *Peer) roomFor(commands, bytes int) error {
	cost := commands * nodeCost
	if bytes+commandSize[cmdReliable] > smallBody {
		cost += mediumBody
	}
	if bytes+commandSize[cmdReliable] > mediumBody {
		cost = commands * (nodeCost + p.host.cfg.MTU)
	}
	if p.queued+cost > p.host.cfg.MaxQueued || p.host.queuedBytes+cost > p.host.cfg.MaxHostQueued {
		p.host.stats.QueueFull++
		return ErrQueueFull
	}
	return nil
}

// sendFragments queues data in pieces; each takes a sequence of its own.
func (p *Peer) sendFragments(channel uint8, data []byte, piece, pieces int) {
	ch := p.out(channel)
	f := fragment{start: ch.reliable + 1, count: uint32(pieces), total: uint32(len(data))}
	for len(data) > 0 {
		n := min(piece, len(data))
		ch.reliable++
		o := p.newCommand(cmdFragment, channel, ch.reliable, n)
		o.body = append(f.append(o.body, n), data[:n]...)
		p.queueCommand(o)
		data = data[n:]
		f.number++
		f.offset += uint32(n)
	}
}

// newCommand starts a command that wants an acknowledgement; its body holds the four header bytes.
func (p *Peer) newCommand(kind, channel uint8, seq uint16, dataLen int) *outgoing {
	o := p.host.pool.node(commandSize[kind] + dataLen)
	o.kind, o.channel, o.seq, o.dataLen = kind, channel, seq, uint16(dataLen)
	o.body = appendHeader(o.body, kind|flagAck, channel, seq)
	return o
}

// newControl starts a command of the connection itself.
func (p *Peer) newControl(kind uint8) *outgoing {
	p.controlSeq++
	return p.newCommand(kind, controlChannel, p.controlSeq, 0)
}

func (p *Peer) queueCommand(o *outgoing) {
	o.cost = nodeCost
	if cap(o.body) > smallBody {
		o.cost += cap(o.body)
	}
	p.queued += o.cost
	p.host.queuedBytes += o.cost
	p.pending.pushBack(o)
	p.host.touch(p)
}

func (p *Peer) queueDisconnect(data uint32) {
	o := p.newControl(cmdDisconnect)
	o.body = binary.BigEndian.AppendUint32(o.body, data)
	p.queueCommand(o)
}

func (p *Peer) queuePing() { p.queueCommand(p.newControl(cmdPing)) }

// queueBandwidth says that we limit nothing. The original's client sends it once connected.
func (p *Peer) queueBandwidth() {
	o := p.newControl(cmdBandwidthLimit)
	o.body = append(o.body, 0, 0, 0, 0, 0, 0, 0, 0)
	p.queueCommand(o)
}

// freeCommand gives a command that is in no queue back to the pool.
func (p *Peer) freeCommand(o *outgoing) {
	p.queued -= o.cost
	p.host.queuedBytes -= o.cost
	p.host.pool.putNode(o)
}

// flights is the ring of a channel that was sent on, nil if it was not.
func (p *Peer) flights(channel uint8) *ring {
	if channel == controlChannel {
		return &p.controlRing
	}
	if int(channel) < len(p.outs) {
		return p.outs[channel].flights
	}
	return nil
}

// launch marks a pending command as sent at now. false: the oldest unacknowledged one of its channel is too far behind.
func (p *Peer) launch(o *outgoing, now uint32) bool {
	if !o.flying {
		if o.channel != controlChannel && p.outs[o.channel].flights == nil {
			p.outs[o.channel].flights = new(ring)
		}
		if !p.flights(o.channel).put(o) {
			return false
		}
		o.flying = true
		p.stats.Sent++
		o.firstSent = now
		o.rto = max(p.rtt+4*p.rttVar, uint32(p.host.cfg.MinRTO))
		o.rtoLimit = timeoutFactor * o.rto
	} else {
		p.host.stats.Resent++
		p.stats.Resent++
	}
	p.pending.remove(o)
	o.sent(now)
	if due := o.resendDue(); p.inFlight.n == 0 || before(due, p.resendAt) {
		p.resendAt = due
	}
	p.inFlight.pushBack(o)
	p.inTransit += int(o.dataLen)
	return true
}

// land takes an acknowledged command out of wherever it is.
func (p *Peer) land(o *outgoing) {
	p.flights(o.channel).remove(o)
	if o.in == &p.inFlight {
		p.inTransit -= int(o.dataLen)
	}
	o.in.remove(o)
	p.freeCommand(o)
}

// acknowledged handles an ACK. It counts only if it names a command that is outstanding and echoes a time at which that
// command was sent. false ends the datagram.
func (p *Peer) acknowledged(c *command, now uint32) bool {
	seq, stamp := c.u16(4), c.u16(6)
	if p.challenge.answered(c, p.addr) {
		p.challenge = challenge{}
		p.lastAck = now
		p.suspect = false
		if p.state == stateVerifying {
			p.complete()
		}
		return true
	}
	var o *outgoing
	if r := p.flights(c.channel); r != nil {
		o = r.get(seq)
	}
	if o == nil {
		return p.badAck()
	}
	at, ok := o.sentWhen(stamp, p.clockOffset)
	if !ok {
		return p.badAck()
	}
	p.lastAck = now
	p.suspect = false
	p.measure(now - at)
	kind := o.kind
	p.land(o)
	p.host.touch(p) // the window may have opened
	switch {
	case p.state == stateVerifying && kind == cmdVerify:
		p.complete()
	case p.state == stateDisconnecting && kind == cmdDisconnect:
		p.lose(ByUs, 0, false)
	case p.state == stateFinishing:
		p.finishIfDone()
	}
	return true
}

// badAck counts a wrong acknowledgement. A connected peer sends them honestly after spurious resends; from a half-open
// one they are guesses.
func (p *Peer) badAck() bool {
	p.host.stats.BadAck++
	if p.state != stateVerifying {
		return true
	}
	if p.misses++; p.misses >= maxMisses {
		p.host.stats.HalfOpenLost++
		p.host.freeSlot(p)
	}
	return false
}
