package raknet

import "net/netip"

// ClientConfig configures a Client. A zero field selects its default.
type ClientConfig struct {
	GUID     uint64 // chosen by the client; the server reports it as Peer.GUID
	Protocol uint8  // RakNet protocol version of request 1; default 11
	MTU      uint16 // size of the largest IP datagram that is tried first, in bytes, 400..1492; default 1492

	// IgnoreCookies omits the cookie from request 2, as clients without cookie support do.
	IgnoreCookies bool

	// LikeJSP imitates the jsp-raknet backend, for tests of servers: protocol 10, no cookies, an MTU of 1400 that counts
	// UDP payload bytes, a first request of 1399 bytes, an unreliable handshake, retransmission only on a NACK, once and
	// under the same number, and silent loss of datagrams and messages more than 256 ahead of the lowest missing one.
	LikeJSP bool

	ConnectTimeout int64 // ms after which Connect gives up; default 10000

	Limits
}

const (
	requestInterval = 500 // ms between repetitions of request 1 or 2
	requestTries    = 4   // number of times that request 1 is sent at each MTU

	jspWindow      = 256 // jsp-raknet drops numbers this far ahead of the lowest missing one
	jspMTU         = 1400
	jspRequestSize = 1399 // size of the first request 1 of jsp-raknet, in bytes
)

// fallbackMTUs are tried in turn after ClientConfig.MTU while request 1 gets no answer.
var fallbackMTUs = [...]uint16{1200, 576}

// Client is the connecting side of one session. It is not safe for concurrent use.
type Client struct {
	host
	cfg  ClientConfig
	peer *Peer

	connectStart  int64  // ms when Connect was called
	nextRequest   int64  // ms when the next request is due
	request1Count int    // number of requests 1 sent so far
	reply         reply1 // reply 1 of the server, valid while sendRequest2 is set
	sendRequest2  bool   // request 2 is sent next instead of request 1
}

// NewClient returns a client that is not connected.
func NewClient(cfg ClientConfig) *Client {
	setDefault(&cfg.Protocol, latestProtocol)
	if cfg.LikeJSP {
		cfg.Protocol, cfg.IgnoreCookies, cfg.MTU = legacyProtocol, true, jspMTU
	}
	cfg.MTU = clampMTU(cfg.MTU)
	if cfg.MaxParts == 0 {
		cfg.MaxParts = 4096 // parts from the server need no tight limit; MaxSplitBytes bounds their memory
	}
	setDefault(&cfg.ConnectTimeout, 10000)
	c := &Client{host: newHost(cfg.Limits, cfg.GUID, cfg.MTU), cfg: cfg}
	return c
}

// Connect starts a session with a server and resets the previous one. A Connected or Disconnected event of the returned
// peer follows; if the server does not answer, Disconnected comes after ClientConfig.ConnectTimeout.
func (c *Client) Connect(nowMS int64, to netip.AddrPort) *Peer {
	c.now = nowMS
	if c.peer != nil {
		c.peer.Reset()
		c.forget(c.peer)
	}
	c.peer = c.newPeer(normalizeAddr(to), c.cfg.MTU)
	c.peer.state = stateConnecting
	c.peer.client, c.peer.exposed = true, true
	c.peer.likeJSP, c.peer.sameNumber = c.cfg.LikeJSP, c.cfg.LikeJSP
	c.connectStart, c.nextRequest, c.request1Count, c.sendRequest2 = nowMS, nowMS, 0, false
	c.deadlines[c.peer.slot] = nowMS
	return c.peer
}

// Ping asks a server for its status text, with or without a session. The answer arrives as a Pong event, or never.
func (c *Client) Ping(nowMS int64, to netip.AddrPort) {
	if c.hasReplyRoom() {
		c.replies = ping{time: uint64(nowMS), guid: c.guid}.append(c.replies)
		c.endReply(normalizeAddr(to))
	}
}

