package webhook

import (
	"context"
	"crypto/x509"
	"errors"
	"io"
	"log/slog"
	"net"
	"net/http"
	"net/http/httptest"
	"sync"
	"testing"
	"time"

	"github.com/truestep-io/truestep/internal/logbuf"
)

// pipeListener accepts connections in memory, so that HTTP runs in virtual time.
type pipeListener struct {
	conns  chan net.Conn
	once   sync.Once
	closed chan struct{}
}

func newPipeListener() *pipeListener {
	return &pipeListener{conns: make(chan net.Conn), closed: make(chan struct{})}
}

func (l *pipeListener) Accept() (net.Conn, error) {
	select {
	case c := <-l.conns:
		return c, nil
	case <-l.closed:
		return nil, net.ErrClosed
	}
}

func (l *pipeListener) Close() error {
	l.once.Do(func() { close(l.closed) })
	return nil
}

func (l *pipeListener) Addr() net.Addr { return &net.TCPAddr{IP: net.IPv4(127, 0, 0, 1), Port: 80} }

func (l *pipeListener) dial(ctx context.Context, _, _ string) (net.Conn, error) {
	client, server := net.Pipe()
	select {
	case l.conns <- server:
		return client, nil
	case <-ctx.Done():
	case <-l.closed:
	}
	return nil, errors.New("connection refused")
}

// request is an HTTP request that a receiver got.
type request struct {
	at     time.Time
	header http.Header
	body   []byte
}

// testReceiver is an HTTP server that records its requests.
type testReceiver struct {
	*httptest.Server
	listener *pipeListener
	client   *http.Client // has no roots but those that the test adds

	mu   sync.Mutex
	list []request
}

// newTestReceiver starts a receiver. The function answer handles request n, the first being 0. If answer is nil, the status is 204.
func newTestReceiver(t *testing.T, tls bool, answer func(n int, w http.ResponseWriter, r *http.Request)) *testReceiver {
	t.Helper()
	x := &testReceiver{listener: newPipeListener(), client: newClient()}
	handler := http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		body, err := io.ReadAll(r.Body)
		if err != nil || r.Method != http.MethodPost || r.Header.Get("Content-Type") != "application/json" {
			t.Errorf("%s of %q: %v", r.Method, r.Header.Get("Content-Type"), err)
		}
		x.mu.Lock()
		n := len(x.list)
		x.list = append(x.list, request{time.Now(), r.Header.Clone(), body})
		x.mu.Unlock()
		if answer == nil {
			w.WriteHeader(http.StatusNoContent)
			return
		}
		answer(n, w, r)
	})
	x.Server = &httptest.Server{Listener: x.listener, Config: &http.Server{Handler: handler, ErrorLog: slog.NewLogLogger(slog.DiscardHandler, slog.LevelError)}}
	transport := x.client.Transport.(*http.Transport)
	transport.DialContext, transport.Proxy = x.listener.dial, nil
	transport.TLSClientConfig.RootCAs = x509.NewCertPool()
	if tls {
		x.StartTLS()
	} else {
		x.Start()
	}
	return x
}

func (x *testReceiver) requests() []request {
	x.mu.Lock()
	defer x.mu.Unlock()
	return append([]request(nil), x.list...)
}

// send starts a sender that sends to the test receiver. Before that, the function change may modify the receiver's settings.
func (x *testReceiver) send(change func(*Receiver)) (*Sender, *logbuf.Buffer) {
	r := Receiver{Name: "chat", URL: x.URL + "/hook", Format: JSON}
	if change != nil {
		change(&r)
	}
	log := new(logbuf.Buffer)
	return newSender("Vale", []Receiver{r}, slog.New(slog.NewTextHandler(log, nil)), x.client), log
}

func closeNow(s *Sender) {
	ctx, cancel := context.WithTimeout(context.Background(), time.Second)
	defer cancel()
	s.Close(ctx)
}
