package enet

import (
	"bytes"
	"slices"
)

// heldCost is the memory in bytes that is counted for each held message in addition to its data, rounded up.
const heldCost = 128

// maxAhead limits how far a received sequence number may be ahead of the next expected one. libenet 1.1 distinguishes old
// from new sequence numbers within 4096; a sender that obeys its window stays far below.
const maxAhead = 4096

// inChannel is the receive state of one channel, including data that waits for earlier messages.
type inChannel struct {
	channel              uint8
	reliable, unreliable uint16 // sequence numbers of the last delivered messages

	held           []*held // reliable commands that arrived before a missing one, ascending by sequence number
	heldUnreliable []*held // unreliable messages that wait for earlier reliable ones, ascending by unreliable sequence number
	fragments      []byte  // received bytes of an incomplete fragmented message
	fragmentsDone  uint32  // number of fragments received; they are contiguous
	fragmentCount  uint32  // total number of fragments of that message
	messageSize    uint32  // size of that message in bytes
	waitingSince   uint32  // ms when a reliable command was last delivered, or when the channel began to hold data
}

// held is a reliable command or an unreliable message that waits for earlier messages.
type held struct {
	seq           uint16   // reliable sequence number of the command
	unreliableSeq uint16   // unreliable sequence number of the message
	frag          fragment // fields of a fragment; zero for a whole message
	data          []byte   // copy of the message bytes
}

// in returns the receive state of a channel, which it creates at the first call. channel must be below channelCount.
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

func (in *inChannel) waiting() bool {
	return len(in.held) > 0 || len(in.heldUnreliable) > 0 || in.fragmentsDone > 0
}

// noteWaiting records the time since when the channel holds data that waits for earlier messages. It is called each time before
// the channel stores data. If the channel already holds data, it does nothing, so that the recorded time is that of the first.
func (p *Peer) noteWaiting(in *inChannel) {
	if !in.waiting() {
		in.waitingSince = p.host.now
	}
}

// receiveReliable handles a reliable message, or a fragment if f.count > 0. Each fragment has its own sequence
// number, and a fragmented message is delivered with its last fragment. If receiveReliable returns false, the
// command is refused: it is not acknowledged, and the rest of the datagram is ignored.
func (p *Peer) receiveReliable(in *inChannel, c *command, f fragment) bool {
	ahead := int16(c.seq - in.reliable - uint16(in.fragmentsDone))
	switch {
	case ahead <= 0:
		p.host.stats.Duplicates++
		return true
	case f.count > 0 && !p.validFragment(c, f):
		p.host.stats.BadFragment++
		return false
	case ahead > maxAhead:
		p.host.stats.OverHold++
		return false
	case ahead > 1:
		return p.holdCommand(in, c, f)
	}
	if f.count > 0 && in.continues(f) && !p.reserveHeld(len(c.data)) {
		p.host.stats.OverHold++
		return false
	}
	if !p.deliverCommand(in, c.seq, f, c.data) {
		return false
	}
	p.deliverHeld(in)
	return true
}

// validFragment reports whether a fragment is consistent in itself and within the limits.
func (p *Peer) validFragment(c *command, f fragment) bool {
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

// continues reports whether a command is the next one after the fragments received so far. f.count is 0 for a command that is a
// whole message.
func (in *inChannel) continues(f fragment) bool {
	if in.fragmentsDone == 0 {
		return f.number == 0
	}
	return f.number == in.fragmentsDone && f.count == in.fragmentCount && f.total == in.messageSize && f.offset == uint32(len(in.fragments))
}

// deliverCommand processes the next command of a channel and delivers the message that the command completes. For a fragment,
// the caller has already counted the memory with reserveHeld. deliverCommand returns false if the command contradicts the
// fragments before it.
func (p *Peer) deliverCommand(in *inChannel, seq uint16, f fragment, data []byte) bool {
	if !in.continues(f) {
		p.host.stats.BadFragment++
		return false
	}
	if f.count > 0 {
		p.noteWaiting(in)
		in.fragmentCount, in.messageSize = f.count, f.total
		in.fragments = append(in.fragments, data...)
		if in.fragmentsDone++; in.fragmentsDone < in.fragmentCount {
			return true
		}
		data = in.fragments
		p.releaseHeld(int(in.fragmentCount), len(data))
		in.fragments, in.fragmentsDone = nil, 0
	}
	in.reliable = seq
	in.waitingSince = p.host.now
	p.emitMessage(in.channel, true, data)
	return true
}

// deliverHeld delivers the held messages that only waited for the command delivered last, and then those that follow them.
func (p *Peer) deliverHeld(in *inChannel) {
	for {
		p.deliverHeldUnreliable(in)
		if p.state != stateConnected || len(in.held) == 0 || in.held[0].seq != in.reliable+uint16(in.fragmentsDone)+1 {
			return
		}
		next := in.held[0]
		in.held = in.held[1:]
		if next.frag.count == 0 {
			p.releaseHeld(1, len(next.data))
		}
		if !p.deliverCommand(in, next.seq, next.frag, next.data) {
			p.endConnection(Broken, 0, true) // the command is already acknowledged, so it will not be retransmitted
			return
		}
	}
}

// holdCommand stores a reliable command that arrived before an earlier one. It returns false if a limit is reached.
func (p *Peer) holdCommand(in *inChannel, c *command, f fragment) bool {
	p.noteWaiting(in)
	base := in.reliable
	at, found := slices.BinarySearchFunc(in.held, c.seq, func(h *held, seq uint16) int {
		return int(h.seq-base) - int(seq-base)
	})
	if found {
		p.host.stats.Duplicates++
		return true
	}
	if !p.reserveHeld(len(c.data)) {
		p.host.stats.OverHold++
		return false
	}
	in.held = slices.Insert(in.held, at, &held{seq: c.seq, frag: f, data: bytes.Clone(c.data)})
	return true
}
