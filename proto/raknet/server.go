package raknet

import (
	"bytes"
	"net/netip"
	"slices"

	"github.com/truestep-io/truestep/proto/wire"
)

const maxPongText = 512 // maximum bytes of the text in a pong; a pong is then at most 17 times as long as the ping

// Server accepts sessions of clients. It is not safe for concurrent use. Several servers may share a socket if all
// datagrams of a source address go to the same server.
type Server struct {
	host
	cfg           Config
	pongText      []byte
	pongs         pongLimit
	networks      map[netip.Addr]*networkUse // session counts by IPv4 address or IPv6 /64 network
	halfOpen      []*Peer                    // half-open peers, oldest first; may also contain peers that no longer are half-open
	halfOpenCount int
}

// networkUse counts the sessions of one network: an IPv4 address or an IPv6 /64.
type networkUse struct{ peers, halfOpen int }

// NewServer returns a server without sessions. See Config for its limits.
func NewServer(cfg Config) *Server {
	cfg = cfg.withDefaults()
	s := &Server{host: newHost(cfg.Limits, cfg.GUID, cfg.MTU), cfg: cfg, networks: map[netip.Addr]*networkUse{}}
	s.onEnded, s.onConnected = s.untrack, s.untrackHalfOpen
	return s
}

// SetPong sets the text with which the server answers pings. It copies the text and truncates it to 512 bytes. Before the
// first call the server does not answer pings.
func (s *Server) SetPong(text []byte) { s.pongText = bytes.Clone(text[:min(len(text), maxPongText)]) }

// PeerCount returns the number of sessions, including half-open and ending ones.
func (s *Server) PeerCount() int { return len(s.peers) }

// Receive handles one datagram. It calls handle for each resulting event, in order, before it returns. Malformed input
// causes neither a panic nor an error, but is counted in Stats. Receive does not keep the datagram. The parameter nowMS is
// a time in ms that begins anywhere at or above 0 and never decreases.
func (s *Server) Receive(nowMS int64, from netip.AddrPort, datagram []byte, handle func(Event)) {
	s.now, s.handler = nowMS, handle
	s.stats.DatagramsIn++
	s.stats.BytesIn += uint64(len(datagram))
	from = normalizeAddr(from)
	switch {
	case len(datagram) == 0 || len(datagram) > maxDatagram:
		s.stats.BadDatagram++
	case datagram[0]&flagValid != 0:
		s.receiveConnected(from, datagram)
	default:
		s.receiveOffline(from, datagram)
	}
	s.handler = nil
}

// Tick runs the timers: timeouts, pings and retransmissions. Retransmissions are sent by the next Flush. Call Tick about
// every 10 ms.
func (s *Server) Tick(nowMS int64, handle func(Event)) {
	s.now, s.handler = nowMS, handle
	s.tick()
	s.handler = nil
}

// Flush calls emit for every datagram that is due. The bytes of a datagram are valid only until emit returns. The function
// emit must not call the server. Call Flush after Tick, and after one or several calls of Receive.
func (s *Server) Flush(nowMS int64, emit func(to netip.AddrPort, datagram []byte)) {
	s.now = nowMS
	s.flush(emit)
}

// receiveOffline answers a message outside of a connection. It stores nothing about an address that is not verified.
func (s *Server) receiveOffline(from netip.AddrPort, b []byte) {
	switch b[0] {
	case idPing, idPingOpen:
		if m, ok := parsePing(b); ok {
			s.ping(from, m)
			return
		}
	case idRequest1:
		if m, ok := parseRequest1(b); ok {
			s.request1(from, m)
			return
		}
	case idRequest2:
		if m, ok := parseRequest2(b, !s.cfg.NoCookies); ok {
			s.request2(from, m)
			return
		}
	}
	s.stats.BadOffline++
}

func (s *Server) ping(from netip.AddrPort, m ping) {
	s.stats.Pings++
	if len(s.pongText) == 0 || m.open && len(s.peers) >= s.cfg.MaxSessions {
		return
	}
	if !s.allowPong(from) {
		s.stats.PongsLimited++
		return
	}
	if s.hasReplyRoom() {
		s.stats.Pongs++
		s.replies = pong{time: m.time, guid: s.guid, text: s.pongText}.append(s.replies)
		s.endReply(from)
	}
}

func (s *Server) request1(from netip.AddrPort, m request1) {
	s.stats.RequestsIn++
	if m.size < reply1Size+cookieSize {
		s.stats.ShortRequest++
		return
	}
	if !s.hasReplyRoom() {
		return
	}
	if !slices.Contains(s.cfg.Protocols, m.protocol) {
		s.stats.BadProtocol++
		s.replies = incompatible{protocol: s.cfg.Protocols[0], guid: s.guid}.append(s.replies)
		s.endReply(from)
		return
	}
	mtu := s.mtu
	if m.protocol <= legacyProtocol {
		mtu = min(mtu, maxLegacyMTU)
	}
	r := reply1{guid: s.guid, secure: !s.cfg.NoCookies, mtu: uint16(min(max(m.size+overhead4, minMTU), int(mtu)))}
	if r.secure {
		r.cookie = s.cookie(from, s.now/cookiePeriod)
	}
	s.replies = r.append(s.replies)
	s.endReply(from)
}