// Receive handles one datagram, as Server.Receive does. Only pongs are accepted from addresses other than the server's.
func (c *Client) Receive(nowMS int64, from netip.AddrPort, datagram []byte, handle func(Event)) {
	c.now, c.handler = nowMS, handle
	c.stats.DatagramsIn++
	c.stats.BytesIn += uint64(len(datagram))
	from = normalizeAddr(from)
	switch {
	case len(datagram) == 0 || len(datagram) > maxDatagram:
		c.stats.BadDatagram++
	case datagram[0]&flagValid != 0:
		c.receiveConnected(from, datagram)
	default:
		c.receiveOffline(from, datagram)
	}
	c.handler = nil
}

// Tick runs the timers, as Server.Tick does.
func (c *Client) Tick(nowMS int64, handle func(Event)) {
	c.now, c.handler = nowMS, handle
	if p := c.peer; p != nil && p.slot >= 0 && p.state == stateConnecting {
		c.sendRequest(p)
	} else if p != nil && p.slot >= 0 && p.state == stateOpen && nowMS-c.connectStart >= c.cfg.ConnectTimeout {
		p.end(Timeout)
	}
	c.tick()
	c.handler = nil
}

// Flush calls emit for every datagram that is due, as Server.Flush does.
func (c *Client) Flush(nowMS int64, emit func(to netip.AddrPort, datagram []byte)) {
	c.now = nowMS
	c.flush(emit)
}

// sendRequest sends request 1 or request 2 when it is due, and ends the attempt after ClientConfig.ConnectTimeout.
func (c *Client) sendRequest(p *Peer) {
	if c.now-c.connectStart >= c.cfg.ConnectTimeout {
		p.end(Timeout)
		return
	}
	if c.now < c.nextRequest || !c.hasReplyRoom() {
		return
	}
	c.nextRequest = c.now + requestInterval
	if c.sendRequest2 {
		r := request2{secure: c.reply.secure && !c.cfg.IgnoreCookies, cookie: c.reply.cookie, addr: p.addr, mtu: c.reply.mtu, guid: c.guid}
		c.replies = r.append(c.replies)
	} else {
		c.replies = request1{protocol: c.cfg.Protocol, size: c.requestSize(p)}.append(c.replies)
		c.request1Count++
	}
	c.endReply(p.addr)
}

// requestSize returns the size of request 1 in bytes, which shrinks when no answer arrives.
func (c *Client) requestSize(p *Peer) int {
	mtu := c.cfg.MTU
	if round := c.request1Count / requestTries; round > 0 {
		mtu = min(mtu, fallbackMTUs[min(round, len(fallbackMTUs))-1])
	} else if c.cfg.LikeJSP {
		return jspRequestSize
	}
	return int(mtu) - p.overhead()
}

func (c *Client) receiveOffline(from netip.AddrPort, b []byte) {
	if m, ok := parsePong(b); ok {
		c.emitEvent(Event{Kind: Pong, Data: m.text})
		return
	}
	p := c.peer
	if p == nil || p.state != stateConnecting || from != p.addr {
		c.stats.BadOffline++
		return
	}
	if m, ok := parseReply1(b); ok && !c.sendRequest2 {
		m.mtu = min(max(m.mtu, minMTU), c.cfg.MTU)
		c.reply, c.sendRequest2, c.nextRequest = m, true, c.now
		c.sendRequest(p)
	} else if m, ok := parseReply2(b); ok && c.sendRequest2 {
		c.startHandshake(p, m)
	} else if _, ok := parseIncompatible(b); ok {
		p.end(Refused)
	} else if _, ok := parseNoFree(b); ok {
		p.end(Refused)
	} else {
		c.stats.BadOffline++
	}
}

// startHandshake handles reply 2 by sending the connection request.
func (c *Client) startHandshake(p *Peer, m reply2) {
	p.guid = m.guid
	mtu := min(max(m.mtu, minMTU), c.reply.mtu)
	p.setMTU(mtu)
	if c.cfg.LikeJSP {
		p.payload = int(mtu)
	}
	p.state = stateOpen
	p.lastReceived = c.now
	p.sendInternal(connectionRequest{guid: c.guid, time: uint64(c.now)}.append, p.handshakeReliability(Reliable))
	p.schedule()
}
