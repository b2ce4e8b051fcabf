package raknet

const maxPooled = 8192 // buffers kept for reuse

// parcel is what travels as one data datagram, from the first Send that put something into it to its acknowledgement.
type outDatagram struct {
	buf          []byte // room for the header, then frames; capacity is the MTU
	number       int64  // of its latest sending; -1 before the first
	firstSent    int64  // ms when it was first sent
	lastSent     int64  // ms when it was last sent
	retransmitAt int64  // ms when it is to be sent again
	sends        int    // sendings so far
	firstMessage int64  // message index of its first frame
	messageCount int64  // of message indices in it
	acked        bool
}

// pool keeps parcels for reuse, so that a steady connection allocates nothing.
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
