package postgres

import (
	"bytes"
	"errors"
	"io"
	"net"
	"net/url"
	"sync/atomic"
	"testing"

	"github.com/truestep-io/truestep/internal/pgtest"
	"github.com/truestep-io/truestep/store"
)

// lossyProxy passes connections on to a PostgreSQL server. While it loses answers, the server makes each commit and the client does
// not learn that: the proxy ends the connection in place of the answer, and also connections that ask for the status of a
// transaction. The next commit passes.
type lossyProxy struct {
	server string       // address of the PostgreSQL server
	lose   atomic.Bool  // the answer to the next commit is lost
	lost   atomic.Int32 // number of commits whose answers were lost
}

// listen starts the proxy and returns its address. The proxy ends with the test.
func (p *lossyProxy) listen(t *testing.T) string {
	t.Helper()
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { l.Close() })
	go func() {
		for {
			client, err := l.Accept()
			if err != nil {
				return
			}
			go p.serve(client)
		}
	}()
	return l.Addr().String()
}

// serve passes the messages of one connection on. The client of the store sends a message only after the answer to the one before.
func (p *lossyProxy) serve(client net.Conn) {
	defer client.Close()
	server, err := net.Dial("tcp", p.server)
	if err != nil {
		return
	}
	defer server.Close()
	var losing atomic.Bool // the next answer on this connection is lost
	go func() {
		defer client.Close()
		answer := make([]byte, 1<<16)
		for {
			n, err := server.Read(answer)
			if err != nil || losing.Load() {
				return
			}
			if _, err := client.Write(answer[:n]); err != nil {
				return
			}
		}
	}()
	message := make([]byte, 1<<16)
	for {
		n, err := client.Read(message)
		if err != nil {
			return
		}
		switch sent := message[:n]; {
		case bytes.Contains(sent, []byte("pg_xact_status")):
			return
		case bytes.Contains(sent, []byte("commit\x00")) && p.lose.CompareAndSwap(true, false):
			losing.Store(true)
			p.lost.Add(1)
		}
		if _, err := io.Copy(server, bytes.NewReader(message[:n])); err != nil {
			return
		}
	}
}

// The edit is stored, and neither the answer to its commit nor the status of the commit reaches the store, which repeats the edit.
func TestCharacterEditSucceedsAlthoughAnswerToItsCommitIsLost(t *testing.T) {
	u, err := url.Parse(pgtest.Database(t))
	if err != nil {
		t.Fatal(err)
	}
	p := lossyProxy{server: u.Host}
	u.Host = p.listen(t)
	for name, opts := range map[string][]Option{"Ada": nil, "Bea": {Shared()}} {
		s := open(t, u.String(), append(opts, WithLog(quiet))...)
		_, c := character(t, s, name)
		c.Version, c.Gold = c.Version+1, 7
		p.lose.Store(true)
		if err := s.EditCharacter(t.Context(), c); err != nil {
			t.Errorf("%s: the edit is reported as failed: %v", name, err)
		}
		if got, err := s.Character(t.Context(), c.ID); err != nil || got.Gold != 7 || got.Version != c.Version {
			t.Errorf("%s: stored is %+v, %v", name, got, err)
		}
		other := *c
		other.Gold = 8
		if err := s.EditCharacter(t.Context(), &other); !errors.Is(err, store.ErrOutdated) {
			t.Errorf("%s: another edit to the same version: %v", name, err)
		}
		closeStore(t, s)
	}
	if n := p.lost.Load(); n != 2 {
		t.Errorf("%d answers were lost", n)
	}
}
