package raknet

const maxPooled = 8192 // buffers kept for reuse

// parcel is what travels as one data datagram, from the first Send that put something into it to its acknowledgement.
type parcel struct {
	buf     []byte // room for the header, then frames; capacity is the MTU
	number  int64  // of its latest sending; -1 before the first
	first   int64  // ms when it was first sent
	sent    int64  // ms when it was last sent
	due     int64  // ms when it is to be sent again
	tries   int    // sendings so far
	message int64  // message index of its first frame
	count   int64  // of message indices in it
	acked   bool
}

// pool keeps parcels for reuse, so that a steady connection allocates nothing.
type pool struct{ parcels []*parcel }

func (l *pool) take() *parcel {
	n := len(l.parcels)
	if n == 0 {
		return &parcel{buf: make([]byte, headerSize, maxMTU), number: -1}
	}
	p := l.parcels[n-1]
	l.parcels = l.parcels[:n-1]
	*p = parcel{buf: p.buf[:headerSize], number: -1}
	return p
}

func (l *pool) give(p *parcel) {
	if len(l.parcels) < maxPooled {
		l.parcels = append(l.parcels, p)
	}
}
