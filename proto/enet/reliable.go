package enet

import "encoding/binary"

// nodeCost is the memory in bytes that an outgoing command takes in addition to its buffers, rounded up. The limits of the send
// queue count this memory, too.
const nodeCost = 256

// maxInFlight is the maximum number of unacknowledged commands. The window alone is not a sufficient limit: it counts bytes of
// data, so it would allow 32768 commands with one byte each, and any number of empty ones.
const maxInFlight = 1024

// ack is an acknowledgement to send with the next flush.
type ack struct {
	channel uint8
	seq     uint16
	sent    uint16
}

// fragmentData returns the maximum number of message bytes that fit into one fragment. Longer messages are sent in several
// fragments.
func (p *Peer) fragmentData() int { return p.mtu - maxHeader - commandSize[cmdFragment] }

// Send queues a copy of data as a reliable message. Messages longer than MTU-32 bytes are fragmented. Errors are
// ErrNotConnected, ErrChannel, ErrTooLong and ErrQueueFull; after an error nothing is queued.
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
	if err := p.checkQueueLimits(pieces, len(data)); err != nil {
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

// checkQueueLimits returns ErrQueueFull if the send queue has no room for one more message. The parameter commands is the
// number of commands into which the message is divided, and bytes is its length. checkQueueLimits counts the maximum memory
// that such a message can take.
func (p *Peer) checkQueueLimits(commands, bytes int) error {
	cost := commands * nodeCost
	if bytes+commandSize[cmdReliable] > smallBody {
		cost += mediumBody
	}
	if bytes+commandSize[cmdReliable] > mediumBody {
		cost = commands * (nodeCost + p.host.cfg.MTU)
	}
	if p.queued+cost > p.host.cfg.MaxQueued || !p.host.makeSendRoom(p, cost) {
		p.host.stats.QueueFull++
		return ErrQueueFull
	}
	return nil
}

// makeSendRoom reports whether a message that takes cost bytes may be added to the send queue of the peer p. If all peers
// together have reached their limit, or the shared budget is used up, it drops the longest send queues of other peers, whose
// connections then end with an event at the next Tick. If it refused the new message instead, clients that do read would be
// disconnected.
func (h *Host) makeSendRoom(p *Peer, cost int) bool {
	for h.queuedBytes+cost > h.cfg.MaxHostQueued || h.cfg.SendBudget != nil && !h.cfg.SendBudget.HasRoom(cost) {
		longest := p
		for _, q := range h.slots {
			if q != nil && q.queued > longest.queued {
				longest = q
			}
		}
		if longest == p {
			return false
		}
		h.stats.QueueFull++
		longest.dropQueues()
		longest.state = stateEnding
		longest.endReason = Overflow
		h.schedule(longest)
	}
	return true
}

// sendFragments queues a message in fragments. Each fragment has its own sequence number. The parameter pieces is the
// number of fragments, and piece the number of bytes in each of them except the last.
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

// newCommand returns a command to be sent, which requires an acknowledgement. Its body contains only the four bytes of the
// header; the caller appends the rest.
func (p *Peer) newCommand(kind, channel uint8, seq uint16, dataLen int) *outgoing {
	o := p.host.pool.getNode(commandSize[kind] + dataLen)
	o.kind, o.channel, o.seq, o.dataLen = kind, channel, seq, uint16(dataLen)
	o.body = appendHeader(o.body, kind|flagAck, channel, seq)
	return o
}

// newControl returns a command of the given kind on the control channel, with the next sequence number of that channel.
func (p *Peer) newControl(kind uint8) *outgoing {
	p.controlSeq++
	return p.newCommand(kind, controlChannel, p.controlSeq, 0)
}

func (p *Peer) queueCommand(o *outgoing) {
	o.cost = nodeCost
	if cap(o.body) > smallBody {
		o.cost += cap(o.body)
	}
	p.countQueued(o.cost)
	p.pending.pushBack(o)
	p.host.markDirty(p)
}

// countQueued adds n bytes, which may be negative, to the memory of the send queues.
func (p *Peer) countQueued(n int) {
	p.queued += n
	p.host.queuedBytes += n
	if b := p.host.cfg.SendBudget; b != nil {
		b.Add(n)
	}
}

func (p *Peer) queueDisconnect(data uint32) {
	o := p.newControl(cmdDisconnect)
	o.body = binary.BigEndian.AppendUint32(o.body, data)
	p.queueCommand(o)
}

func (p *Peer) queuePing() { p.queueCommand(p.newControl(cmdPing)) }

// queueBandwidth queues the announcement of unlimited bandwidth, which the client of libenet 1.1 sends once it is
// connected.
func (p *Peer) queueBandwidth() {
	o := p.newControl(cmdBandwidthLimit)
	o.body = append(o.body, 0, 0, 0, 0, 0, 0, 0, 0)
	p.queueCommand(o)
}

// freeCommand gives a command back to the pool for reuse. The command must be in no queue.
func (p *Peer) freeCommand(o *outgoing) {
	p.countQueued(-o.cost)
	p.host.pool.putNode(o)
}

// unackedRing returns the ring with the unacknowledged commands of a channel. It returns nil if nothing was sent on the
// channel.
func (p *Peer) unackedRing(channel uint8) *ring {
	if channel == controlChannel {
		return &p.controlRing
	}
	if int(channel) < len(p.outs) {
		return p.outs[channel].unacked
	}
	return nil
}

// markSent moves a pending command to the queue inFlight. It returns false if the command must wait because too many earlier
// commands of its channel are unacknowledged.
func (p *Peer) markSent(o *outgoing, now uint32) bool {
	if !o.inRing {
		if o.channel != controlChannel && p.outs[o.channel].unacked == nil {
			p.outs[o.channel].unacked = new(ring)
		}
		if !p.unackedRing(o.channel).put(o) {
			return false
		}
		o.inRing = true
		p.stats.Sent++
		o.firstSent = now
		o.rto = max(p.rtt+4*p.rttVar, uint32(p.host.cfg.MinRTO))
		o.rtoLimit = timeoutFactor * o.rto
	} else {
		p.host.stats.Resent++
		p.stats.Resent++
	}
	p.pending.remove(o)
	o.recordSend(now)
	if due := o.resendDue(); p.inFlight.n == 0 || before(due, p.resendAt) {
		p.resendAt = due
	}
	p.inFlight.pushBack(o)
	p.inTransit += int(o.dataLen)
	return true
}

// removeAcked removes an acknowledged command from its queue and ring.
func (p *Peer) removeAcked(o *outgoing) {
	p.unackedRing(o.channel).remove(o)
	if o.queue == &p.inFlight {
		p.inTransit -= int(o.dataLen)
	}
	o.queue.remove(o)
	p.freeCommand(o)
}

// handleAck handles an acknowledgement. The acknowledgement is valid only if it names an unacknowledged command and repeats the
// timestamp of one of the command's transmissions. The result is false if the rest of the datagram must be ignored.
func (p *Peer) handleAck(c *command, now uint32) bool {
	seq, stamp := c.u16(4), c.u16(6)
	if p.challenge.matches(c, p.addr) {
		p.challenge = challenge{}
		p.lastAck = now
		p.timedOut = false
		if p.state == stateVerifying {
			p.setConnected()
		}
		return true
	}
	var o *outgoing
	if r := p.unackedRing(c.channel); r != nil {
		o = r.get(seq)
	}
	if o == nil {
		return p.rejectAck()
	}
	at, ok := o.findSend(stamp, p.clockOffset)
	if !ok {
		return p.rejectAck()
	}
	p.lastAck = now
	p.timedOut = false
	p.updateRTT(now - at)
	kind := o.kind
	p.removeAcked(o)
	p.host.markDirty(p) // the window may have opened
	switch {
	case p.state == stateVerifying && kind == cmdVerify:
		p.setConnected()
	case p.state == stateDisconnecting && kind == cmdDisconnect:
		p.endConnection(ByUs, 0, false)
	case p.state == stateFinishing:
		p.finishIfDone()
	}
	return true
}

// rejectAck counts an acknowledgement that matches no transmission. A connected peer may send such an acknowledgement after
// a needless retransmission; a half-open peer that sends one is guessing. rejectAck returns false if the rest of the
// datagram must be ignored.
func (p *Peer) rejectAck() bool {
	p.host.stats.BadAck++
	if p.state != stateVerifying {
		return true
	}
	if p.wrongGuesses++; p.wrongGuesses >= maxWrongGuesses {
		p.host.dropHalfOpen(p)
	}
	return false
}
