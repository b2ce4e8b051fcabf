package enet

const (
	smallBody  = 64  // bytes of a command that live inside its node
	mediumBody = 384 // bytes of the medium buffers

	maxPooled = 8192 // nodes or buffers of each size kept for reuse: a ping to each of thousands of idle peers at once
)

// pool keeps what a steady connection needs over and over, so that it allocates nothing.
type pool struct {
	mtu    int
	nodes  []*outgoing
	medium [][]byte
	large  [][]byte // mtu bytes: chunks and the bodies of big commands
	peers  []*Peer  // half-open ones that nobody has seen
}

// node returns an outgoing command with an empty body of at least size bytes capacity, size <= mtu.
func (l *pool) node(size int) *outgoing {
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
		o.body = take(&l.medium, mediumBody)
	default:
		o.body = l.chunk()
	}
	return o
}

func (l *pool) putNode(o *outgoing) {
	switch cap(o.body) {
	case smallBody:
	case mediumBody:
		give(&l.medium, o.body)
	default:
		give(&l.large, o.body)
	}
	if len(l.nodes) < maxPooled {
		*o = outgoing{}
		l.nodes = append(l.nodes, o)
	}
}

// chunk returns an empty buffer of mtu bytes capacity.
func (l *pool) chunk() []byte { return take(&l.large, l.mtu) }

func (l *pool) peer() *Peer {
	n := len(l.peers)
	if n == 0 {
		return &Peer{counted: true}
	}
	p := l.peers[n-1]
	l.peers = l.peers[:n-1]
	*p = Peer{counted: true, acks: p.acks[:0]}
	return p
}

func (l *pool) putPeer(p *Peer) {
	if len(l.peers) < maxPooled {
		l.peers = append(l.peers, p)
	}
}

func take(list *[][]byte, size int) []byte {
	n := len(*list)
	if n == 0 {
		return make([]byte, 0, size)
	}
	b := (*list)[n-1]
	*list = (*list)[:n-1]
	return b[:0]
}

func give(list *[][]byte, b []byte) {
	if len(*list) < maxPooled {
		*list = append(*list, b)
	}
}
