package raknet

const maxPooled = 8192 // maximum number of buffers kept for reuse

// outDatagram is one data datagram to send. Send creates a new one for a frame that does not fit into the last. A datagram with
// reliable frames is kept until the other side has acknowledged it; any other datagram is kept only until it is sent.
type outDatagram struct {
	buf          []byte // space for the header, then the frames; its capacity is maxMTU bytes
	number       int64  // number of the latest transmission; -1 before the first
	firstSent    int64  // time in ms at which the datagram was first sent
	lastSent     int64  // time in ms at which the datagram was last sent
	retransmitAt int64  // time in ms at which the next retransmission is due
	sends        int    // number of transmissions so far
	firstMessage int64  // message index of the first frame
	messageCount int64  // number of message indices that the frames of the datagram use
	acked        bool
}

// pool stores unused datagrams for reuse, so that a steady connection does not allocate.
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
