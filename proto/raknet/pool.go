package raknet

const maxPooled = 8192 // buffers kept for reuse

// outDatagram is one data datagram to send, from the first Send that adds a frame to it until its acknowledgement.
type outDatagram struct {
	buf          []byte // room for the header, then frames; capacity is the MTU
	number       int64  // of its latest transmission; -1 before the first
	firstSent    int64  // ms when it was first sent
	lastSent     int64  // ms when it was last sent
	retransmitAt int64  // ms when it is retransmitted
	sends        int    // transmissions so far
	firstMessage int64  // message index of its first frame
	messageCount int64  // message indices in it
	acked        bool
}

// pool keeps datagrams for reuse, so that a steady connection does not allocate.
type pool struct{ free []*outDatagram }

func (l *pool) get() *outDatagram {
	n := len(l.free)
	if n == 0 {
		return &outDatagram{buf: make([]byte, headerSize, maxMTU), number: -1}
	}
	p := l.free[n-1]
	l.free = l.free[:n-1]
	*p = outDatagram{buf: p.buf[:headerSize], number: -1}
	return p
}

func (l *pool) put(p *outDatagram) {
	if len(l.free) < maxPooled {
		l.free = append(l.free, p)
	}
}
