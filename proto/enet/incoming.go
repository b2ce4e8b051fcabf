package enet

import (
	"bytes"
	"slices"
)

// heldCost is the memory in bytes that a held message takes in addition to its data, rounded up. The limits of held data count
// this memory, too.
const heldCost = 128

// maxAhead limits how far a received sequence number may be above the last delivered one. Within a distance of 4096, libenet
// 1.1 can tell newer sequence numbers from older ones, although they wrap around. A sender that obeys its window stays far
// below the limit.
const maxAhead = 4096

// inChannel is the receive state of one channel, including received data that wait for earlier messages.
type inChannel struct {
	channel              uint8
	reliable, unreliable uint16 // sequence numbers of the last delivered messages

	held           []*held // reliable commands that arrived before a missing one, ascending by sequence number
	heldUnreliable []*held // unreliable messages that wait for earlier reliable ones, ascending by unreliable sequence number
	fragments      []byte  // received bytes of an incomplete fragmented message
	fragmentsDone  uint32  // number of fragments of the incomplete message received so far, in order
	fragmentCount  uint32  // total number of fragments of the incomplete message
	messageSize    uint32  // size of the incomplete message in bytes
	waitingSince   uint32  // time in ms at which a reliable command was last delivered, or at which the channel began to hold data
}

// held is a received command that waits for earlier messages: a reliable command or an unreliable message.
type held struct {
	seq           uint16   // reliable sequence number of the command
	unreliableSeq uint16   // unreliable sequence number of the message
	frag          fragment // fields of a fragment; zero for a whole message
	data          []byte   // copy of the message bytes
}

// in returns the receive state of a channel. It creates the state at the first call for the channel. The parameter channel
// must be below channelCount.
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

// noteWaiting records the present time as the time since which a channel waits for missing messages. It must be called before the
// channel stores data that wait for them. It does nothing if the channel already holds such data.
func (p *Peer) noteWaiting(in *inChannel) {
	if !in.waiting() {
		in.waitingSince = p.host.now
	}
}

// receiveReliable handles a reliable command: a whole message or, if f.count > 0, a fragment of one. Each fragment has its
// own sequence number, and a fragmented message is delivered with its last fragment. If receiveReliable returns false, the
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

// validFragment reports whether the fields of a fragment agree with each other and are within the limits.
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

// continues reports whether a command with the fragment fields f may come next. If the channel has received fragments of an
// incomplete message, the command must be the next fragment of that message. Otherwise it must be a whole message or the first
// fragment of one.
func (in *inChannel) continues(f fragment) bool {
	if in.fragmentsDone == 0 {
		return f.number == 0
	}
	return f.number == in.fragmentsDone && f.count == in.fragmentCount && f.total == in.messageSize && f.offset == uint32(len(in.fragments))
}

// deliverCommand processes the next reliable command of a channel, and delivers the message that the command completes. It
// returns false if the command contradicts the fragments before it. For a fragment, the caller has already counted the memory
// with reserveHeld.
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

// dropFirst returns list without its first element, or nil if no element is left. It clears the first element, so that the
// message can be freed while the list still uses its memory.
func dropFirst(list []*held) []*held {
	list[0] = nil
	if list = list[1:]; len(list) == 0 {
		return nil
	}
	return list
}

// deliverHeld delivers the held messages that waited only for the command that was just delivered.
func (p *Peer) deliverHeld(in *inChannel) {
	for {
		p.deliverHeldUnreliable(in)
		if p.state != stateConnected || len(in.held) == 0 || in.held[0].seq != in.reliable+uint16(in.fragmentsDone)+1 {
			return
		}
		next := in.held[0]
		in.held = dropFirst(in.held)
		if next.frag.count == 0 {
			p.releaseHeld(1, len(next.data))
		}
		if !p.deliverCommand(in, next.seq, next.frag, next.data) {
			p.endConnection(Broken, 0, true) // the command is already acknowledged, so it will not be retransmitted
			return
		}
	}
}

// holdCommand stores a reliable command that arrived before an earlier one. It returns false if a limit of held data is
// reached.
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
