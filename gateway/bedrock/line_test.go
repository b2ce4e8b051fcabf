package bedrock

import (
	"net/netip"
	"time"

	"github.com/truestep-io/truestep/proto/raknet"
)

// line is a client's RakNet connection, from an address of its own. What it carries is the business of a client or a
// player.
type line struct {
	r      *rig
	addr   netip.AddrPort
	host   *raknet.Client
	peer   *raknet.Peer
	up     bool
	gone   bool
	reason raknet.Reason
	deaf   bool          // neither reads nor acknowledges
	late   time.Duration // by which what the server sends is held back

	leaving bool
	held    []parcel
	message func(b []byte)
	tick    func()
	flushed func()
}

type parcel struct {
	due time.Time
	b   []byte
}

var serverAddr = netip.MustParseAddrPort("127.0.0.1:19132")

// dial asks for a connection, each from a port of its own.
func (r *rig) dial(o raknet.ClientConfig) *line {
	r.t.Helper()
	r.dialled++
	n := r.dialled
	o.GUID, o.Limits.AckDelay = uint64(n), -1
	l := &line{
		r: r, addr: netip.AddrPortFrom(netip.MustParseAddr("127.0.0.1"), uint16(40000+n)), host: raknet.NewClient(o),
		message: func([]byte) {}, tick: func() {}, flushed: func() {},
	}
	r.lines = append(r.lines, l)
	r.mu.Lock()
	r.mail[l.addr] = nil
	r.mu.Unlock()
	l.peer = l.host.Connect(r.now(), serverAddr)
	return l
}

// serve reads what has come and sends what waits.
func (l *line) serve() {
	if l.deaf {
		return
	}
	for _, b := range l.r.collect(l.addr) {
		l.held = append(l.held, parcel{time.Now().Add(l.late), b})
	}
	for len(l.held) > 0 && !l.held[0].due.After(time.Now()) {
		l.host.Receive(l.r.now(), serverAddr, l.held[0].b, l.event)
		l.held = l.held[1:]
	}
	l.host.Tick(l.r.now(), l.event)
	l.tick()
	l.flush()
}

func (l *line) flush() {
	l.flushed()
	l.host.Flush(l.r.now(), func(_ netip.AddrPort, b []byte) { l.r.send(l.addr, b) })
}

func (l *line) event(e raknet.Event) {
	switch e.Kind {
	case raknet.Connected:
		l.up = true
	case raknet.Disconnected:
		l.gone, l.reason = true, e.Reason
	case raknet.Message:
		l.message(e.Data)
	}
}

// send queues a message. One that finds the connection gone is lost.
func (l *line) send(b []byte) {
	if err := l.peer.SendOrdered(b); err != nil && !l.gone && !l.leaving {
		l.r.t.Errorf("send %d bytes: %v", len(b), err)
	}
}

// hangUp closes the connection and waits for the server to confirm.
func (l *line) hangUp() {
	l.r.t.Helper()
	l.leaving = true
	l.peer.Close()
	l.r.until("the end of a connection", func() bool { return l.gone })
}
