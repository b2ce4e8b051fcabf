package enet

import "net/netip"

const (
	challengeTimeout  = 3000 // ms within which a challenge must be answered
	challengeInterval = 500  // ms between two transmissions of a challenge
)

// challenge is a ping that tests whether the peer receives datagrams at an address. Its sequence number and its timestamp (the
// header field sent) are random, and the client's acknowledgement repeats both. A random sequence number is possible because
// clients do not check that of a ping.
type challenge struct {
	to            netip.AddrPort // challenged address; invalid means that there is no challenge
	seq, sent     uint16         // sequence and sent fields that the acknowledgement must echo
	startedAt     uint32         // time in ms of the first transmission
	sentAt        uint32         // time in ms of the last transmission
	pending       bool           // the next flush sends the challenge
	savedDatagram []byte         // datagram to handle when the peer has moved to the address: the latest with reliable data, else the first
}

// matches reports whether an acknowledgement from an address answers the challenge.
func (ch *challenge) matches(c *command, from netip.AddrPort) bool {
	return ch.to.IsValid() && ch.to == from && c.channel == controlChannel && c.u16(4) == ch.seq && c.u16(6) == ch.sent
}

// sendChallenge queues a challenge for an address. It does nothing while a challenge to another address waits for its
// answer, or if the last transmission was less than challengeInterval ago.
func (p *Peer) sendChallenge(to netip.AddrPort) {
	h, ch := p.host, &p.challenge
	if ch.to.IsValid() && h.now-ch.startedAt < challengeTimeout {
		if ch.to != to || h.now-ch.sentAt < challengeInterval {
			return
		}
	} else {
		*ch = challenge{to: to, seq: h.random.u16(), sent: h.random.u16(), startedAt: h.now}
	}
	ch.sentAt = h.now
	ch.pending = true
	h.markDirty(p)
}

// appendChallenge appends the datagram that carries the challenge.
func (p *Peer) appendChallenge(b []byte) []byte {
	return appendControl(b, p.session, p.remoteID, p.challenge.sent, cmdPing, p.challenge.seq)
}

// tryMigrate handles a datagram that has the peer's session and IP address, but comes from an unknown port. If the datagram
// answers the challenge that was sent to this port, the peer moves to the port, and tryMigrate returns true. Otherwise
// tryMigrate sends a challenge to the port and returns false. A peer does not move if its known port has sent data
// recently: a live client sends at least a ping every 500 ms.
//
// Until the answer arrives, the latest datagram with reliable data is saved, to be handled after the migration. Otherwise
// the client could time out before it retransmits these data, because its timeouts have doubled several times.
func (p *Peer) tryMigrate(from netip.AddrPort, datagram, commands []byte) bool {
	h := p.host
	if p.state != stateConnected && p.state != stateFinishing || h.now-p.lastHeard < uint32(h.cfg.MigrateAfter) {
		return false
	}
	for {
		c, rest, ok := nextCommand(commands)
		if !ok {
			p.sendChallenge(from)
			if reliable := datagram[4]&(flagSent>>8) != 0; p.challenge.to == from && (reliable || len(p.challenge.savedDatagram) == 0) {
				p.challenge.savedDatagram = append(p.challenge.savedDatagram[:0], datagram...)
			}
			return false
		}
		if c.kind == cmdAcknowledge && p.challenge.matches(&c, from) {
			break
		}
		commands = rest
	}
	to := connectionKey{from, p.session}
	if h.byKey[to] != nil {
		return false // the datagram belongs to a newer connection of the same client
	}
	delete(h.byKey, connectionKey{p.addr, p.session})
	h.byKey[to] = p
	p.addr = from
	p.lastHeard = h.now
	h.stats.Migrations++
	p.resendAll()
	kept := p.challenge.savedDatagram
	p.challenge.savedDatagram = nil
	if head, commands, ok := parseHeader(kept); ok {
		p.receiveCommands(head, commands)
	}
	return true
}

// resendAll retransmits everything that was sent to the old port and is unacknowledged. The retransmission is immediate,
// and the timeouts return to their first values.
func (p *Peer) resendAll() {
	for o := p.inFlight.tail; o != nil; o = p.inFlight.tail {
		p.inFlight.remove(o)
		p.inTransit -= int(o.dataLen)
		p.pending.insertAfter(nil, o)
	}
	for o := p.pending.head; o != nil && o.inRing; o = o.next {
		o.rto = o.rtoLimit / timeoutFactor
		o.earlyResend = false
	}
	p.host.markDirty(p)
}

// challengeHalfOpen sends a challenge to a client that sends data although its connection is still half-open. The client
// has received VERIFY, but its acknowledgement was lost. The client of libenet 1.1 does not acknowledge a repeated VERIFY,
// but it does acknowledge a challenge, which is a ping.
func (p *Peer) challengeHalfOpen() {
	p.sendChallenge(p.addr)
}
