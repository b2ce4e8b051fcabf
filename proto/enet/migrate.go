package enet

import (
	"encoding/binary"
	"net/netip"
)

const (
	challengeFor   = 3000 // ms for which one challenge may be answered
	challengeEvery = 500  // ms between two sendings of it
)

// challenge is a ping that proves a path: its sequence and sent fields are random, and any client echoes both in its
// acknowledgement. It stands outside of the sequence of the connection; nothing at the receiver depends on that.
type challenge struct {
	to        netip.AddrPort // not valid: no challenge
	seq, sent uint16
	born      uint32
	sentAt    uint32
	due       bool   // to be written by the next flush
	kept      []byte // the latest reliable datagram that came from there; handled once the path is proven
}

// answered tells whether an acknowledgement that came from that address answers the challenge.
func (ch *challenge) answered(c *command, from netip.AddrPort) bool {
	return ch.to.IsValid() && ch.to == from && c.channel == controlChannel && c.u16(4) == ch.seq && c.u16(6) == ch.sent
}

// provoke sends a challenge to an address, unless one is under way; at most one every challengeEvery.
func (p *Peer) provoke(to netip.AddrPort) {
	h, ch := p.host, &p.challenge
	if ch.to.IsValid() && h.now-ch.born < challengeFor {
		if ch.to != to || h.now-ch.sentAt < challengeEvery {
			return
		}
	} else {
		*ch = challenge{to: to, seq: h.secret.u16(), sent: h.secret.u16(), born: h.now}
	}
	ch.sentAt = h.now
	ch.due = true
	h.touch(p)
}

// appendChallenge appends the whole datagram of the challenge.
func (p *Peer) appendChallenge(b []byte) []byte {
	b = append(b, p.session[:]...)
	b = binary.BigEndian.AppendUint16(b, p.remoteID|flagSent)
	b = binary.BigEndian.AppendUint16(b, p.challenge.sent)
	return appendHeader(b, cmdPing|flagAck, controlChannel, p.challenge.seq)
}

// migrated decides about a datagram with the right session from another port of the right address: true when it answers
// the challenge, and then the peer has moved there. A peer whose port was heard from lately is where it was: pings make
// a living one speak every 500 ms.
//
// Until then the latest datagram with something reliable is kept and handled afterwards: a client that resends with doubled timeouts may be
// close to giving us up, and has no other reason to repeat it soon.
func (p *Peer) migrated(from netip.AddrPort, datagram, commands []byte) bool {
	h := p.host
	if p.state != stateConnected && p.state != stateFinishing || h.now-p.lastHeard < uint32(h.cfg.MigrateAfter) {
		return false
	}
	for {
		c, rest, ok := nextCommand(commands)
		if !ok {
			p.provoke(from)
			if reliable := datagram[4]&(flagSent>>8) != 0; p.challenge.to == from && (reliable || len(p.challenge.kept) == 0) {
				p.challenge.kept = append(p.challenge.kept[:0], datagram...)
			}
			return false
		}
		if c.kind == cmdAcknowledge && p.challenge.answered(&c, from) {
			break
		}
		commands = rest
	}
	to := connKey{from, p.session}
	if h.byKey[to] != nil {
		return false // a younger connection of the same client
	}
	delete(h.byKey, connKey{p.addr, p.session})
	h.byKey[to] = p
	p.addr = from
	p.lastHeard = h.now
	h.stats.Migrations++
	p.resendAll()
	kept := p.challenge.kept
	p.challenge.kept = nil
	if head, commands, ok := parseHeader(kept); ok {
		p.receiveCommands(head, commands)
	}
	return true
}

// resendAll sends again what went to the old port, at once and with fresh timeouts.
func (p *Peer) resendAll() {
	for o := p.inFlight.tail; o != nil; o = p.inFlight.tail {
		p.inFlight.remove(o)
		p.inTransit -= int(o.dataLen)
		p.pending.insertAfter(nil, o)
	}
	for o := p.pending.head; o != nil && o.flying; o = o.next {
		o.rto = o.rtoLimit / timeoutFactor
		o.early = false
	}
	p.host.touch(p)
}

// doubt is for a half-open connection whose sender goes on as if it were complete: our VERIFY arrived, its
// acknowledgement was lost, and the original's client acknowledges no second one. It proves itself by a challenge.
func (p *Peer) doubt() {
	p.provoke(p.addr)
}
