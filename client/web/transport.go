package web

import (
	"bytes"
	"cmp"
	"context"
	"crypto/sha256"
	"crypto/tls"
	"encoding/base64"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"slices"

	"github.com/coder/websocket"
	"github.com/quic-go/quic-go"
	"github.com/quic-go/webtransport-go"

	proto "github.com/truestep-io/truestep/proto/web"
)

// transport is the connection to the server, over WebTransport or WebSocket.
type transport interface {
	control(ctx context.Context, m proto.Message) error // sends a control message reliably
	datagram(ctx context.Context, b []byte) error       // sends an input or an acknowledgement, which may be lost
	receive(ctx context.Context) ([]byte, error)        // returns the next control message or snapshot, which the caller owns
	ordered() bool                                      // reports whether the transport loses and reorders nothing, so that snapshots need no acknowledgement
	close()                                             // closes the connection immediately
}

// wsTransport is a transport over WebSocket.
type wsTransport struct{ ws *websocket.Conn }

func dialWebSocket(ctx context.Context, url string, client *http.Client) (*wsTransport, error) {
	ws, _, err := websocket.Dial(ctx, url, &websocket.DialOptions{HTTPClient: client, CompressionMode: websocket.CompressionDisabled})
	if err != nil {
		return nil, err
	}
	ws.SetReadLimit(maxMessage)
	return &wsTransport{ws}, nil
}

// maxMessage is the maximum length in bytes of a WebSocket message. If the server sends a longer one, the connection fails.
const maxMessage = 64 << 10

func (t *wsTransport) control(ctx context.Context, m proto.Message) error {
	return t.ws.Write(ctx, websocket.MessageBinary, proto.AppendMessage(nil, m))
}

func (t *wsTransport) datagram(ctx context.Context, b []byte) error {
	return t.ws.Write(ctx, websocket.MessageBinary, b)
}

func (t *wsTransport) receive(ctx context.Context) ([]byte, error) {
	_, b, err := t.ws.Read(ctx)
	return b, err
}

func (t *wsTransport) ordered() bool { return true }

func (t *wsTransport) close() { _ = t.ws.CloseNow() }

// wtTransport is a transport over WebTransport.
type wtTransport struct {
	session *webtransport.Session
	stream  *webtransport.Stream
	conn    net.PacketConn     // UDP socket to close; nil if the library opened it
	in      chan []byte        // received messages and datagrams
	failed  chan error         // errors of the reading goroutines
	end     context.CancelFunc // ends the reading goroutines
}

// dialWebTransport opens a WebTransport session to the server at url. The parameter hashes contains the SHA-256 hashes (base64)
// of the certificates that the client accepts; if it is empty, an authority that the system trusts must have signed the
// certificate. The parameter udp is the address to which packets are sent; if it is "", that is the address in url. The function
// listen opens the UDP socket; nil selects a socket of the operating system.
func dialWebTransport(ctx context.Context, url string, hashes []string, udp string, listen func() (net.PacketConn, error)) (*wtTransport, error) {
	t := &wtTransport{in: make(chan []byte, 64), failed: make(chan error, 2)}
	d := webtransport.Transport{TLSClientConfig: &tls.Config{NextProtos: []string{"h3"}}}
	if len(hashes) > 0 {
		d.TLSClientConfig.InsecureSkipVerify = true // VerifyConnection compares the certificate's hash instead
		d.TLSClientConfig.VerifyConnection = func(s tls.ConnectionState) error {
			sum := sha256.Sum256(s.PeerCertificates[0].Raw)
			if !slices.Contains(hashes, base64.StdEncoding.EncodeToString(sum[:])) {
				return errors.New("the server's certificate is not one of those whose hashes are in the ticket")
			}
			return nil
		}
	}
	if listen == nil && udp != "" {
		listen = func() (net.PacketConn, error) { return net.ListenPacket("udp", ":0") }
	}
	if listen != nil {
		conn, err := listen()
		if err != nil {
			return nil, err
		}
		t.conn = conn
		d.DialAddr = func(ctx context.Context, addr string, tc *tls.Config, qc *quic.Config) (*quic.Conn, error) {
			to, err := net.ResolveUDPAddr("udp", cmp.Or(udp, addr))
			if err != nil {
				return nil, err
			}
			return quic.DialEarly(ctx, conn, to, tc, qc)
		}
	}
	_, s, err := d.Dial(ctx, url, nil)
	if err == nil {
		t.session = s
		t.stream, err = s.OpenStreamSync(ctx)
	}
	if err != nil {
		t.close()
		return nil, err
	}
	life, end := context.WithCancel(s.Context())
	t.end = end
	go t.readStream(life)
	go t.readDatagrams(life)
	return t, nil
}

func (t *wtTransport) readStream(ctx context.Context) {
	var buf []byte
	chunk := make([]byte, 4096)
	for {
		m, n, err := proto.NextFrame(buf, proto.MaxServer)
		switch {
		case err != nil:
			t.failed <- err
			return
		case n > 0:
			if !t.deliver(ctx, bytes.Clone(m)) {
				return
			}
			buf = buf[n:]
			continue
		}
		got, err := t.stream.Read(chunk)
		buf = append(buf, chunk[:got]...)
		if err != nil && got == 0 {
			t.failed <- err
			return
		}
	}
}

func (t *wtTransport) readDatagrams(ctx context.Context) {
	for {
		b, err := t.session.ReceiveDatagram(ctx)
		if err != nil {
			t.failed <- err
			return
		}
		if !t.deliver(ctx, b) {
			return
		}
	}
}

func (t *wtTransport) deliver(ctx context.Context, b []byte) bool {
	select {
	case t.in <- b:
		return true
	case <-ctx.Done():
		return false
	}
}

func (t *wtTransport) control(_ context.Context, m proto.Message) error {
	_, err := t.stream.Write(proto.AppendFramed(nil, m))
	return err
}

func (t *wtTransport) datagram(_ context.Context, b []byte) error { return t.session.SendDatagram(b) }

func (t *wtTransport) receive(ctx context.Context) ([]byte, error) {
	select {
	case b := <-t.in:
		return b, nil
	default:
	}
	select {
	case b := <-t.in:
		return b, nil
	case err := <-t.failed:
		return nil, err
	case <-t.session.Context().Done():
		return nil, io.EOF
	case <-ctx.Done():
		return nil, ctx.Err()
	}
}

func (t *wtTransport) ordered() bool { return false }

func (t *wtTransport) close() {
	if t.session != nil {
		_ = t.session.CloseWithError(0, "")
		if t.end != nil {
			t.end()
		}
	}
	if t.conn != nil {
		_ = t.conn.Close()
	}
}

// StatusError reports that the server answered an HTTP request with an error status, for example the request for a ticket.
type StatusError struct {
	Path   string // path of the request
	Status int    // HTTP status code
	Code   string // reason for programs, for example "denied" for a wrong name or secret; "" if the response has none
	Text   string // reason as a sentence, or the whole body if the response states no reason
}

// Error returns the path of the request, the HTTP status and the reason.
func (e *StatusError) Error() string {
	return fmt.Sprintf("%s: the server answered with HTTP status %d: %s", e.Path, e.Status, e.Text)
}

// errStatus returns a StatusError. It takes the reason from body, the body of the HTTP response.
func errStatus(path string, status int, body []byte) error {
	e := &StatusError{Path: path, Status: status}
	var a struct{ Error, Code string }
	if json.Unmarshal(body, &a) == nil {
		e.Code, e.Text = a.Code, a.Error
	}
	if e.Text == "" {
		e.Text = string(bytes.TrimSpace(body))
	}
	return e
}
