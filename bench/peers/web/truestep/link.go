package main

import (
	"context"
	"crypto/ecdsa"
	"crypto/elliptic"
	"crypto/rand"
	"crypto/tls"
	"crypto/x509"
	"math/big"
	"net"
	"net/http"
	"sync"
	"time"

	"github.com/coder/websocket"
	"github.com/quic-go/quic-go"
	"github.com/quic-go/quic-go/http3"
	"github.com/quic-go/webtransport-go"

	"github.com/truestep-io/truestep/proto/web"
)

// link is the connection between server and client, in the packets of the web door.
type link interface {
	control(message []byte) error // sends a control message, which is not lost
	snapshot(b []byte) error      // sends a snapshot, which may be lost
	datagram(b []byte) error      // sends an acknowledgement, which may be lost
	receive() ([]byte, error)     // returns the next message, snapshot or acknowledgement
	ordered() bool                // true if snapshots are neither lost nor reordered; they are then not acknowledged
	headers() int                 // number of bytes that lower layers add to a snapshot, as the web door assumes
}

// transport makes links. The function listen calls ready when clients can connect, and serve for each client, until one serve returns.
type transport struct {
	listen func(addr string, ready func(), serve func(l link) error) error
	dial   func(addr string) (link, error)
}

var transports = map[string]transport{"wt": {listenWebTransport, dialWebTransport}, "ws": {listenWebSocket, dialWebSocket}}

// path is the path of the URL to which clients connect.
const path = "/play/v1/connect"

// wsLink is a link over WebSocket.
type wsLink struct{ ws *websocket.Conn }

func (l wsLink) control(b []byte) error {
	return l.ws.Write(context.Background(), websocket.MessageBinary, b)
}
func (l wsLink) snapshot(b []byte) error { return l.control(b) }
func (l wsLink) datagram(b []byte) error { return l.control(b) }
func (l wsLink) ordered() bool           { return true }
func (l wsLink) headers() int            { return 56 }
func (l wsLink) receive() ([]byte, error) {
	_, b, err := l.ws.Read(context.Background())
	return b, err
}

func listenWebSocket(addr string, ready func(), serve func(l link) error) error {
	listener, err := net.Listen("tcp", addr)
	if err != nil {
		return err
	}
	ready()
	ended := make(chan error, 1)
	go func() {
		ended <- http.Serve(listener, http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
			ws, err := websocket.Accept(w, r, &websocket.AcceptOptions{CompressionMode: websocket.CompressionDisabled})
			if err == nil {
				err = serve(wsLink{ws})
			}
			ended <- err
		}))
	}()
	return <-ended
}

func dialWebSocket(addr string) (link, error) {
	ws, _, err := websocket.Dial(context.Background(), "ws://"+addr+path, &websocket.DialOptions{CompressionMode: websocket.CompressionDisabled})
	return wsLink{ws}, err
}

// wtLink is a link over WebTransport. Control messages are sent on a stream that the client opens, snapshots and acknowledgements in
// datagrams.
type wtLink struct {
	session *webtransport.Session
	stream  *webtransport.Stream
	sending sync.Mutex // held while writing to stream
	in      chan []byte
	failed  chan error
}

func newWTLink(session *webtransport.Session, stream *webtransport.Stream) *wtLink {
	l := &wtLink{session: session, stream: stream, in: make(chan []byte, 64), failed: make(chan error, 2)}
	go func() { l.failed <- l.readStream() }()
	go func() {
		for {
			b, err := session.ReceiveDatagram(context.Background())
			if err != nil {
				l.failed <- err
				return
			}
			l.in <- b
		}
	}()
	return l
}

func (l *wtLink) readStream() error {
	var buf []byte
	chunk := make([]byte, 4096)
	for {
		m, n, err := web.NextFrame(buf, web.MaxServer)
		if err != nil {
			return err
		}
		if n > 0 {
			l.in <- append([]byte(nil), m...)
			buf = buf[n:]
			continue
		}
		got, err := l.stream.Read(chunk)
		buf = append(buf, chunk[:got]...)
		if err != nil && got == 0 {
			return err
		}
	}
}

func (l *wtLink) control(b []byte) error {
	l.sending.Lock()
	defer l.sending.Unlock()
	_, err := l.stream.Write(web.AppendFrame(nil, b))
	return err
}
func (l *wtLink) snapshot(b []byte) error { return l.session.SendDatagram(b) }
func (l *wtLink) datagram(b []byte) error { return l.session.SendDatagram(b) }
func (l *wtLink) ordered() bool           { return false }
func (l *wtLink) headers() int            { return 52 }
func (l *wtLink) receive() ([]byte, error) {
	select {
	case b := <-l.in:
		return b, nil
	case err := <-l.failed:
		return nil, err
	}
}

// listenWebTransport serves WebTransport with the settings of the web door (gateway/web).
func listenWebTransport(addr string, ready func(), serve func(l link) error) error {
	cert, err := selfSigned()
	if err != nil {
		return err
	}
	conn, err := net.ListenPacket("udp4", addr)
	if err != nil {
		return err
	}
	ended := make(chan error, 1)
	mux := http.NewServeMux()
	h3 := &http3.Server{
		Handler: mux, TLSConfig: http3.ConfigureTLSConfig(&tls.Config{MinVersion: tls.VersionTLS13, Certificates: []tls.Certificate{cert}}),
		QUICConfig: &quic.Config{
			EnableDatagrams: true, EnableStreamResetPartialDelivery: true, MaxIdleTimeout: 30 * time.Second,
			InitialStreamReceiveWindow: 16 << 10, MaxStreamReceiveWindow: 64 << 10,
			InitialConnectionReceiveWindow: 32 << 10, MaxConnectionReceiveWindow: 128 << 10,
		},
	}
	webtransport.ConfigureHTTP3Server(h3)
	server := &webtransport.Server{H3: h3, CheckOrigin: func(*http.Request) bool { return true }}
	mux.HandleFunc(path, func(w http.ResponseWriter, r *http.Request) {
		session, err := server.Upgrade(w, r)
		if err != nil {
			ended <- err
			return
		}
		stream, err := session.AcceptStream(r.Context())
		if err == nil {
			err = serve(newWTLink(session, stream))
		}
		ended <- err
	})
	go func() { ended <- server.Serve(conn) }()
	ready()
	return <-ended
}

// dialWebTransport connects to a server. It does not check the certificate, because the measurement has started both ends.
func dialWebTransport(addr string) (link, error) {
	d := webtransport.Transport{TLSClientConfig: &tls.Config{NextProtos: []string{"h3"}, InsecureSkipVerify: true}}
	_, session, err := d.Dial(context.Background(), "https://"+addr+path, nil)
	if err != nil {
		return nil, err
	}
	stream, err := session.OpenStreamSync(context.Background())
	if err != nil {
		return nil, err
	}
	return newWTLink(session, stream), nil
}

// selfSigned returns a new certificate and its key, made in the same way as by the web door.
func selfSigned() (tls.Certificate, error) {
	key, err := ecdsa.GenerateKey(elliptic.P256(), rand.Reader)
	if err != nil {
		return tls.Certificate{}, err
	}
	template := &x509.Certificate{SerialNumber: big.NewInt(1), NotBefore: time.Now().Add(-time.Hour), NotAfter: time.Now().Add(24 * time.Hour)}
	der, err := x509.CreateCertificate(rand.Reader, template, template, &key.PublicKey, key)
	return tls.Certificate{Certificate: [][]byte{der}, PrivateKey: key}, err
}
