package enet

import (
	"bytes"
	"encoding/binary"
	"slices"
)

const (
	unreliableHeader = 8                                 // bytes of a SEND_UNRELIABLE before its data
	fragmentCut      = maxHeader + 24 - unreliableHeader // a SEND_UNRELIABLE longer than the MTU minus fragmentCut is sent in fragments
)

// SendUnreliable queues a copy of data as a message that may be lost. The receiver drops it if it arrives after a later one.
// The copy is made directly into the datagram that the next flush emits, so a broadcast to many peers costs little more than
// these copies. As in libenet 1.1, a message longer than MTU-32 bytes is sent as reliable fragments.
//
// Errors are ErrNotConnected, ErrChannel, ErrTooLong and ErrQueueFull; after an error nothing is queued.
func (p *Peer) SendUnreliable(channel uint8, data []byte) error {
	need := unreliableHeader + len(data)
	if p.chunkUsed+need > p.chunkLimit || need > p.mtu-fragmentCut || int(channel) >= len(p.outs) {
		switch room, err := p.prepareChunk(channel, len(data)); {
		case err != nil:
			return err
		case !room:
			return p.Send(channel, data)
		}
	}
	ch := &p.outs[channel]
	ch.unreliable++
	b := p.chunk[p.chunkUsed : p.chunkUsed+need]
	binary.BigEndian.PutUint64(b, cmdUnreliable<<56|uint64(channel)<<48|
		uint64(ch.reliable)<<32|uint64(ch.unreliable)<<16|uint64(len(data)))
	copy(b[unreliableHeader:], data)
	p.chunkUsed += need
	p.unreliableCount++
	return nil
}

// prepareChunk makes room for a message that SendUnreliable cannot append at once. It checks all conditions for sending and, if
// necessary, begins a new chunk, which is a datagram of unreliable commands. The result fits is false if the message does not
// fit into any datagram.
func (p *Peer) prepareChunk(channel uint8, size int) (fits bool, err error) {
	if p.state != stateConnected {
		return false, ErrNotConnected
	}
	if int(channel) >= p.channelCount {
		return false, ErrChannel
	}
	if size > p.fragmentData() {
		return false, nil
	}
	p.out(channel)
	if p.chunkUsed+unreliableHeader+size <= p.chunkLimit {
		return true, nil
	}
	h := p.host
	chunks := len(p.fullChunks) + 1
	if p.chunk != nil {
		chunks++
	}
	if chunks*p.mtu > h.cfg.MaxUnreliable {
		h.stats.QueueFull++
		return false, ErrQueueFull
	}
	p.sealChunk()
	p.chunk = h.pool.getChunk()[:p.mtu]
	p.chunkUsed, p.chunkLimit = maxHeader, p.mtu
	h.markDirty(p)
	return true, nil
}

// sealChunk ends the current chunk, a datagram of unreliable commands, and adds it to fullChunks. It does nothing if there
// is no chunk.
func (p *Peer) sealChunk() {
	if p.chunk != nil {
		p.fullChunks = append(p.fullChunks, p.chunk[:p.chunkUsed])
		p.chunk, p.chunkUsed, p.chunkLimit = nil, 0, 0
	}
}

// dropUnreliable releases the memory of all queued unreliable commands. It sets chunkLimit to 0, so that the next
// SendUnreliable calls prepareChunk.
func (p *Peer) dropUnreliable() {
	pool := &p.host.pool
	for i, b := range p.fullChunks {
		putBuffer(&pool.large, b)
		p.fullChunks[i] = nil
	}
	p.fullChunks = p.fullChunks[:0]
	if p.chunk != nil {
		putBuffer(&pool.large, p.chunk)
	}
	p.chunk, p.chunkUsed, p.chunkLimit, p.unreliableCount = nil, 0, 0, 0
}

// receiveUnreliable delivers an unreliable message. If reliable messages sent before it are not delivered yet, it holds the
// message until then. It drops a message that was delivered before, or that is older than a delivered one.
func (p *Peer) receiveUnreliable(in *inChannel, c *command) {
	seq := c.u16(4)
	if int16(c.seq-in.reliable) < 0 || int16(seq-in.unreliable) <= 0 {
		p.host.stats.StaleMessages++
		return
	}
	if c.seq == in.reliable {
		in.unreliable = seq
		p.emitMessage(c.channel, false, c.data)
		return
	}
	p.noteWaiting(in)
	base := in.unreliable
	at, found := slices.BinarySearchFunc(in.heldUnreliable, seq, func(h *held, seq uint16) int {
		return int(h.unreliableSeq-base) - int(seq-base)
	})
	if found || int16(c.seq-in.reliable) > maxAhead || !p.reserveHeld(len(c.data)) {
		p.host.stats.StaleMessages++
		return
	}
	in.heldUnreliable = slices.Insert(in.heldUnreliable, at, &held{seq: c.seq, unreliableSeq: seq, data: bytes.Clone(c.data)})
}

// deliverHeldUnreliable delivers the held unreliable messages for which no earlier reliable message is missing any more. It
// drops messages that are older than a delivered one.
func (p *Peer) deliverHeldUnreliable(in *inChannel) {
	for p.state == stateConnected && len(in.heldUnreliable) > 0 {
		m := in.heldUnreliable[0]
		if int16(m.seq-in.reliable) > 0 {
			return
		}
		in.heldUnreliable = dropFirst(in.heldUnreliable)
		p.releaseHeld(1, len(m.data))
		if m.seq != in.reliable || int16(m.unreliableSeq-in.unreliable) <= 0 {
			p.host.stats.StaleMessages++
			continue
		}
		in.unreliable = m.unreliableSeq
		p.emitMessage(in.channel, false, m.data)
	}
}

// unsequencedWindow is the number of the latest unsequenced messages for which the host stores whether they were received, the
// same as in libenet 1.1. ENet calls the number of an unsequenced message its group.
const unsequencedWindow = 128

// receiveUnsequenced delivers an unsequenced message. Such messages are delivered in any order, each at most once.
func (p *Peer) receiveUnsequenced(c *command) {
	group := c.u16(4)
	ahead := int16(group - p.groupBase)
	if ahead >= unsequencedWindow {
		p.groupBase = group - group%unsequencedWindow
		p.groups = [2]uint64{}
	}
	bit := group % unsequencedWindow
	if ahead < 0 || p.groups[bit/64]&(1<<(bit%64)) != 0 {
		p.host.stats.StaleMessages++
		return
	}
	p.groups[bit/64] |= 1 << (bit % 64)
	p.emitMessage(c.channel, false, c.data)
}

// emitMessage emits a Message event.
func (p *Peer) emitMessage(channel uint8, reliable bool, data []byte) {
	p.host.emitEvent(Event{Kind: Message, Peer: p, Channel: channel, Reliable: reliable, Data: data})
}
