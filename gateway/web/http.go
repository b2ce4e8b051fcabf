package web

import (
	"context"
	"crypto/tls"
	"encoding/hex"
	"encoding/json"
	"errors"
	"io"
	"net"
	"net/http"
	"net/netip"
	"net/url"
	"os"
	"slices"
	"strconv"
	"strings"
	"sync"
	"time"

	"github.com/coder/websocket"
	"github.com/quic-go/quic-go"
	"github.com/quic-go/quic-go/http3"
	"github.com/quic-go/webtransport-go"

	"github.com/truestep-io/truestep/admission"
	proto "github.com/truestep-io/truestep/proto/web"
	"github.com/truestep-io/truestep/session"
	"github.com/truestep-io/truestep/sim/move"
	"github.com/truestep-io/truestep/sim/reason"
)

// HTTP paths of the web protocol. The number in each path is the major version of the protocol.
const (
	pathTicket  = "/play/v1/ticket"
	pathWS      = "/play/v1/ws"
	pathWT      = "/play/v1/wt"
	pathSchema  = "/play/v1/schema"
	pathReasons = "/play/v1/reasons"
	pathGround  = "/play/v1/ground/"
)

// Limits of requests for tickets, and time limits of a login.
const (
	maxTicketRequest = 4 << 10          // maximum size in bytes of a request for a ticket
	helloTimeout     = 5 * time.Second  // maximum time from the connection to the Hello message
	loginTimeout     = 12 * time.Second // maximum time from the Hello message to the answer, Welcome or Refused; clients wait for 15 s; docs/wire/web.md says why it is not 5
)

// Limits for sending a response. The download of a large file may take any time, as long as the client continues to read.
const (
	responseTimeout = 30 * time.Second // maximum time to answer a request, and then to send each sendChunk bytes of a file; longer than loginTimeout
	sendChunk       = 64 << 10         // bytes of a file for which a client has responseTimeout
)

// ticketRequest is the JSON body of POST /play/v1/ticket. All members are optional.
type ticketRequest struct {
	Guest  string `json:"guest"`  // guest identity from an earlier answer; empty for a new guest
	Name   string `json:"name"`   // with a secret: name of the account; otherwise: name of a new guest's character
	Secret string `json:"secret"` // secret of the account
	Create bool   `json:"create"` // create the account if none has this name
	New    string `json:"new"`    // new secret of the account; if empty, the secret does not change
	Token  string `json:"token"`  // token of the game's own backend; if it is set, the other fields are ignored
}

// ticketAnswer is the JSON body of the response to POST /play/v1/ticket.
type ticketAnswer struct {
	Ticket string     `json:"ticket"`          // ticket with which the client connects
	Guest  string     `json:"guest,omitempty"` // guest identity, which the client sends with its next request
	WS     string     `json:"ws"`              // URL for WebSocket
	WT     *wtAddress `json:"wt,omitempty"`    // address for WebTransport; nil if the door has none
	Schema string     `json:"schema"`          // hash of the world's schema, hexadecimal
	Nodes  []string   `json:"nodes,omitempty"` // origins of the other nodes of the cluster, through which the client can resume
}

// wtAddress tells a client where to connect over WebTransport.
type wtAddress struct {
	URL    string   `json:"url"`              // https URL of the WebTransport endpoint
	Hashes []string `json:"hashes,omitempty"` // base64 SHA-256 of the certificates to accept; empty if an authority has issued the certificate
}

// errorAnswer is the JSON body of the response to a request that is refused.
type errorAnswer struct {
	Error string `json:"error"` // error text for the player
	Code  string `json:"code"`  // error code for programs
}

