package raknet

import "net/netip"

// ClientConfig configures a Client. A field with the value 0 selects its default.
type ClientConfig struct {
	GUID     uint64 // number that the client chooses for itself; on the server it is Peer.GUID
	Protocol uint8  // RakNet protocol version in Open Connection Request 1; default 11
	MTU      uint16 // MTU to try first: length of an IP datagram in bytes, 400..1492; default 1492

	// IgnoreCookies makes the client behave as clients without support for cookies: it omits the server's cookie from Open
	// Connection Request 2.
	IgnoreCookies bool

	// ImitateJSPRakNet makes the client behave as clients that use the JavaScript library jsp-raknet, for tests of servers.
	// Such a client has RakNet protocol 10, no cookies, unreliable messages in the handshake, and an MTU of 1400 bytes of
	// UDP payload; its first request has 1399 bytes. It retransmits a datagram only after a NACK, once, and under the same
	// number. It silently drops datagrams and messages whose number is more than 256 above the lowest missing number.
	ImitateJSPRakNet bool

	ConnectTimeout int64 // ms after which Connect gives up; default 10000

	Limits
}

const (
	requestInterval = 500 // ms between repetitions of Open Connection Request 1 or 2
	requestTries    = 4   // number of times that Open Connection Request 1 is sent for each MTU

	jspWindow      = 256  // receive window of jsp-raknet, which drops numbers more than this above its lowest missing number
	jspMTU         = 1400 // MTU of jsp-raknet in bytes of UDP payload
	jspRequestSize = 1399 // size of jsp-raknet's first Open Connection Request 1, in bytes
)

// fallbackMTUs are the MTUs in bytes that a client tries, in this order, if no server answers an Open Connection Request 1 whose
// size is ClientConfig.MTU.
var fallbackMTUs = [...]uint16{1200, 576}

// Client is the side that requests a session from a server. It is not safe for concurrent use.
type Client struct {
	host
	cfg  ClientConfig
	peer *Peer // current or last session; nil before the first Connect

	connectStart  int64  // time in ms at which Connect was called
	nextRequest   int64  // time in ms at which the next request is due
	request1Count int    // number of Open Connection Requests 1 sent so far
	reply         reply1 // Open Connection Reply 1 of the server; valid if sendRequest2 is true
	sendRequest2  bool   // the next request is Open Connection Request 2, otherwise 1
}

// NewClient returns a client that is not connected.
func NewClient(cfg ClientConfig) *Client {
	setDefault(&cfg.Protocol, latestProtocol)
	if cfg.ImitateJSPRakNet {
		cfg.Protocol, cfg.IgnoreCookies, cfg.MTU = legacyProtocol, true, jspMTU
	}
	cfg.MTU = clampMTU(cfg.MTU)
	if cfg.MaxParts == 0 {
		cfg.MaxParts = 4096 // a high limit suffices: MaxSplitBytes limits the memory of the parts from the server
	}
	setDefault(&cfg.ConnectTimeout, 10000)
	c := &Client{host: newHost(cfg.Limits, cfg.GUID, cfg.MTU), cfg: cfg}
	return c
}

// Connect starts a session with a server. It ends the previous session. A Connected or Disconnected event of the returned peer
// follows later. If the server does not answer, the event is Disconnected and follows after ClientConfig.ConnectTimeout.
func (c *Client) Connect(nowMS int64, to netip.AddrPort) *Peer {
	c.now = nowMS
	if c.peer != nil {
		c.peer.Reset()
		c.forget(c.peer)
	}
	c.peer = c.newPeer(normalizeAddr(to), c.cfg.MTU)
	c.peer.state = stateConnecting
	c.peer.client, c.peer.exposed = true, true
	c.peer.imitateJSP, c.peer.sameNumber = c.cfg.ImitateJSPRakNet, c.cfg.ImitateJSPRakNet
	c.connectStart, c.nextRequest, c.request1Count, c.sendRequest2 = nowMS, nowMS, 0, false
	c.deadlines[c.peer.slot] = nowMS
	return c.peer
}

// Ping asks a server for its status text, with or without a session. If the server answers, a Pong event follows.
func (c *Client) Ping(nowMS int64, to netip.AddrPort) {
	if c.hasReplyRoom() {
		c.replies = ping{time: uint64(nowMS), guid: c.guid}.append(c.replies)
		c.endReply(normalizeAddr(to))
	}
}

// Receive handles one datagram, as Server.Receive does. From other addresses than that of the server it accepts only pongs.
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

// sendRequest sends Open Connection Request 1 or 2 if it is due, and ends the attempt to connect after
// ClientConfig.ConnectTimeout.
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

// requestSize returns the size in bytes of the next Open Connection Request 1. The request is padded to this size, to test
// whether the path transports such datagrams. After several requests without an answer the size becomes smaller.
func (c *Client) requestSize(p *Peer) int {
	mtu := c.cfg.MTU
	if round := c.request1Count / requestTries; round > 0 {
		mtu = min(mtu, fallbackMTUs[min(round, len(fallbackMTUs))-1])
	} else if c.cfg.ImitateJSPRakNet {
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

// startHandshake handles Open Connection Reply 2, which opens the connection. It queues the connection request, the first
// message inside of the connection.
func (c *Client) startHandshake(p *Peer, m reply2) {
	p.guid = m.guid
	mtu := min(max(m.mtu, minMTU), c.reply.mtu)
	p.setMTU(mtu)
	if c.cfg.ImitateJSPRakNet {
		p.payload = int(mtu)
	}
	p.state = stateOpen
	p.lastReceived = c.now
	p.sendInternal(connectionRequest{guid: c.guid, time: uint64(c.now)}.append, p.handshakeReliability(Reliable))
	p.schedule()
}
