package enet

import (
	"crypto/sha256"
	"encoding/binary"
	"net/netip"
)

// While many connections are half-open, the host stores nothing when it answers a CONNECT that proposes usualTerms, as TCP does
// with SYN cookies. The answer VERIFY contains a cookie, which is a keyed hash of the sender's address. Two fields of the
// VERIFY carry parts of it: the peer number, and the timestamp (the header field sent). The client's acknowledgement repeats
// both. Therefore forged CONNECTs cost no memory and cannot displace the connection of a slow client.
//
// If the acknowledgement is lost, later datagrams of the client contain only the peer number. The server then sends the
// client a challenge: a ping whose sequence number and timestamp are another part of the hash. The server does not repeat
// the VERIFY, because libenet 1.1 does not acknowledge a repeated one.

const (
	cookiePeriod     = 8192 // length in ms of a cookie period; a cookie stays valid until the end of the next period
	cookieCandidates = 4    // number of slots that a cookie may name; the first free one of them is used
	maxReplies       = 1024 // maximum stateless replies that wait for a flush; further replies are dropped, and clients try again
)

// cookie holds the values that a sender must echo to prove that it receives datagrams at its address.
type cookie struct {
	slot              int32  // slot of the future connection; VERIFY carries the slot's peer number
	sent              uint16 // sent field of the VERIFY
	pingSeq, pingSent uint16 // sequence and sent fields of the challenge
}

// reply is a datagram to send to an address that has no connection.
type reply struct {
	to       netip.AddrPort
	datagram []byte
}

// usualTerms are the connection parameters that all known clients propose in CONNECT; the peer number in them is 0. The host
// answers only such a CONNECT with a cookie: it stores nothing about the CONNECT, so it must know the parameters when the cookie
// comes back. Source: docs/wire/rcce.md, section 1.
var usualTerms = connectTerms{
	mtu: defaultMTU, window: maxWindow, channels: defaultChannels,
	throttle: [3]uint32{throttleInterval, throttleAcceleration, throttleDeceleration},
}

// usesCookies reports whether the host currently stores nothing for a CONNECT and answers it with a cookie.
func (h *Host) usesCookies() bool {
	return h.cfg.CookiesAfter >= 0 && h.halfOpen.n >= h.cfg.CookiesAfter && len(h.slots) > h.cfg.MaxPeers
}

// cookieSlots returns the number of slots that are reserved for connections whose client has repeated a cookie. A cookie names
// one of them. If half-open connections could use these slots, a forged CONNECT could occupy the slot before the client repeats
// its cookie.
func (c *Config) cookieSlots() int {
	if c.RefuseConnect || c.CookiesAfter < 0 {
		return 0
	}
	return min(c.MaxPeers, (noPeer-1-c.FirstPeer)/c.PeerStride+1-c.MaxPeers)
}

// cookies yields the cookies that a sender may repeat in the given period. They name different slots for the future connection,
// because a slot may already be in use.
func (h *Host) cookies(from netip.AddrPort, session [4]byte, period uint32) func(yield func(cookie) bool) {
	return func(yield func(cookie) bool) {
		var in [8 + 1 + 4 + 16 + 2 + 4]byte
		binary.BigEndian.PutUint64(in[:], h.cfg.SessionSeed)
		in[8] = 'c' // makes the input different from the shorter inputs of randomStream
		binary.BigEndian.PutUint32(in[9:], period)
		ip := from.Addr().As16()
		copy(in[13:], ip[:])
		binary.BigEndian.PutUint16(in[29:], from.Port())
		copy(in[31:], session[:])
		sum := sha256.Sum256(in[:])
		c := cookie{sent: binary.BigEndian.Uint16(sum[16:]), pingSeq: binary.BigEndian.Uint16(sum[18:]), pingSent: binary.BigEndian.Uint16(sum[20:])}
		for i := range cookieCandidates {
			c.slot = int32(h.cfg.MaxPeers) + int32(uint64(binary.BigEndian.Uint32(sum[4*i:]))*uint64(len(h.slots)-h.cfg.MaxPeers)>>32)
			if !yield(c) {
				return
			}
		}
	}
}