// openHTTP creates the HTTP server for the TCP socket and the QUIC server for the UDP socket. serveHTTP starts them.
func (g *Gateway) openHTTP() error {
	mux := http.NewServeMux()
	mux.HandleFunc("POST "+pathTicket, g.handleTicket)
	mux.HandleFunc("OPTIONS "+pathTicket, g.handleTicket)
	mux.HandleFunc("GET "+pathWS, g.handleWebSocket)
	mux.HandleFunc("GET "+pathSchema, g.handleSchema)
	mux.HandleFunc("GET "+pathReasons, g.handleReasons)
	mux.HandleFunc("GET "+pathGround+"{hash}", g.handleGround)
	mux.Handle("GET /", g.newPage())
	g.http = &http.Server{
		Handler: mux, TLSConfig: g.opt.TLS, ConnContext: rememberConn,
		ReadHeaderTimeout: 5 * time.Second, ReadTimeout: 10 * time.Second, WriteTimeout: responseTimeout, IdleTimeout: time.Minute,
		MaxHeaderBytes: 16 << 10, HTTP2: &http.HTTP2Config{WriteByteTimeout: responseTimeout},
	}
	if g.opt.UDP == nil {
		return nil
	}
	var err error
	if g.certs, err = newCertificates(g.opt.TLS); err != nil {
		return err
	}
	wt := http.NewServeMux()
	wt.HandleFunc(pathWT, g.handleWebTransport)
	h3 := &http3.Server{
		Handler: wt, TLSConfig: http3.ConfigureTLSConfig(g.certs.config()), MaxHeaderBytes: 16 << 10,
		QUICConfig: &quic.Config{
			EnableDatagrams: true, EnableStreamResetPartialDelivery: true, MaxIdleTimeout: 30 * time.Second, HandshakeIdleTimeout: 5 * time.Second,
			MaxIncomingStreams: 8, MaxIncomingUniStreams: 8,
			InitialStreamReceiveWindow: 16 << 10, MaxStreamReceiveWindow: 64 << 10,
			InitialConnectionReceiveWindow: 32 << 10, MaxConnectionReceiveWindow: 128 << 10,
		},
	}
	webtransport.ConfigureHTTP3Server(h3)
	g.quic = &webtransport.Server{H3: h3, CheckOrigin: func(*http.Request) bool { return true }} // handleWebTransport checks the origin
	return nil
}

// serveHTTP starts the HTTP server and the QUIC server. If one of them ends before closeHTTP is called, serveHTTP calls fail.
// With the result, the caller can wait until both have ended.
func (g *Gateway) serveHTTP(fail func(error)) *sync.WaitGroup {
	var served sync.WaitGroup
	limited := &admission.Listener{Listener: g.opt.Listener, Places: g.places}
	served.Go(func() {
		serve := func() error { return g.http.Serve(limited) }
		if g.opt.TLS != nil {
			serve = func() error { return g.http.ServeTLS(limited, "", "") }
		}
		if err := serve(); !errors.Is(err, http.ErrServerClosed) {
			fail(err)
		}
	})
	if g.quic == nil {
		return &served
	}
	served.Go(func() {
		if err := g.serveQUIC(); err != nil && !g.closing.Load() {
			fail(err)
		}
	})
	return &served
}

// closeHTTP closes the HTTP server, the QUIC server and their sockets. It first waits, for a limited time, until the connections
// of players have sent their last messages.
func (g *Gateway) closeHTTP() {
	waitFor(func() bool { return g.door.Sessions.Load() <= 0 }, closeWait+time.Second)
	g.closing.Store(true)
	_ = g.http.Close()
	if g.quic != nil {
		g.close()
		_ = g.quic.Close()
		_ = g.opt.UDP.Close()
	}
}

// waitFor waits until the function done returns true, but no longer than limit.
func waitFor(done func() bool, limit time.Duration) {
	for end := time.Now().Add(limit); !done() && time.Now().Before(end); {
		time.Sleep(10 * time.Millisecond)
	}
}

// connKey is the key of a value in the context of an HTTP request: the TCP connection on which the request has arrived.
type connKey struct{}

// allowsOrigin reports whether a request comes from a web page that may connect. It allows (1) pages of the door's own origin, (2)
// pages of the origins in the settings and of other nodes of the cluster, (3) requests without an origin, which programs other
// than browsers send.
func (g *Gateway) allowsOrigin(r *http.Request) bool {
	origin := r.Header.Get("Origin")
	if origin == "" {
		return true
	}
	if slices.Contains(g.opt.Origins, "*") || slices.Contains(g.opt.Origins, origin) || slices.Contains(g.opt.Nodes, origin) {
		return true
	}
	u, err := url.Parse(origin)
	if err != nil || u.Host == "" {
		return false
	}
	if strings.EqualFold(u.Host, r.Host) || g.opt.Public != nil && strings.EqualFold(u.Host, g.opt.Public.Host) {
		return true
	}
	// A page that the browser has opened as localhost may also connect: it always uses 127.0.0.1 for WebTransport, so the two
	// names may differ.
	return sameMachine(u.Host, r.Host)
}