func (s *Server) request2(from netip.AddrPort, m request2) {
	s.stats.RequestsIn++
	if m.secure && !s.validCookie(from, m.cookie) {
		s.stats.BadCookie++
		return
	}
	p := s.byAddr[from]
	if p != nil && p.state == stateLingering {
		s.forget(p)
		p = nil
	}
	if p != nil && p.state != stateOpen {
		s.stats.AlreadyConnected++
		return
	}
	if !s.hasReplyRoom() {
		return
	}
	mtu := min(max(m.mtu, minMTU), s.mtu)
	if p == nil {
		if !s.admit(from.Addr()) {
			s.stats.RefusedLimit++
			s.replies = noFree{guid: s.guid}.append(s.replies)
			s.endReply(from)
			return
		}
		p = s.newPeer(from, mtu)
		p.state = stateOpen
		p.guid = m.guid
		s.trackHalfOpen(p)
	} else if p.acceptsSent == 0 && p.nextNumber == 0 && p.nextMessage == 0 {
		p.setMTU(mtu) // the client has repeated Open Connection Request 2, possibly for a smaller MTU
		p.guid = m.guid
	} else {
		mtu = uint16(p.payload + p.overhead())
	}
	s.replies = reply2{guid: s.guid, addr: from, mtu: mtu}.append(s.replies)
	s.endReply(from)
}

// admit reports whether a session from the address a may begin. If a limit is reached, it first tries to make room: it drops a
// half-open session, or a session that the other side has ended.
func (s *Server) admit(a netip.Addr) bool {
	if u := s.networks[wire.NetworkOf(a)]; u != nil && (!a.IsLoopback() || s.cfg.LimitLoopback) {
		over := func(n, limit int) bool { return limit >= 0 && n >= limit }
		if over(u.halfOpen, s.cfg.MaxHalfOpenPerAddr) {
			s.dropHalfOpen(s.oldestHalfOpen(u))
		}
		if over(u.peers, s.cfg.MaxPerAddr) {
			return false
		}
	}
	if s.halfOpenCount > 0 && (s.halfOpenCount >= s.cfg.MaxHalfOpen || len(s.peers) >= s.cfg.MaxSessions) {
		s.dropHalfOpen(s.halfOpenVictim())
	}
	if len(s.peers) >= s.cfg.MaxSessions {
		s.dropLingering()
	}
	return len(s.peers) < s.cfg.MaxSessions
}

func (s *Server) dropHalfOpen(p *Peer) {
	s.stats.HalfOpenDropped++
	s.forget(p)
}

// oldestHalfOpen returns the oldest half-open session of a network, which must have at least one.
func (s *Server) oldestHalfOpen(network *networkUse) *Peer {
	for _, p := range s.halfOpen {
		if p.halfOpen && p.network == network {
			return p
		}
	}
	panic("raknet: network without half-open sessions")
}

// halfOpenVictim returns the half-open session to drop in favour of a new one: the oldest session of the network that has the most
// half-open sessions. Therefore a single client with a slow handshake survives a flood from networks with several half-open
// sessions each.
func (s *Server) halfOpenVictim() (victim *Peer) {
	most := 0
	for _, p := range s.halfOpen { // the loop is short: the list has at most 2*MaxHalfOpen + 16 peers
		if p.halfOpen && p.network.halfOpen > most {
			victim, most = p, p.network.halfOpen
		}
	}
	return victim
}

// dropLingering removes one session that the other side has ended, if there is one. Such a session is otherwise kept for a
// short time, to acknowledge the last datagrams of the other side.
func (s *Server) dropLingering() {
	for _, p := range s.peers {
		if p.state == stateLingering {
			s.forget(p)
			return
		}
	}
}

func (s *Server) trackHalfOpen(p *Peer) {
	p.halfOpen = true
	s.halfOpen = append(s.halfOpen, p)
	s.halfOpenCount++
	a := wire.NetworkOf(p.addr.Addr())
	p.network = s.networks[a]
	if p.network == nil {
		p.network = &networkUse{}
		s.networks[a] = p.network
	}
	p.network.peers++
	p.network.halfOpen++
}

// untrackHalfOpen updates the counts of half-open sessions after a peer has connected or its session has ended.
func (s *Server) untrackHalfOpen(p *Peer) {
	if !p.halfOpen {
		return
	}
	p.halfOpen = false
	s.halfOpenCount--
	p.network.halfOpen--
	n := 0
	for n < len(s.halfOpen) && !s.halfOpen[n].halfOpen {
		n++
	}
	s.halfOpen = slices.Delete(s.halfOpen, 0, n)
	if len(s.halfOpen) > 2*s.halfOpenCount+16 {
		s.halfOpen = slices.DeleteFunc(s.halfOpen, func(p *Peer) bool { return !p.halfOpen })
	}
}

// untrack removes a session from the counts of sessions. For a peer that lingers it is called twice: when the session ends, and
// when the peer is forgotten. The second call has no effect.
func (s *Server) untrack(p *Peer) {
	s.untrackHalfOpen(p)
	if p.network == nil {
		return
	}
	if p.network.peers--; p.network.peers == 0 {
		delete(s.networks, wire.NetworkOf(p.addr.Addr()))
	}
	p.network = nil
}
