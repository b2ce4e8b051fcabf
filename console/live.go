package console

import (
	"context"
	"net"
	"net/http"
	"time"

	"github.com/coder/websocket"

	"github.com/truestep-io/truestep/sim"
)

const defaultRate = 10 // broadcasts per second if the request does not name a rate

// Time limits of live and recorded maps. Console has a copy of each, which tests shorten.
const (
	sendTimeout  = 10 * time.Second // a write that takes longer than this closes the connection
	pingInterval = 5 * time.Second  // interval of pings and of checks that the login is still valid
)

// Close codes of live maps, besides 1001 (the server stops) and 1008 (the client sent a message).
const (
	closeLoginEnded websocket.StatusCode = 4401 // the operator's login has ended
	closeTooSlow    websocket.StatusCode = 4408 // more than maxQueuedBytes were queued for the viewer
)

// helloMessage is the first message of a live map.
type helloMessage struct {
	Type     string     `json:"type"`     // always "hello"
	Area     sim.AreaID `json:"area"`     // id of the area that the map shows
	Rate     int        `json:"rate"`     // broadcasts per second
	TickRate int        `json:"tickRate"` // ticks per second of the world
}

var errTooManyViewers = &apiError{http.StatusTooManyRequests, codeThrottled, "too many live maps are open: close one"}

// live handles GET /live, the WebSocket of an area's live map.
func (k *call) live() (any, error) {
	if k.NoLiveWorld {
		return nil, errNoLiveWorld
	}
	where, rate, err := k.parseLiveQuery()
	if err != nil {
		return nil, err
	}
	k.liveMaps.Add(1)
	defer k.liveMaps.Done()
	if !k.viewerQuota.acquire(k.caller.name, k.MaxViewers, maxViewersPerOperator(k.MaxViewers)) {
		return nil, errTooManyViewers
	}
	defer k.viewerQuota.release(k.caller.name)
	return k.upgrade(viewerReadPerSecond, func(conn *websocket.Conn) {
		v := newViewer()
		v.texts = append(v.texts, encodeMessage(helloMessage{"hello", where, rate, k.World.Def().TicksPerSecond}))
		cs := &k.frames.areas[where].viewers
		cs.join(v, rate)
		k.viewers.Add(1) // count the viewer after join, so that every counted viewer receives frames
		k.stream(conn, v)
		cs.leave(v, rate)
		k.viewers.Add(-1)
		v.releaseAll()
	})
}

// upgrade changes the connection of the request to a WebSocket and calls serve with it. The parameter readPerSecond is the
// maximum number of bytes per second that the client may send.
func (k *call) upgrade(readPerSecond int32, serve func(*websocket.Conn)) (any, error) {
	if !k.sameOrigin(k.r) {
		return nil, errForeignOrigin
	}
	if k.r.Method != http.MethodGet || k.r.Header.Get("Upgrade") == "" {
		return nil, badRequest("this call is a WebSocket: send an upgrade request")
	}
	select {
	case <-k.stopping:
		return nil, errStopping
	default:
	}
	// The library need not check the origin: k.sameOrigin has done so, and also checks the scheme.
	conn, err := websocket.Accept(k.w, k.r, &websocket.AcceptOptions{InsecureSkipVerify: true})
	if err != nil {
		return answerWritten{}, nil // Accept has written the error
	}
	defer conn.CloseNow()
	if g := limitedConnOf(k.conn()); g != nil {
		g.readLimit.Store(readPerSecond)
	}
	serve(conn)
	return answerWritten{}, nil
}

// parseLiveQuery parses the query of GET /live.
func (k *call) parseLiveQuery() (sim.AreaID, int, error) {
	ask, err := k.parseQuery("area", "rate")
	if err != nil {
		return 0, 0, err
	}
	where, err := k.findRequiredArea(ask.Get("area"))
	if err != nil {
		return 0, 0, err
	}
	most := int64(k.World.Def().TicksPerSecond)
	rate, err := parseNumber(ask, "rate", min(defaultRate, most), 1, most)
	return where, int(rate), err
}

// maxViewersPerOperator returns how many live maps one operator may have open: three quarters of the parameter most, the maximum
// of all operators together. So a stolen token cannot lock out the other operators.
func maxViewersPerOperator(most int) int { return most - most/4 }

// stream sends a viewer the messages that are queued for it, until the connection ends or must be closed.
func (k *call) stream(conn *websocket.Conn, v *viewer) {
	gone, cancel := context.WithCancel(context.Background())
	defer k.abortOnStop(gone)()
	defer cancel()
	spoke := make(chan struct{})
	go func() { // reads pongs and the close frame; a client must not send messages
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
			k.closeMap(conn, websocket.StatusPolicyViolation, "the client of a live map must not send messages")
			return
		case <-k.stopping:
			k.closeMap(conn, websocket.StatusGoingAway, "the server is stopping")
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
				k.closeMap(conn, closeTooSlow, "the client reads too slowly")
				return
			}
			if !k.send(gone, conn, texts, s) {
				return
			}
		}
	}
}

// ping checks that the client still reads. Successful writes do not prove that: the messages of a small area take an hour to fill
// the socket's buffers.
func (k *call) ping(ctx context.Context, conn *websocket.Conn, alive chan<- bool) {
	ctx, cancel := context.WithTimeout(ctx, k.sendTimeout)
	defer cancel()
	alive <- conn.Ping(ctx) == nil
}

// send writes the text messages and then frame s, if s is not nil. It releases the frame, and returns false if a write
// fails or takes longer than sendTimeout.
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

// closeTimeout is the maximum duration of the close handshake.
const closeTimeout = 300 * time.Millisecond

// closeMap closes a live map with a reason. If the client does not read within closeTimeout, the socket is aborted, because
// the WebSocket library would wait longer.
func (k *call) closeMap(conn *websocket.Conn, code websocket.StatusCode, why string) {
	late := time.AfterFunc(closeTimeout, k.abortSocket)
	defer late.Stop()
	conn.Close(code, why) // closes the connection even if it returns an error
}

// abortOnStop limits how long a stopping server waits for a client that does not read. When the server begins to stop, the connection
// has twice closeTimeout left; after that all its reads and writes fail. The limit is lifted when the context gone ends. The result
// done waits until gone has ended.
func (k *call) abortOnStop(gone context.Context) (done func()) {
	over := make(chan struct{})
	go func() {
		defer close(over)
		select {
		case <-k.stopping:
		case <-gone.Done():
			return
		}
		late := time.AfterFunc(2*closeTimeout, k.abortSocket) // wait one closeTimeout for the write in progress, and one for the close handshake
		defer late.Stop()
		<-gone.Done()
	}()
	return func() { <-over }
}

// abortSocket makes all reads and writes of the connection fail.
func (k *call) abortSocket() {
	if socket := k.conn(); socket != nil {
		socket.SetDeadline(time.Unix(1, 0))
	}
}

// conn returns the network connection of the request, or nil if it is not known.
func (k *call) conn() net.Conn {
	socket, _ := k.r.Context().Value(connKey{}).(net.Conn)
	return socket
}

// keepConn marks the connection as that of an operator, so that newer connections do not displace it.
func (k *call) keepConn() {
	if g := limitedConnOf(k.conn()); g != nil {
		g.Place.LogIn()
	}
}

// connKey is the context key of a request's connection.
type connKey struct{}

func withConn(ctx context.Context, socket net.Conn) context.Context {
	return context.WithValue(ctx, connKey{}, socket)
}