func sameMachine(a, b string) bool {
	return admission.IsLoopbackHost(a) && admission.IsLoopbackHost(b) && portOf(a) == portOf(b)
}

func portOf(host string) string {
	_, port, found := strings.Cut(host[strings.LastIndexByte(host, ']')+1:], ":")
	if !found {
		return ""
	}
	return port
}

// refuseOrigin checks the origin of a request. If it is not allowed, refuseOrigin sends an error response and returns true.
// Otherwise it returns false, and adds the headers without which a browser does not let pages of other origins read the response
// (CORS).
func (g *Gateway) refuseOrigin(w http.ResponseWriter, r *http.Request) bool {
	if !g.allowsOrigin(r) {
		g.door.Bad.With("origin").Inc()
		answerError(w, http.StatusForbidden, "origin", "pages of "+r.Header.Get("Origin")+" may not connect to this server; the operator can allow them with --web-origins")
		return true
	}
	if origin := r.Header.Get("Origin"); origin != "" {
		w.Header().Set("Access-Control-Allow-Origin", origin)
		w.Header().Set("Access-Control-Allow-Headers", "Content-Type")
		w.Header().Set("Vary", "Origin")
	}
	return false
}

func answerError(w http.ResponseWriter, status int, code, text string) {
	answerJSON(w, status, errorAnswer{text, code})
}

func answerJSON(w http.ResponseWriter, status int, v any) {
	w.Header().Set("Content-Type", "application/json")
	w.Header().Set("Cache-Control", "no-store")
	w.WriteHeader(status)
	_ = json.NewEncoder(w).Encode(v) // the client may be gone
}

// handleTicket answers POST /play/v1/ticket.
func (g *Gateway) handleTicket(w http.ResponseWriter, r *http.Request) {
	if g.refuseOrigin(w, r) {
		return
	}
	if r.Method == http.MethodOptions {
		w.WriteHeader(http.StatusNoContent)
		return
	}
	if g.opt.Stalled != nil && g.opt.Stalled() {
		g.refuseTicket(w, refusedStalled)
		return
	}
	var ask ticketRequest
	b, err := io.ReadAll(http.MaxBytesReader(w, r.Body, maxTicketRequest))
	if err == nil && len(b) > 0 {
		err = json.Unmarshal(b, &ask)
	}
	if err != nil {
		g.door.Bad.With("ticket").Inc()
		answerError(w, http.StatusBadRequest, "request", "the request must be a JSON object with guest, name, secret, create and token, all optional")
		return
	}
	t, guest, err := g.identifyRequest(r, &ask)
	if err != nil {
		g.refuseTicket(w, err)
		return
	}
	answer := ticketAnswer{
		Ticket: g.signer.sealTicket(&t), Guest: guest, WS: g.wsURL(r), WT: g.wtAddress(r), Schema: hex.EncodeToString(g.hash[:]), Nodes: g.otherNodes(r),
	}
	answerJSON(w, http.StatusOK, answer)
}

// sendFile sends the file b as the body of a response. A client that reads none of it for responseTimeout is disconnected, so that
// it does not hold the connection and the goroutine forever.
func (g *Gateway) sendFile(w http.ResponseWriter, b []byte) {
	w.Header().Set("Content-Length", strconv.Itoa(len(b)))
	conn := http.NewResponseController(w)
	for chunk := range slices.Chunk(b, sendChunk) {
		_ = conn.SetWriteDeadline(time.Now().Add(responseTimeout)) // fails only on a closed connection, on which the write then fails, too
		if _, err := w.Write(chunk); err != nil {
			if errors.Is(err, os.ErrDeadlineExceeded) {
				g.countSlowReader()
			}
			return // net/http closes the connection, because the response is shorter than its Content-Length
		}
	}
}

// maxName is the maximum length of a character's name in a ticket, in bytes. Longer names are cut. The hub checks the name when
// the character is created.
const maxName = 64

func (g *Gateway) newTicket() ticket {
	t := ticket{expires: time.Now().Add(ticketLife)}
	random := newGuest()
	copy(t.nonce[:], random[:])
	return t
}

