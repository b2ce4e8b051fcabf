package raknet

import "net/netip"

// ClientConfig sets a client up. 0 in a field is its default.
type ClientConfig struct {
	GUID     uint64
	Protocol uint8  // RakNet protocol; default 11
	MTU      uint16 // bytes of the IP datagrams that are tried first, 400..1492; default 1492

	// IgnoreCookies makes request 2 go without the cookie, as from a client that does not know them.
	IgnoreCookies bool

	// LikeJSP imitates the backend jsp-raknet, for tests of servers: protocol 10, no cookies, an MTU of 1400 taken for the
	// bytes of UDP payload, a first request of 1399 bytes, a handshake sent unreliably, resends only when asked and under
	// the same number, each once, and silent loss of what is more than 256 ahead.
	LikeJSP bool

	ConnectTimeout int64 // ms until Connect gives up; default 10000

	Limits
}

const (
	requestInterval = 500 // ms between repetitions of a request
	requestTries    = 4   // repetitions of request 1 at one size

	jspWindow      = 256 // numbers ahead that jsp-raknet accepts
	jspMTU         = 1400
	jspRequestSize = 1399 // bytes of its first request
)

// tried are the MTUs after the first, of who gets no answer.
var fallbackMTUs = [...]uint16{1200, 576}

// Client is the connecting end of one session. It belongs to one goroutine.
type Client struct {
	host
	cfg  ClientConfig
	peer *Peer

	connectStart  int64 // ms of Connect
	nextRequest   int64 // ms of the next request
	request1Count int   // requests 1 so far
	reply         reply1
	sendRequest2  bool // request 2 is due instead of request 1
}

// NewClient returns a client that is not connected.
func NewClient(cfg ClientConfig) *Client {
	setDefault(&cfg.Protocol, latestProtocol)
	if cfg.LikeJSP {
		cfg.Protocol, cfg.IgnoreCookies, cfg.MTU = legacyProtocol, true, jspMTU
	}
	cfg.MTU = clampMTU(cfg.MTU)
	if cfg.MaxParts == 0 {
		cfg.MaxParts = 4096 // what a server sends is no attack; the bytes are limited
	}
	setDefault(&cfg.ConnectTimeout, 10000)
	c := &Client{host: newHost(cfg.Limits, cfg.GUID, cfg.MTU), cfg: cfg}
	return c
}

// Connect begins a session with a server and ends the one before. A Connected or Disconnected event of the returned peer
// follows; with nobody there that takes ClientConfig.ConnectFor.
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

// Ping asks a server for its text, with or without a session. A Pong event tells it; nothing tells that none comes.
func (c *Client) Ping(nowMS int64, to netip.AddrPort) {
	if c.hasReplyRoom() {
		c.replies = ping{time: uint64(nowMS), guid: c.guid}.append(c.replies)
		c.endReply(normalizeAddr(to))
	}
}

// Receive takes one datagram, as Server.Receive does. Datagrams from others than the server are ignored, but for pongs.
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

// Tick does what time brings about, as Server.Tick does.
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

// request sends the request that is due.
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

// requestSize is the size of request 1, which gets smaller when no answer comes.
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

// open begins the handshake inside of the connection.
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
