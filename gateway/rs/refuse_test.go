package rs

import (
	"bytes"
	"context"
	"errors"
	"io"
	"log/slog"
	"net"
	"path/filepath"
	"testing"
	"testing/synctest"

	"github.com/truestep-io/truestep/area"
	"github.com/truestep-io/truestep/gateway"
	"github.com/truestep-io/truestep/internal/netsim"
	proto "github.com/truestep-io/truestep/proto/rs"
	"github.com/truestep-io/truestep/telemetry"
)

// A refused client receives the answer even if the server has not read all of its bytes. Closing a connection with unread
// bytes would reset it, and after the reset the client might not receive the answer.
func TestRefusedClientReceivesAnswerAlthoughServerLeavesInputUnread(t *testing.T) {
	old := proto.Login{Build: proto.Revision - 1, RSA: make([]byte, 64), XTEA: make([]byte, 300)}.Append(nil)
	request := append([]byte{proto.RequestLogin, proto.RequestGame, byte(len(old) >> 8), byte(len(old))}, old...)
	data := t.TempDir()
	for _, c := range []struct {
		desc string
		says []byte
		want []byte
	}{
		{"no cache server is configured", []byte{proto.RequestJS5, 0, 0, 2, 155}, []byte{js5RefusedCode}},
		{"another revision", request, []byte{proto.HandshakeContinue, byte(proto.ResponseUpdated)}},
		{"another revision, followed by a packet", append(bytes.Clone(request), 1, 2, 3, 4), []byte{proto.HandshakeContinue, byte(proto.ResponseUpdated)}},
	} {
		for line, imp := range map[string]netsim.Impairment{
			"perfect": {}, "slow": {DelayMS: 50, BytesPerSecond: 2000}, "bad": {DelayMS: 20, JitterMS: 30, Loss: 0.1},
		} {
			t.Run(c.desc+"/"+line, func(t *testing.T) {
				synctest.Test(t, func(t *testing.T) {
					dial := refusingDoor(t, data, imp)
					for try := range 50 {
						got, err := sendRequest(dial, c.says)
						if err != nil || !bytes.Equal(got, c.want) {
							t.Fatalf("try %d: %v, %v; want %v", try, got, err, c.want)
						}
					}
				})
			})
		}
	}
}

// refusingDoor runs a door that refuses all clients until the test ends, and returns a dial function. The door's key is in the folder data.
func refusingDoor(t *testing.T, data string, imp netsim.Impairment) (dial func() (net.Conn, error)) {
	t.Helper()
	network := netsim.New(1)
	host, home := network.Host("192.0.2.1"), network.Host("198.51.100.1")
	network.Impair(home, host, imp, imp)
	h := &gateway.Host{World: area.NewWorld(valeWithoutNPCs(), area.Options{Seed: 1}), Log: slog.New(slog.DiscardHandler), Metrics: telemetry.New(), DataDir: data, Sockets: gateway.SocketOpener{
		TCP: func(addr string) (net.Listener, error) { return host.Listen(addr) },
	}}
	door := NewDoor()
	door.RsWorkers = 1
	if err := errors.Join(door.Check(), door.Bind(h), door.Open(h)); err != nil {
		t.Fatal(err)
	}
	if s := door.Describe(h); s.KeyFile != filepath.Join(data, PublicFile) || len(s.Try) != 1 {
		t.Errorf("the door is described as %+v", s)
	}
	ctx, cancel := context.WithCancel(context.Background())
	ended := make(chan error, 1)
	go func() { ended <- door.Run(ctx) }()
	t.Cleanup(func() {
		cancel()
		if err := errors.Join(<-ended, door.Close(), door.Close()); err != nil {
			t.Error(err)
		}
	})
	return func() (net.Conn, error) { return home.Dial(t.Context(), "tcp", "192.0.2.1:43594") }
}

// sendRequest sends a request in one write and reads the answer up to the end of the stream. After the request it also
// sends a few bytes; that write must not fail.
func sendRequest(dial func() (net.Conn, error), says []byte) ([]byte, error) {
	c, err := dial()
	if err != nil {
		return nil, err
	}
	defer c.Close()
	if _, err := c.Write(says); err != nil {
		return nil, err
	}
	got, err := io.ReadAll(c)
	for range 3 { // a client may still be sending when the answer arrives
		if err == nil {
			_, err = c.Write([]byte{0})
		}
	}
	return got, err
}
