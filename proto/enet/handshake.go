package enet

import "net/netip"

// Connect starts a connection to a host. The parameter channels is the number of channels to request; 0 selects
// Config.Channels. A Connected or a Disconnected event follows. If the host does not answer, the event is Disconnected and
// follows after about 30 s. The only error is ErrNoSlot.
func (h *Host) Connect(now uint32, to netip.AddrPort, channels int) (*Peer, error) {
	h.now = now
	var session [4]byte
	for session == ([4]byte{}) {
		a, b := h.random.u16(), h.random.u16()
		session = [4]byte{byte(a >> 8), byte(a), byte(b >> 8), byte(b)}
	}
	return h.connect(to, channels, session)
}

func (h *Host) connect(to netip.AddrPort, channels int, session [4]byte) (*Peer, error) {
	if channels <= 0 {
		channels = h.cfg.Channels
	}
	if h.full() {
		h.dropLingering()
	}
	p := h.newPeer(unmapAddr(to), session)
	if p == nil {
		return nil, ErrNoSlot
	}
	p.state = stateConnecting
	p.client = true
	p.exposed = true
	p.channelCount = min(channels, 255)
	p.throttle = [3]uint32{throttleInterval, throttleAcceleration, throttleDeceleration}
	o := p.newControl(cmdConnect)
	o.body = append(p.terms(p.mtu, p.window).append(o.body), session[:]...)
	p.queueCommand(o)
	return p, nil
}

// terms returns the connection parameters that this side states in a CONNECT or a VERIFY. They contain no bandwidth limits.
func (p *Peer) terms(mtu, window int) connectTerms {
	return connectTerms{peer: p.id, mtu: uint16(mtu), window: uint32(window), channels: uint32(p.channelCount), throttle: p.throttle}
}

// connectRequest handles the first command of a datagram without a peer number, which must be a CONNECT. It does not read
// further commands, because they cannot be legal before the connection exists. The parameter size is the size of the whole
// datagram in bytes.
func (h *Host) connectRequest(from netip.AddrPort, commands []byte, size int) {
	c, _, ok := nextCommand(commands)
	if !ok || c.kind != cmdConnect {
		h.stats.BadCommand++
		return
	}
	h.stats.CommandsIn++
	if h.cfg.RefuseConnect {
		h.stats.BadPeer++
		return
	}
	t := parseTerms(&c)
	var session [4]byte
	copy(session[:], c.fixed[36:])
	if p := h.byKey[connectionKey{from, session}]; p != nil {
		h.stats.ConnectRepeat++
		p.grantBudget(size)
		return
	}
	if t.channels < 1 || t.channels > 255 || t.peer >= noPeer {
		h.stats.BadConnect++
		return
	}
	if h.usesCookies() && t == usualTerms {
		if h.admitAddr(from.Addr(), 0) {
			h.sendCookie(from, session)
		} else {
			h.stats.RefusedLimit++
		}
		return
	}
	if !h.admitConnect(from.Addr()) {
		h.stats.RefusedLimit++
		return
	}
	h.newPeer(from, session).sendVerify(t, size)
}

// sendVerify answers a CONNECT that proposes the connection parameters t. The connection stays half-open until the client
// acknowledges the answer. The parameter size is the size of the received datagram in bytes.
func (p *Peer) sendVerify(t connectTerms, size int) {
	p.state = stateVerifying
	p.remoteID = t.peer
	p.receivedBytes = size
	p.channelCount = int(t.channels)
	p.throttle = t.throttle
	p.host.addHalfOpen(p)

	// The client may send datagrams of the MTU that it requested, within the bounds of the protocol. If this host's own MTU is
	// lower, this host sends datagrams of at most its own MTU.
	mtu := min(max(int(t.mtu), minMTU), maxMTU)
	p.mtu = min(mtu, p.mtu)
	p.window = int(min(max(t.window, minWindow), uint32(p.window)))
	answer := p.terms(mtu, p.window)
	p.handleBandwidthLimit(t.in)

	o := p.newControl(cmdVerify)
	o.body = answer.append(o.body)
	p.queueCommand(o)
	p.host.schedule(p)
}

// handleBandwidthLimit sets the window for a peer that limits its incoming bandwidth. The parameter in is this limit; 0 means
// none. Any limit results in the smallest window, as in libenet 1.1: that computes the window from the lower limit of the two
// sides, and takes the missing limit of this side for 0.
func (p *Peer) handleBandwidthLimit(in uint32) {
	if in != 0 {
		p.window = minWindow
	}
}

// handleVerify handles VERIFY, the server's answer to CONNECT. It returns false if the rest of the datagram must be
// ignored.
func (p *Peer) handleVerify(c *command) bool {
	t := parseTerms(c)
	if p.state == stateConnected && p.client && t.peer == p.remoteID {
		// The server repeats VERIFY because the first acknowledgement was lost, so acknowledge it again. Libenet 1.1 does
		// not acknowledge it again, and its connection times out.
		return true
	}
	if p.state != stateConnecting {
		return p.rejectCommand()
	}
	if t.channels != uint32(p.channelCount) || t.throttle != p.throttle || t.peer >= noPeer {
		p.endConnection(Refused, 0, false)
		return false
	}
	if o := p.controlRing.get(1); o != nil {
		p.removeAcked(o)
	}
	p.remoteID = t.peer
	p.mtu = min(p.mtu, min(max(int(t.mtu), minMTU), maxMTU))
	p.window = min(p.window, int(min(max(t.window, minWindow), maxWindow)))
	p.handleBandwidthLimit(t.in)
	p.setConnected()
	return true
}

// setConnected completes the handshake, as the client or as the server. Later commands of the same datagram are already
// handled in the state connected.
func (p *Peer) setConnected() {
	h := p.host
	h.removeHalfOpen(p)
	if o := p.controlRing.get(1); o != nil {
		p.removeAcked(o) // the answer to a challenge also confirms the VERIFY
	}
	p.state = stateConnected
	p.timedOut = false
	p.lastAck = h.now
	h.emitEvent(Event{Kind: Connected, Peer: p})
	if p.client && p.state == stateConnected {
		p.queueBandwidth() // BANDWIDTH_LIMIT follows the messages that the handler queued, as in libenet 1.1
	}
}