// period returns the number of the current period, in which cookies have the same key. A period lasts cookiePeriod ms.
func (h *Host) period() uint32 { return h.now / cookiePeriod }

// sendCookie answers a CONNECT that proposes usualTerms. The answer contains a cookie, and the host stores nothing about the
// sender. The answer is shorter than the CONNECT, so it cannot amplify an attack.
func (h *Host) sendCookie(from netip.AddrPort, session [4]byte) {
	for c := range h.cookies(from, session, h.period()) {
		if h.slots[c.slot] != nil {
			continue
		}
		t := usualTerms
		t.peer, t.window = h.idOf(c.slot), uint32(h.cfg.Window)
		h.queueReply(from, t.append(appendControl(nil, session, usualTerms.peer, c.sent, cmdVerify, 1)))
		h.stats.Cookies++
		h.cookiesUntil = h.now + 2*cookiePeriod
		h.cookiesSent = true
		return
	}
	h.stats.RefusedLimit++
}

// queueReply queues a datagram for the next flush. It drops the datagram if too many are queued.
func (h *Host) queueReply(to netip.AddrPort, datagram []byte) {
	if len(h.replies) < maxReplies {
		h.replies = append(h.replies, reply{to, datagram})
	}
}

// acceptCookie handles a datagram for a peer number that no connection has. If the datagram repeats a cookie, it creates the
// connection in the state connected and returns it; the caller then handles the commands of the datagram. If the datagram
// contains only the peer number of a cookie of this sender, it queues a challenge and returns nil.
func (h *Host) acceptCookie(head header, from netip.AddrPort, commands []byte) *Peer {
	if !h.cookiesSent || !before(h.now, h.cookiesUntil) {
		h.cookiesSent = false
		return nil
	}
	for _, period := range [...]uint32{h.period(), h.period() - 1} {
		for c := range h.cookies(from, head.session, period) {
			if h.idOf(c.slot) != head.peer {
				continue
			}
			if !c.echoedBy(commands) {
				challenge := appendControl(nil, head.session, usualTerms.peer, c.pingSent, cmdPing, c.pingSeq)
				h.queueReply(from, challenge) // no longer than the shortest datagram with a command, so a forged datagram is not amplified
				return nil
			}
			if h.full() && h.halfOpen.n > 0 { // a verified sender may displace a half-open connection, whose sender is not verified
				h.dropHalfOpen(h.halfOpen.oldest)
			}
			if h.full() || !h.admitAddr(from.Addr(), 0) {
				h.stats.RefusedLimit++
				return nil
			}
			return h.connectProven(from, head.session, c.slot)
		}
	}
	return nil
}

// echoedBy reports whether one of the commands acknowledges the VERIFY or the challenge that contained the cookie.
func (c *cookie) echoedBy(commands []byte) bool {
	for {
		ack, rest, ok := nextCommand(commands)
		if !ok {
			return false
		}
		if ack.kind == cmdAcknowledge && ack.channel == controlChannel {
			if seq, sent := ack.u16(4), ack.u16(6); seq == 1 && sent == c.sent || seq == c.pingSeq && sent == c.pingSent {
				return true
			}
		}
		commands = rest
	}
}

// connectProven creates the connection of a sender that has proven its address with a cookie.
func (h *Host) connectProven(from netip.AddrPort, session [4]byte, slot int32) *Peer {
	p := h.newPeerAt(slot, from, session)
	p.remoteID = usualTerms.peer
	p.channelCount = int(usualTerms.channels)
	p.throttle = usualTerms.throttle
	p.mtu = min(int(usualTerms.mtu), p.mtu)
	p.controlSeq = 1 // sequence number of the VERIFY, which was sent without state
	p.setConnected()
	return p
}
