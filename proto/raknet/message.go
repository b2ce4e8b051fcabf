package raknet

const maxAccepts = 3 // maximum connection requests answered per session; an answer is six times as long as a request

// deliver handles a complete message: it passes a message of the application to the application, and processes a message of
// RakNet itself. Ordered messages must be passed in their order.
func (p *Peer) deliver(body []byte) {
	switch id := body[0]; {
	case id >= idUser:
		p.handleUserMessage(body)
	case id == idDisconnect:
		p.handleDisconnect()
	case id == idConnectedPing:
		m, ok := parseConnectedPing(body)
		p.countBadUnless(ok && p.sendInternalUnreliable(connectedPong{echo: m.time, time: uint64(p.host.now)}.append))
	case id == idConnectedPong:
		m, ok := parseConnectedPong(body)
		p.countBadUnless(ok && p.handlePong(m))
	case id == idConnectionRequest:
		m, ok := parseConnectionRequest(body)
		p.countBadUnless(ok && p.handleConnectionRequest(m))
	case id == idConnectionAccepted:
		m, ok := parseConnectionAccepted(body)
		p.countBadUnless(ok && p.handleConnectionAccepted(m))
	case id == idNewConnection:
		_, ok := parseNewConnection(body)
		p.countBadUnless(ok && p.handleNewConnection())
	default:
		p.countBadUnless(false)
	}
}

func (p *Peer) countBadUnless(ok bool) {
	if !ok {
		p.host.stats.BadMessage++
	}
}

// handleUserMessage delivers an application message. If the handshake is not complete yet, this message completes it, because
// it proves that the client has received "connection request accepted". The message that should have completed it, "new
// incoming connection", was then lost: some clients send it unreliably.
func (p *Peer) handleUserMessage(body []byte) {
	if p.state == stateOpen && !p.client && p.acceptsSent > 0 {
		p.completeHandshake()
	}
	if p.state == stateConnected {
		p.host.emitEvent(Event{Kind: Message, Peer: p, Data: body})
	} else {
		p.countBadUnless(p.state == stateClosing)
	}
}

// handleDisconnect ends the session because the other side has disconnected.
func (p *Peer) handleDisconnect() {
	switch p.state {
	case stateOpen, stateConnected:
		p.end(ClosedByPeer)
	case stateClosing:
		p.end(ClosedLocally)
	}
}

// handleConnectionRequest answers a client's connection request with "connection request accepted". It returns false if the
// request is not allowed in the present state.
func (p *Peer) handleConnectionRequest(m connectionRequest) bool {
	if p.client || p.state != stateOpen || p.acceptsSent >= maxAccepts {
		return false
	}
	p.acceptsSent++
	return p.sendInternal(connectionAccepted{addr: p.addr, system: []byte(emptySystemAddrs), echo: m.time, time: uint64(p.host.now)}.append, ReliableOrdered)
}

// handleConnectionAccepted completes the handshake on the client. It returns false if the message is not allowed in the
// present state.
func (p *Peer) handleConnectionAccepted(m connectionAccepted) bool {
	if !p.client || p.state != stateOpen {
		return false
	}
	last := newConnection{addr: p.addr, system: []byte(emptySystemAddrs), echo: m.time, time: uint64(p.host.now)}
	p.sendInternal(last.append, p.handshakeReliability(ReliableOrdered))
	p.completeHandshake()
	return true
}

// handleNewConnection completes the handshake on the server. It returns false if the message is not allowed in the present
// state. A repeated message is allowed and has no effect.
func (p *Peer) handleNewConnection() bool {
	if p.client || p.acceptsSent == 0 {
		return false
	}
	if p.state == stateOpen {
		p.completeHandshake()
	}
	return true
}

func (p *Peer) completeHandshake() {
	p.state = stateConnected
	p.exposed = true
	p.host.onConnected(p)
	p.host.emitEvent(Event{Kind: Connected, Peer: p})
}

// sendInternal sends one of RakNet's own messages with reliability r. It returns whether the message was queued.
func (p *Peer) sendInternal(write func([]byte) []byte, r Reliability) bool {
	p.host.scratch = write(p.host.scratch[:0])
	return p.send(p.host.scratch, r) == nil
}

// sendInternalUnreliable sends one of RakNet's own messages without retransmission.
func (p *Peer) sendInternalUnreliable(write func([]byte) []byte) bool {
	return p.sendInternal(write, Unreliable)
}

// handshakeReliability returns the reliability with which a client sends a handshake message that normally has reliability r. A
// client that imitates jsp-raknet sends it unreliably.
func (p *Peer) handshakeReliability(r Reliability) Reliability {
	if p.imitateJSP {
		return Unreliable
	}
	return r
}

// handlePong updates the round-trip time if the pong answers this side's last ping. Otherwise it returns false.
func (p *Peer) handlePong(m connectedPong) bool {
	if p.pingTime == 0 || m.echo != uint64(p.pingTime) {
		return false
	}
	p.updateRTT(p.host.now - p.pingTime)
	p.pingTime = 0
	return true
}
