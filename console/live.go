package console

import (
	"context"
	"net"
	"net/http"
	"time"

	"github.com/coder/websocket"

	"github.com/truestep-io/truestep/sim"
)

const defaultRate = 10 // broadcasts per second

// How long things take, unless a test shortens them.
const (
	sendWithin = 10 * time.Second // who has not read for so long is closed
	heartbeat  = 5 * time.Second  // between two looks whether a viewer is still there and still may be
)

// Status codes with which live maps are closed, beside 1001 (the server stops) and 1008 (the viewer sent something).
const (
	closeLoginOver websocket.StatusCode = 4401 // the login has ended
	closeTooSlow   websocket.StatusCode = 4408 // too much was waiting for the viewer
)

// helloText is the first message of a live map.
type helloText struct {
	Type     string     `json:"type"`
	Area     sim.AreaID `json:"area"`
	Rate     int        `json:"rate"`
	TickRate int        `json:"tickRate"`
}

var errManyViewers = &apiError{http.StatusTooManyRequests, codeThrottled, "too many live maps are open: close one"}

// live is GET /live: the map of an area, as it happens.
func (k *call) live() (any, error) {
	where, rate, err := k.liveQuery()
	if err != nil {
		return nil, err
	}
	if !k.sameOrigin(k.r) {
		return nil, errForeignOrigin
	}
	if k.r.Method != http.MethodGet || k.r.Header.Get("Upgrade") == "" {
		return nil, badRequest("this call is a WebSocket: ask for an upgrade")
	}
	k.streams.Add(1)
	defer k.streams.Done()
	if !k.seats.take(k.who.name, k.MaxViewers, shareOf(k.MaxViewers)) {
		return nil, errManyViewers
	}
	defer k.seats.leave(k.who.name)
	select {
	case <-k.stopping:
		return nil, errStopping
	default:
	}
	// The origin was looked at, scheme and all.
	conn, err := websocket.Accept(k.w, k.r, &websocket.AcceptOptions{InsecureSkipVerify: true})
	if err != nil {
		return answered{}, nil // Accept has said why
	}
	defer conn.CloseNow()
	if g := guestOf(k.socket()); g != nil {
		g.listens.Store(true)
	}
	v := newViewer()
	v.texts = append(v.texts, encodeText(helloText{"hello", where, rate, k.World.Def().TicksPerSecond}))
	cs := &k.watch.areas[where].crews
	cs.join(v, rate)
	k.viewers.Add(1) // once he is shown frames: whoever counts him may wait for one
	k.stream(conn, v)
	cs.leave(v, rate)
	k.viewers.Add(-1)
	v.drop()
	return answered{}, nil
}

// liveQuery reads the query of a live map.
func (k *call) liveQuery() (sim.AreaID, int, error) {
	ask, err := k.query("area", "rate")
	if err != nil {
		return 0, 0, err
	}
	if ask.Get("area") == "" {
		return 0, 0, badRequest(`"area" is missing`)
	}
	where, err := k.areaOf("area", ask.Get("area"))
	if err != nil {
		return 0, 0, err
	}
	most := int64(k.World.Def().TicksPerSecond)
	rate, err := number(ask, "rate", min(defaultRate, most), 1, most)
	return where, int(rate), err
}

// shareOf is how many of all places at live maps one operator may have: three of four, so that none, whose token may have
// been stolen, can keep all others from looking.
func shareOf(most int) int { return most - most/4 }

// stream sends a viewer what waits for him until he leaves or must.
func (k *call) stream(conn *websocket.Conn, v *viewer) {
	gone, cancel := context.WithCancel(context.Background())
	defer k.hurry(gone)()
	defer cancel()
	spoke := make(chan struct{})
	go func() { // reads pongs and the end; a viewer has nothing to say
		if _, _, err := conn.Reader(gone); err == nil {
			close(spoke)
			return
		}
		cancel()
	}()
	var beat chan bool
	ticker := time.NewTicker(k.heartbeat)
	defer ticker.Stop()
	var texts []text
	for {
		select {
		case <-gone.Done():
			return
		case <-spoke:
			k.sayGoodbye(conn, websocket.StatusPolicyViolation, "a live map is not spoken to")
			return
		case <-k.stopping:
			k.sayGoodbye(conn, websocket.StatusGoingAway, "the server stops")
			return
		case alive := <-beat:
			if beat = nil; !alive {
				return
			}
		case <-ticker.C:
			if !k.keeper.still(&k.who) {
				k.sayGoodbye(conn, closeLoginOver, "the login has ended")
				return
			}
			if beat == nil {
				beat = make(chan bool, 1)
				go k.ping(gone, conn, beat)
			}
		case <-v.wake:
			var s *shot
			var behind bool
			if texts, s, behind = v.pull(texts); behind {
				s.release()
				k.sayGoodbye(conn, closeTooSlow, "too much was waiting")
				return
			}
			if !k.send(gone, conn, texts, s) {
				return
			}
		}
	}
}

// ping finds out whether somebody reads at the other end: a small area would not fill his buffers for an hour.
func (k *call) ping(ctx context.Context, conn *websocket.Conn, alive chan<- bool) {
	ctx, cancel := context.WithTimeout(ctx, k.sendWithin)
	defer cancel()
	alive <- conn.Ping(ctx) == nil
}

// send writes texts and a frame, which it releases.
func (k *call) send(ctx context.Context, conn *websocket.Conn, texts []text, s *shot) bool {
	defer s.release()
	ctx, cancel := context.WithTimeout(ctx, k.sendWithin)
	defer cancel()
	for _, t := range texts {
		if conn.Write(ctx, websocket.MessageText, t) != nil {
			return false
		}
	}
	return s == nil || conn.Write(ctx, websocket.MessageBinary, s.b) == nil
}

// goodbyeWithin is how long a viewer has to take leave.
const goodbyeWithin = 300 * time.Millisecond

// sayGoodbye closes a live map with a reason, and without one for a viewer who does not listen: the library would wait for
// him, so the socket itself is told to.
func (k *call) sayGoodbye(conn *websocket.Conn, code websocket.StatusCode, why string) {
	late := time.AfterFunc(goodbyeWithin, k.hangUp)
	defer late.Stop()
	conn.Close(code, why) // gone either way
}

// hurry sees to it that a server that stops does not wait for a viewer who is being sent something and does not read it.
// The result ends that.
func (k *call) hurry(gone context.Context) (done func()) {
	over := make(chan struct{})
	go func() {
		defer close(over)
		select {
		case <-k.stopping:
		case <-gone.Done():
			return
		}
		late := time.AfterFunc(2*goodbyeWithin, k.hangUp) // one for what is being sent, one for the good-bye
		defer late.Stop()
		<-gone.Done()
	}()
	return func() { <-over }
}

// hangUp ends whatever is read from or written to the connection.
func (k *call) hangUp() {
	if socket := k.socket(); socket != nil {
		socket.SetDeadline(time.Unix(1, 0))
	}
}

// socket is the connection of the request.
func (k *call) socket() net.Conn {
	socket, _ := k.r.Context().Value(socketKey{}).(net.Conn)
	return socket
}

// socketKey is where the context of a request has its connection.
type socketKey struct{}

func withSocket(ctx context.Context, socket net.Conn) context.Context {
	return context.WithValue(ctx, socketKey{}, socket)
}