func (g *Gateway) handleSchema(w http.ResponseWriter, r *http.Request) {
	if g.refuseOrigin(w, r) {
		return
	}
	w.Header().Set("Content-Type", "application/json")
	w.Header().Set("Cache-Control", "no-cache")
	g.sendFile(w, g.schema.JSON())
}

// handleReasons answers with the list of reasons that messages can contain, each with its name and a sentence for the player. A
// message contains a reason as its index in this list.
func (g *Gateway) handleReasons(w http.ResponseWriter, r *http.Request) {
	if g.refuseOrigin(w, r) {
		return
	}
	type row struct {
		Name     string `json:"name"`
		Sentence string `json:"sentence"`
	}
	var rows []row
	for why := reason.None; why.Valid(); why++ {
		rows = append(rows, row{why.String(), why.Sentence()})
	}
	answerJSON(w, http.StatusOK, rows)
}

// handleGround answers with the ground file whose hash is in the path. Browsers may cache it forever, because a file with other
// contents has another hash.
func (g *Gateway) handleGround(w http.ResponseWriter, r *http.Request) {
	if g.refuseOrigin(w, r) {
		return
	}
	var hash proto.Hash
	b, err := hex.DecodeString(r.PathValue("hash"))
	if err == nil && len(b) == len(hash) {
		copy(hash[:], b)
		if file, ok := g.byHash[hash]; ok {
			w.Header().Set("Content-Type", "application/octet-stream")
			w.Header().Set("Content-Encoding", "gzip")
			w.Header().Set("Cache-Control", "public, max-age=31536000, immutable")
			g.sendFile(w, file)
			return
		}
	}
	answerError(w, http.StatusNotFound, "ground", "no area of this server has a ground file with this hash")
}

// handleWebSocket serves a player over WebSocket until the connection ends. The WebSocket begins with this HTTP request.
func (g *Gateway) handleWebSocket(w http.ResponseWriter, r *http.Request) {
	if g.refuseOrigin(w, r) {
		return
	}
	ws, err := websocket.Accept(w, r, &websocket.AcceptOptions{InsecureSkipVerify: true, CompressionMode: websocket.CompressionDisabled}) // the origin was checked
	if err != nil {
		g.door.Bad.With("websocket").Inc()
		return
	}
	place := placeOf(r.Context())
	g.serveLink(newWSLink(g.ctx, ws, g.countSlowReader), g.peerAddr(r), place)
}

// handleWebTransport serves a player over WebTransport until the WebTransport session ends.
func (g *Gateway) handleWebTransport(w http.ResponseWriter, r *http.Request) {
	if g.refuseOrigin(w, r) { // check the origin before Upgrade, because the errors of Upgrade do not say what was wrong
		return
	}
	place := quicConnOf(r.Context()).place
	if !place.MarkMessageReceived() { // a newer connection has displaced this one meanwhile
		w.WriteHeader(http.StatusServiceUnavailable)
		return
	}
	s, err := g.quic.Upgrade(w, r)
	if err != nil {
		g.door.Bad.With("webtransport").Inc()
		w.WriteHeader(http.StatusBadRequest)
		return
	}
	ctx, cancel := context.WithTimeout(g.ctx, helloTimeout)
	l, err := newWTLink(ctx, s, g.countSlowReader)
	cancel()
	if err != nil {
		g.door.Bad.With("no_hello").Inc()
		_ = s.CloseWithError(0, "")
		return
	}
	g.serveLink(l, g.peerAddr(r), place)
}

// rememberConn stores a TCP connection in the context of the requests that arrive on it.
func rememberConn(ctx context.Context, c net.Conn) context.Context {
	if t, ok := c.(*tls.Conn); ok {
		c = t.NetConn()
	}
	return context.WithValue(ctx, connKey{}, c)
}

// placeOf returns the admission.Place of the TCP connection on which a request has arrived. The parameter ctx is the context of
// the request. The result is nil if the connection has no place.
func placeOf(ctx context.Context) *admission.Place {
	if c, ok := ctx.Value(connKey{}).(*admission.Conn); ok {
		return c.Place
	}
	return nil
}

// newPeer describes a new connection for package session. Each connection gets a new serial number.
func (g *Gateway) newPeer(addr netip.Addr) session.Peer {
	return session.Peer{Addr: addr, Conn: g.serial.Add(1), Door: "web", Authority: move.ByInput}
}
