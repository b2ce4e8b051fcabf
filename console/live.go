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
	sendTimeout  = 10 * time.Second // who has not read for so long is closed
	pingInterval = 5 * time.Second  // between two looks whether a viewer is still there and still may be
)

// Status codes with which live maps are closed, beside 1001 (the server stops) and 1008 (the viewer sent something).
const (
	closeLoginEnded websocket.StatusCode = 4401 // the login has ended
	closeTooSlow    websocket.StatusCode = 4408 // too much was waiting for the viewer
)

// helloMessage is the first message of a live map.
type helloMessage struct {
	Type     string     `json:"type"`
	Area     sim.AreaID `json:"area"`
	Rate     int        `json:"rate"`
	TickRate int        `json:"tickRate"`
}

var errTooManyViewers = &apiError{http.StatusTooManyRequests, codeThrottled, "too many live maps are open: close one"}

// live is GET /live: the map of an area, as it happens.
func (k *call) live() (any, error) {
	where, rate, err := k.parseLiveQuery()
	if err != nil {
		return nil, err
	}
	if !k.sameOrigin(k.r) {
		return nil, errForeignOrigin
	}
	if k.r.Method != http.MethodGet || k.r.Header.Get("Upgrade") == "" {
		return nil, badRequest("this call is a WebSocket: ask for an upgrade")
	}
	k.liveMaps.Add(1)
	defer k.liveMaps.Done()
	if !k.viewerQuota.acquire(k.caller.name, k.MaxViewers, maxViewersPerOperator(k.MaxViewers)) {
		return nil, errTooManyViewers
	}
	defer k.viewerQuota.release(k.caller.name)
	select {
	case <-k.stopping:
		return nil, errStopping
	default:
	}
	// The origin was looked at, scheme and all.
	conn, err := websocket.Accept(k.w, k.r, &websocket.AcceptOptions{InsecureSkipVerify: true})
	if err != nil {
		return answerWritten{}, nil // Accept has said why
	}
	defer conn.CloseNow()
	if g := limitedConnOf(k.conn()); g != nil {
		g.readLimited.Store(true)
	}
	v := newViewer()
	v.texts = append(v.texts, encodeMessage(helloMessage{"hello", where, rate, k.World.Def().TicksPerSecond}))
	cs := &k.frames.areas[where].viewers
	cs.join(v, rate)
	k.viewers.Add(1) // once he is shown frames: whoever counts him may wait for one
	k.stream(conn, v)
	cs.leave(v, rate)
	k.viewers.Add(-1)
	v.releaseAll()
	return answerWritten{}, nil
}

// parseLiveQuery reads the query of a live map.
func (k *call) parseLiveQuery() (sim.AreaID, int, error) {
	ask, err := k.parseQuery("area", "rate")
	if err != nil {
		return 0, 0, err
	}
	if ask.Get("area") == "" {
		return 0, 0, badRequest(`"area" is missing`)
	}
	where, err := k.findArea("area", ask.Get("area"))
	if err != nil {
		return 0, 0, err
	}
	most := int64(k.World.Def().TicksPerSecond)
	rate, err := parseNumber(ask, "rate", min(defaultRate, most), 1, most)
	return where, int(rate), err
}

// maxViewersPerOperator is how many of all places at live maps one operator may have: three of four, so that none, whose token may have
// been stolen, can keep all others from looking.
func maxViewersPerOperator(most int) int { return most - most/4 }

// stream sends a viewer what waits for him until he leaves or must.
func (k *call) stream(conn *websocket.Conn, v *viewer) {
	gone, cancel := context.WithCancel(context.Background())
	defer k.abortOnStop(gone)()
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
	ticker := time.NewTicker(k.pingInterval)
	defer ticker.Stop()
	var texts []textMessage
	for {
		select {
		case <-gone.Done():
			return
		case <-spoke:
			k.closeMap(conn, websocket.StatusPolicyViolation, "a live map is not spoken to")
			return
		case <-k.stopping:
			k.closeMap(conn, websocket.StatusGoingAway, "the server stops")
			return
		case alive := <-beat:
			if beat = nil; !alive {
				return
			}
		case <-ticker.C:
			if !k.auth.stillValid(&k.caller) {
				k.closeMap(conn, closeLoginEnded, "the login has ended")
				return
			}
			if beat == nil {
				beat = make(chan bool, 1)
				go k.ping(gone, conn, beat)
			}
		case <-v.wake:
			var s *frameBuffer
			var behind bool
			if texts, s, behind = v.dequeue(texts); behind {
				s.release()
				k.closeMap(conn, closeTooSlow, "too much was waiting")
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
	ctx, cancel := context.WithTimeout(ctx, k.sendTimeout)
	defer cancel()
	alive <- conn.Ping(ctx) == nil
}

// send writes texts and a frame, which it releases.
func (k *call) send(ctx context.Context, conn *websocket.Conn, texts []textMessage, s *frameBuffer) bool {
	defer s.release()
	ctx, cancel := context.WithTimeout(ctx, k.sendTimeout)
	defer cancel()
	for _, t := range texts {
		if conn.Write(ctx, websocket.MessageText, t) != nil {
			return false
		}
	}
	return s == nil || conn.Write(ctx, websocket.MessageBinary, s.b) == nil
}

// closeTimeout is how long a viewer has to take leave.
const closeTimeout = 300 * time.Millisecond

// closeMap closes a live map with a reason, and without one for a viewer who does not listen: the library would wait for
// him, so the socket itself is told to.
func (k *call) closeMap(conn *websocket.Conn, code websocket.StatusCode, why string) {
	late := time.AfterFunc(closeTimeout, k.abortSocket)
	defer late.Stop()
	conn.Close(code, why) // gone either way
}

// abortOnStop sees to it that a server that stops does not wait for a viewer who is being sent something and does not read it.
// The result ends that.
func (k *call) abortOnStop(gone context.Context) (done func()) {
	over := make(chan struct{})
	go func() {
		defer close(over)
		select {
		case <-k.stopping:
		case <-gone.Done():
			return
		}
		late := time.AfterFunc(2*closeTimeout, k.abortSocket) // one for what is being sent, one for the good-bye
		defer late.Stop()
		<-gone.Done()
	}()
	return func() { <-over }
}

// abortSocket ends whatever is read from or written to the connection.
func (k *call) abortSocket() {
	if socket := k.conn(); socket != nil {
		socket.SetDeadline(time.Unix(1, 0))
	}
}

// conn is the connection of the request.
func (k *call) conn() net.Conn {
	socket, _ := k.r.Context().Value(connKey{}).(net.Conn)
	return socket
}

// connKey is where the context of a request has its connection.
type connKey struct{}

func withConn(ctx context.Context, socket net.Conn) context.Context {
	return context.WithValue(ctx, connKey{}, socket)
}
