package enet

const (
	smallBody  = 64  // maximum length in bytes of a command that is stored inside its outgoing struct
	mediumBody = 384 // maximum length in bytes of a command that is stored in a medium buffer

	maxPooled = 8192 // maximum nodes, and maximum buffers of each size, kept for reuse: enough to ping thousands of idle peers at once
)

// pool stores unused objects and buffers for reuse, so that a steady connection does not allocate.
type pool struct {
	mtu    int
	nodes  []*outgoing // unused outgoing commands
	medium [][]byte    // unused buffers of mediumBody bytes
	large  [][]byte    // buffers of mtu bytes for chunks and for the bodies of large commands
	peers  []*Peer     // unused peers that the application has never seen, because they were only half-open
}

// getNode returns an outgoing command with an empty body. The capacity of the body is at least size bytes; size must be at
// most mtu.
func (l *pool) getNode(size int) *outgoing {
	var o *outgoing
	if n := len(l.nodes); n > 0 {
		o = l.nodes[n-1]
		l.nodes = l.nodes[:n-1]
	} else {
		o = new(outgoing)
	}
	switch {
	case size <= smallBody:
		o.body = o.small[:0]
	case size <= mediumBody:
		o.body = getBuffer(&l.medium, mediumBody)
	default:
		o.body = l.getChunk()
	}
	return o
}

func (l *pool) putNode(o *outgoing) {
	switch cap(o.body) {
	case smallBody:
	case mediumBody:
		putBuffer(&l.medium, o.body)
	default:
		putBuffer(&l.large, o.body)
	}
	if len(l.nodes) < maxPooled {
		*o = outgoing{}
		l.nodes = append(l.nodes, o)
	}
}

// getChunk returns an empty buffer with a capacity of mtu bytes.
func (l *pool) getChunk() []byte { return getBuffer(&l.large, l.mtu) }

func (l *pool) getPeer() *Peer {
	n := len(l.peers)
	if n == 0 {
		return &Peer{registered: true}
	}
	p := l.peers[n-1]
	l.peers = l.peers[:n-1]
	*p = Peer{registered: true, acks: p.acks[:0]}
	return p
}

func (l *pool) putPeer(p *Peer) {
	if len(l.peers) < maxPooled {
		l.peers = append(l.peers, p)
	}
}

func getBuffer(list *[][]byte, size int) []byte {
	n := len(*list)
	if n == 0 {
		return make([]byte, 0, size)
	}
	b := (*list)[n-1]
	*list = (*list)[:n-1]
	return b[:0]
}

func putBuffer(list *[][]byte, b []byte) {
	if len(*list) < maxPooled {
		*list = append(*list, b)
	}
}
