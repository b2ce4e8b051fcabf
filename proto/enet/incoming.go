package enet

import (
	"bytes"
	"slices"
)

// heldCost is the memory of a held message besides its bytes, rounded up.
const heldCost = 128

// maxAhead is how far ahead of the next reliable sequence one may be. The original tells old from new across the wrap
// within 4096; a sender that keeps to its window is far below.
const maxAhead = 4096

// inChannel is the receiving side of one channel, and what it keeps until it can be delivered.
type inChannel struct {
	channel              uint8
	reliable, unreliable uint16 // last delivered

	held  []*held // reliable commands ahead of the next one, by distance
	loose []*held // unreliable messages ahead of the reliable ones before them, by unreliable sequence
	parts []byte  // the front of a message that comes in fragments
	done  uint32  // fragments in parts; they are in sequence, so this counts them
	count uint32  // fragments of that message
	total uint32  // bytes of that message
	since uint32  // when a reliable message was last delivered, or the waiting began
}

// held is one reliable command or unreliable message that waits.
type held struct {
	seq   uint16 // reliable sequence
	loose uint16 // unreliable sequence
	frag  fragment
	data  []byte
}

// in returns the receiving side of a channel below channelCount.
func (p *Peer) in(channel uint8) *inChannel {
	if n := int(channel) + 1; n > len(p.ins) {
		grown := make([]*inChannel, max(n, min(4, p.channelCount)))
		copy(grown, p.ins)
		p.ins = grown
	}
	if p.ins[channel] == nil {
		p.ins[channel] = &inChannel{channel: channel}
	}
	return p.ins[channel]
}

func (in *inChannel) waiting() bool { return len(in.held) > 0 || len(in.loose) > 0 || in.done > 0 }

// beginWait notes when a channel that waits for nothing begins to.
func (p *Peer) beginWait(in *inChannel) {
	if !in.waiting() {
		in.since = p.host.now
	}
}

// receiveReliable handles a reliable message, or a fragment if f.count > 0. Each has a sequence of its own, and a message
// in fragments counts as delivered with its last. false: not taken, not acknowledged, the datagram ends.
func (p *Peer) receiveReliable(in *inChannel, c *command, f fragment) bool {
	ahead := int16(c.seq - in.reliable - uint16(in.done))
	switch {
	case ahead <= 0:
		p.host.stats.Duplicates++
		return true
	case f.count > 0 && !p.sound(c, f):
		p.host.stats.BadFragment++
		return false
	case ahead > maxAhead:
		p.host.stats.OverHold++
		return false
	case ahead > 1:
		return p.hold(in, c, f)
	}
	if f.count > 0 && in.fits(f) && !p.mayHold(len(c.data)) {
		p.host.stats.OverHold++
		return false
	}
	if !p.take(in, c.seq, f, c.data) {
		return false
	}
	p.drain(in)
	return true
}

// sound tells whether a fragment makes sense by itself and keeps to the limits.
func (p *Peer) sound(c *command, f fragment) bool {
	n := uint32(len(c.data))
	cfg := &p.host.cfg
	if f.count > uint32(cfg.MaxFragments) || f.number >= f.count || c.seq != f.start+uint16(f.number) {
		return false
	}
	if n == 0 || f.total > uint32(cfg.MaxMessage) || f.offset >= f.total || n > f.total-f.offset {
		return false
	}
	first, last := f.number == 0, f.number == f.count-1
	return first == (f.offset == 0) && last == (f.offset+n == f.total)
}

// fits tells whether a command (f.count is 0 for a whole message) may follow the fragments before it.
func (in *inChannel) fits(f fragment) bool {
	if in.done == 0 {
		return f.number == 0
	}
	return f.number == in.done && f.count == in.count && f.total == in.total && f.offset == uint32(len(in.parts))
}

// take moves a channel on by one command, and delivers the message that it completes. The bytes of a fragment are
// accounted for already. false: the command contradicts the fragments before it.
func (p *Peer) take(in *inChannel, seq uint16, f fragment, data []byte) bool {
	if !in.fits(f) {
		p.host.stats.BadFragment++
		return false
	}
	if f.count > 0 {
		p.beginWait(in)
		in.count, in.total = f.count, f.total
		in.parts = append(in.parts, data...)
		if in.done++; in.done < in.count {
			return true
		}
		data = in.parts
		p.unhold(int(in.count), len(data))
		in.parts, in.done = nil, 0
	}
	in.reliable = seq
	in.since = p.host.now
	p.tell(in.channel, true, data)
	return true
}

// drain delivers what was waiting for the command just taken.
func (p *Peer) drain(in *inChannel) {
	for {
		p.drainLoose(in)
		if p.state != stateConnected || len(in.held) == 0 || in.held[0].seq != in.reliable+uint16(in.done)+1 {
			return
		}
		next := in.held[0]
		in.held = in.held[1:]
		if next.frag.count == 0 {
			p.unhold(1, len(next.data))
		}
		if !p.take(in, next.seq, next.frag, next.data) {
			p.lose(Broken, 0, true) // it is acknowledged, so nothing better will come
			return
		}
	}
}

// hold keeps a reliable command that came too early.
func (p *Peer) hold(in *inChannel, c *command, f fragment) bool {
	p.beginWait(in)
	base := in.reliable
	at, found := slices.BinarySearchFunc(in.held, c.seq, func(h *held, seq uint16) int {
		return int(h.seq-base) - int(seq-base)
	})
	if found {
		p.host.stats.Duplicates++
		return true
	}
	if !p.mayHold(len(c.data)) {
		p.host.stats.OverHold++
		return false
	}
	in.held = slices.Insert(in.held, at, &held{seq: c.seq, frag: f, data: bytes.Clone(c.data)})
	return true
}
