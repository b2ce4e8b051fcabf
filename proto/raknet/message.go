package raknet

const maxAccepts = 3 // connection requests of one session that are answered: an answer is six times as long

// deliver handles a whole message, in its turn.
func (p *Peer) deliver(body []byte) {
	switch id := body[0]; {
	case id >= idUser:
		p.user(body)
	case id == idDisconnect:
		p.gone()
	case id == idConnectedPing:
		m, ok := parseConnectedPing(body)
		p.expect(ok && p.answer(connectedPong{echo: m.time, time: uint64(p.host.now)}.append))
	case id == idConnectedPong:
		m, ok := parseConnectedPong(body)
		p.expect(ok && p.ponged(m))
	case id == idConnectionRequest:
		m, ok := parseConnectionRequest(body)
		p.expect(ok && p.requested(m))
	case id == idConnectionAccepted:
		m, ok := parseConnectionAccepted(body)
		p.expect(ok && p.welcomed(m))
	case id == idNewConnection:
		_, ok := parseNewConnection(body)
		p.expect(ok && p.arrived())
	default:
		p.expect(false)
	}
}

func (p *Peer) expect(ok bool) {
	if !ok {
		p.host.stats.BadMessage++
	}
}

// user delivers a message of the other side's user. Before the handshake is complete it shows that it is: who sends it
// has seen our acceptance, and its own last word, which some send unreliably, was lost.
func (p *Peer) user(body []byte) {
	if p.state == stateOpen && !p.client && p.accepted > 0 {
		p.complete()
	}
	if p.state == stateConnected {
		p.host.tell(Event{Kind: Message, Peer: p, Data: body})
	} else {
		p.expect(p.state == stateClosing)
	}
}

// gone handles a goodbye.
func (p *Peer) gone() {
	switch p.state {
	case stateOpen, stateConnected:
		p.lose(ByPeer)
	case stateClosing:
		p.lose(ByUs)
	}
}

// requested answers a client that asks to be let in.
func (p *Peer) requested(m connectionRequest) bool {
	if p.client || p.state != stateOpen || p.accepted >= maxAccepts {
		return false
	}
	p.accepted++
	return p.say(connectionAccepted{addr: p.addr, system: []byte(noSystem), echo: m.time, time: uint64(p.host.now)}.append, ReliableOrdered)
}

// welcomed is the moment of connection for a client.
func (p *Peer) welcomed(m connectionAccepted) bool {
	if !p.client || p.state != stateOpen {
		return false
	}
	last := newConnection{addr: p.addr, system: []byte(noSystem), echo: m.time, time: uint64(p.host.now)}
	p.say(last.append, p.handshake(ReliableOrdered))
	p.complete()
	return true
}

// arrived is the moment of connection for a server. Repetitions mean nothing.
func (p *Peer) arrived() bool {
	if p.client || p.accepted == 0 {
		return false
	}
	if p.state == stateOpen {
		p.complete()
	}
	return true
}

func (p *Peer) complete() {
	p.state = stateConnected
	p.shown = true
	p.host.onOpen(p)
	p.host.tell(Event{Kind: Connected, Peer: p})
}

// say sends one of RakNet's own messages.
func (p *Peer) say(write func([]byte) []byte, r Reliability) bool {
	p.host.scratch = write(p.host.scratch[:0])
	return p.send(p.host.scratch, r) == nil
}

// answer says something that may be lost.
func (p *Peer) answer(write func([]byte) []byte) bool { return p.say(write, Unreliable) }

// handshake is the reliability of a client's handshake; jsp-raknet sends it unreliably.
func (p *Peer) handshake(r Reliability) Reliability {
	if p.narrow {
		return Unreliable
	}
	return r
}

// ponged takes the round trip of our own ping.
func (p *Peer) ponged(m connectedPong) bool {
	if p.pingTime == 0 || m.echo != uint64(p.pingTime) {
		return false
	}
	p.measure(p.host.now - p.pingTime)
	p.pingTime = 0
	return true
}
