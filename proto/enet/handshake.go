package enet

import "net/netip"

// Connect begins a connection to a host. channels is what we ask for, 0 for Config.Channels; the original's client asks
// for 254. A Connected or Disconnected event follows; with nobody there that takes about 30 s. Error: ErrNoSlot.
func (h *Host) Connect(now uint32, to netip.AddrPort, channels int) (*Peer, error) {
	h.now = now
	var session [4]byte
	for session == ([4]byte{}) {
		a, b := h.secret.u16(), h.secret.u16()
		session = [4]byte{byte(a >> 8), byte(a), byte(b >> 8), byte(b)}
	}
	return h.connect(to, channels, session)
}

func (h *Host) connect(to netip.AddrPort, channels int, session [4]byte) (*Peer, error) {
	if channels <= 0 {
		channels = h.cfg.Channels
	}
	if len(h.free) == 0 {
		h.dropLingering()
	}
	p := h.newPeer(normal(to), session)
	if p == nil {
		return nil, ErrNoSlot
	}
	p.state = stateConnecting
	p.client = true
	p.shown = true
	p.channelCount = min(channels, 255)
	p.throttle = [3]uint32{throttleInterval, throttleAcceleration, throttleDeceleration}
	o := p.newControl(cmdConnect)
	o.body = append(p.terms(p.mtu, p.window).append(o.body), session[:]...)
	p.queueCommand(o)
	return p, nil
}

// terms are what we put into CONNECT or VERIFY. We limit no bandwidth.
func (p *Peer) terms(mtu, window int) terms {
	return terms{peer: p.id, mtu: uint16(mtu), window: uint32(window), channels: uint32(p.channelCount), throttle: p.throttle}
}

// connectRequest handles the first command of a datagram that is addressed to nobody; what follows it could not be
// legal yet and is not read. size is that of the whole datagram.
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
	if p := h.byKey[connKey{from, session}]; p != nil {
		h.stats.ConnectRepeat++
		p.grantBudget(size)
		return
	}
	if t.channels < 1 || t.channels > 255 || t.peer >= noPeer {
		h.stats.BadConnect++
		return
	}
	if !h.admit(from.Addr()) {
		h.stats.RefusedLimit++
		return
	}
	h.newPeer(from, session).verify(t, size)
}

// verify answers a CONNECT. The connection stays half-open until the answer is acknowledged.
func (p *Peer) verify(t terms, size int) {
	p.state = stateVerifying
	p.remoteID = t.peer
	p.received = size
	p.channelCount = int(t.channels)
	p.throttle = t.throttle
	p.host.halfAdd(p)

	// The client learns the MTU that it asked for, within the protocol's bounds, and may use it; we send less if ours is.
	mtu := min(max(int(t.mtu), minMTU), maxMTU)
	p.mtu = min(mtu, p.mtu)
	p.window = int(min(max(t.window, minWindow), uint32(p.window)))
	answer := p.terms(mtu, p.window)
	p.limitBandwidth(t.in)

	o := p.newControl(cmdVerify)
	o.body = answer.append(o.body)
	p.queueCommand(o)
	p.host.schedule(p)
}

// limitBandwidth sets the window for a peer that states how many bytes per second it takes. The original divides the
// smaller of both sides' limits, where ours is 0 for "none", so that any statement gives the smallest window.
func (p *Peer) limitBandwidth(in uint32) {
	if in != 0 {
		p.window = minWindow
	}
}

// verified handles the answer to our CONNECT. false ends the datagram.
func (p *Peer) verified(c *command) bool {
	t := parseTerms(c)
	if p.state == stateConnected && p.client && t.peer == p.remoteID {
		// Our acknowledgement was lost. The original does not repeat it here, and such a connection of it dies.
		return true
	}
	if p.state != stateConnecting {
		return p.bad()
	}
	if t.channels != uint32(p.channelCount) || t.throttle != p.throttle || t.peer >= noPeer {
		p.lose(Refused, 0, false)
		return false
	}
	if o := p.controlRing.get(1); o != nil {
		p.land(o)
	}
	p.remoteID = t.peer
	p.mtu = min(p.mtu, min(max(int(t.mtu), minMTU), maxMTU))
	p.window = min(p.window, int(min(max(t.window, minWindow), maxWindow)))
	p.limitBandwidth(t.in)
	p.complete()
	return true
}

// complete is the moment of connection on either side. Commands behind the one that completed it in its datagram find
// the peer connected.
func (p *Peer) complete() {
	h := p.host
	h.halfRemove(p)
	if o := p.controlRing.get(1); o != nil {
		p.land(o) // a VERIFY that was answered in another way
	}
	p.state = stateConnected
	p.suspect = false
	p.lastAck = h.now
	h.tell(Event{Kind: Connected, Peer: p})
	if p.client && p.state == stateConnected {
		p.queueBandwidth() // behind what the handler sent, where the original has it
	}
}
