package rs

import (
	"bytes"
	"context"
	"io"
	"net"
	"testing"
	"time"

	"github.com/truestep-io/truestep/area"
	proto "github.com/truestep-io/truestep/proto/rs"
)

// patience is for a machine that does something else meanwhile, on both sides of a connection.
const patience = time.Minute

// loopback is a door on a real socket, with a world that stands still. Nobody is let in, and whoever is turned away may
// take his time to go.
func loopback(t *testing.T) (addr string) {
	t.Helper()
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	g, err := Listen(nil, area.NewWorld(quietVale(), area.Options{Seed: 1}), Options{Listener: l, Key: testKey(), Workers: 1})
	if err != nil {
		t.Fatal(err)
	}
	g.parting = patience
	ctx, cancel := context.WithCancel(context.Background())
	ended := make(chan error, 1)
	go func() { ended <- g.Run(ctx) }()
	t.Cleanup(func() {
		cancel()
		if err := <-ended; err != nil {
			t.Error(err)
		}
	})
	return g.Addr().String()
}

// A socket that is closed with unread bytes in it is reset, and a client may lose what it was told: pipes do not show
// that.
func TestARefusalArrivesOverTCP(t *testing.T) {
	addr := loopback(t)
	old := proto.Login{Build: proto.Revision - 1, RSA: make([]byte, 64), XTEA: make([]byte, 300)}.Append(nil)
	request := append([]byte{proto.RequestLogin, proto.RequestGame, byte(len(old) >> 8), byte(len(old))}, old...)
	for _, c := range []struct {
		rule string
		says []byte
		want []byte
	}{
		{"no cache server is configured", []byte{proto.RequestJS5, 0, 0, 2, 155}, []byte{js5Refuse}},
		{"another revision", request, []byte{proto.HandshakeContinue, byte(proto.ResponseUpdated)}},
		{"another revision, and a packet behind it", append(bytes.Clone(request), 1, 2, 3, 4), []byte{proto.HandshakeContinue, byte(proto.ResponseUpdated)}},
	} {
		for try := range 50 {
			got, err := ask(addr, c.says)
			if err != nil || !bytes.Equal(got, c.want) {
				t.Fatalf("%s: try %d: %v, %v; want %v", c.rule, try, got, err, c.want)
			}
		}
	}
}

// ask says something in one piece, reads until the server has said all, and says more: that must not be an error yet.
func ask(addr string, says []byte) ([]byte, error) {
	c, err := net.DialTimeout("tcp", addr, patience)
	if err != nil {
		return nil, err
	}
	defer c.Close()
	if err := c.SetDeadline(time.Now().Add(patience)); err != nil {
		return nil, err
	}
	if _, err := c.Write(says); err != nil {
		return nil, err
	}
	got, err := io.ReadAll(c)
	for range 3 { // a client that has not read the answer yet may be in the middle of what it says
		if err == nil {
			_, err = c.Write([]byte{0})
		}
	}
	return got, err
}
