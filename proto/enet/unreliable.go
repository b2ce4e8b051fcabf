package enet

import (
	"bytes"
	"encoding/binary"
	"slices"
)

const (
	unreliableHeader = 8                                 // bytes of a SEND_UNRELIABLE in front of its data
	fragmentCut      = maxHeader + 24 - unreliableHeader // a longer command than mtu minus this goes in fragments
)

// SendUnreliable queues a message that may be lost and is never delivered late; data is copied. It is written at once
// into the datagram that the next flush emits, so a broadcast costs little more than copying. As in the original, a
// message longer than MTU-32 bytes goes as reliable fragments.
// Errors: ErrNotConnected, ErrChannel, ErrTooLong, ErrQueueFull; nothing is queued then.
func (p *Peer) SendUnreliable(channel uint8, data []byte) error {
	need := unreliableHeader + len(data)
	if p.fill+need > p.limit || need > p.mtu-fragmentCut || int(channel) >= len(p.outs) {
		switch room, err := p.makeRoom(channel, len(data)); {
		case err != nil:
			return err
		case !room:
			return p.Send(channel, data)
		}
	}
	ch := &p.outs[channel]
	ch.unreliable++
	b := p.chunk[p.fill : p.fill+need]
	binary.BigEndian.PutUint64(b, cmdUnreliable<<56|uint64(channel)<<48|
		uint64(ch.reliable)<<32|uint64(ch.unreliable)<<16|uint64(len(data)))
	copy(b[unreliableHeader:], data)
	p.fill += need
	p.loose++
	return nil
}

// makeRoom is what SendUnreliable does seldom: check everything and start a chunk. false without error: the message is
// too long for one datagram.
func (p *Peer) makeRoom(channel uint8, size int) (bool, error) {
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
	if p.fill+unreliableHeader+size <= p.limit {
		return true, nil
	}
	h := p.host
	chunks := len(p.full) + 1
	if p.chunk != nil {
		chunks++
	}
	if chunks*p.mtu > h.cfg.MaxUnreliable {
		h.stats.QueueFull++
		return false, ErrQueueFull
	}
	p.sealChunk()
	p.chunk = h.pool.chunk()[:p.mtu]
	p.fill, p.limit = maxHeader, p.mtu
	h.touch(p)
	return true, nil
}

// sealChunk moves the chunk being filled behind the full ones.
func (p *Peer) sealChunk() {
	if p.chunk != nil {
		p.full = append(p.full, p.chunk[:p.fill])
		p.chunk, p.fill, p.limit = nil, 0, 0
	}
}

// dropUnreliable gives the chunks back. A peer without a chunk has no limit, so the next send goes through makeRoom.
func (p *Peer) dropUnreliable() {
	pool := &p.host.pool
	for i, b := range p.full {
		give(&pool.large, b)
		p.full[i] = nil
	}
	p.full = p.full[:0]
	if p.chunk != nil {
		give(&pool.large, p.chunk)
	}
	p.chunk, p.fill, p.limit, p.loose = nil, 0, 0, 0
}

// receiveUnreliable delivers a message, holds it until the reliable messages that were sent before it are delivered, or
// drops it because it or a later one came already.
func (p *Peer) receiveUnreliable(in *inChannel, c *command) {
	seq := c.u16(4)
	if int16(c.seq-in.reliable) < 0 || int16(seq-in.unreliable) <= 0 {
		p.host.stats.StaleMessages++
		return
	}
	if c.seq == in.reliable {
		in.unreliable = seq
		p.tell(c.channel, false, c.data)
		return
	}
	p.beginWait(in)
	base := in.unreliable
	at, found := slices.BinarySearchFunc(in.loose, seq, func(h *held, seq uint16) int {
		return int(h.loose-base) - int(seq-base)
	})
	if found || int16(c.seq-in.reliable) > maxAhead || !p.mayHold(len(c.data)) {
		p.host.stats.StaleMessages++
		return
	}
	in.loose = slices.Insert(in.loose, at, &held{seq: c.seq, loose: seq, data: bytes.Clone(c.data)})
}

// drainLoose delivers the held unreliable messages whose turn it is, and drops those that were overtaken.
func (p *Peer) drainLoose(in *inChannel) {
	for p.state == stateConnected && len(in.loose) > 0 {
		m := in.loose[0]
		if int16(m.seq-in.reliable) > 0 {
			return
		}
		in.loose = in.loose[1:]
		p.unhold(1, len(m.data))
		if m.seq != in.reliable || int16(m.loose-in.unreliable) <= 0 {
			p.host.stats.StaleMessages++
			continue
		}
		in.unreliable = m.loose
		p.tell(in.channel, false, m.data)
	}
}

// unsequencedWindow is how many groups around the newest are told apart. Source: the original's constant.
const unsequencedWindow = 128

// receiveUnsequenced delivers a message without order, once.
func (p *Peer) receiveUnsequenced(c *command) {
	group := c.u16(4)
	ahead := int16(group - p.group)
	if ahead >= unsequencedWindow {
		p.group = group - group%unsequencedWindow
		p.groups = [2]uint64{}
	}
	bit := group % unsequencedWindow
	if ahead < 0 || p.groups[bit/64]&(1<<(bit%64)) != 0 {
		p.host.stats.StaleMessages++
		return
	}
	p.groups[bit/64] |= 1 << (bit % 64)
	p.tell(c.channel, false, c.data)
}

// tell hands a message to the owner.
func (p *Peer) tell(channel uint8, reliable bool, data []byte) {
	p.host.tell(Event{Kind: Message, Peer: p, Channel: channel, Reliable: reliable, Data: data})
}
