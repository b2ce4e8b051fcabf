package server

import (
	"errors"
	"io"
	"net"
	"net/netip"
	"os"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/truestep-io/truestep/gateway"
	"github.com/truestep-io/truestep/gateway/bedrock"
	"github.com/truestep-io/truestep/gateway/rcce"
	"github.com/truestep-io/truestep/gateway/rs"
	"github.com/truestep-io/truestep/proto/enet"
	"github.com/truestep-io/truestep/proto/raknet"
)

// udpHeaders is the total size in bytes of the headers of IPv4 and UDP.
const udpHeaders = 28

// allDoors returns a server with every door, the console and the metrics on ephemeral ports, and the addresses of the doors.
func allDoors(t *testing.T) (s *Server, addrs map[string]netip.AddrPort) {
	t.Helper()
	cfg := quietConfig(t)
	doors := []gateway.Door{rcce.NewDoor(), rs.NewDoor(), bedrock.NewDoor()}
	for _, d := range doors {
		switch c := d.Settings().(type) {
		case *rcce.Config:
			c.Rcce = "127.0.0.1:0"
		case *rs.Config:
			c.Rs = "127.0.0.1:0"
		case *bedrock.Config:
			c.Bedrock = "127.0.0.1:0"
		}
	}
	cfg.Doors, cfg.Console, cfg.Metrics = doors, "127.0.0.1:0", "127.0.0.1:0"
	s = start(t, cfg)
	addrs = map[string]netip.AddrPort{"console": s.ConsoleAddr(), "metrics": s.MetricsAddr()}
	for _, d := range doors {
		addrs[d.Name()] = d.Addr()
	}
	return s, addrs
}

// The source address of a datagram may be forged. Until a sender has proven its address, the server answers with at most three times
// the bytes that it has received from there, headers included.
// TestUnverifiedSenderGetsAtMostThreeTimesItsBytes of proto/raknet covers more kinds of requests.
func TestServerAnswersDatagramWithAtMostThreeTimesItsBytes(t *testing.T) {
	_, addrs := allDoors(t)
	var datagrams []struct {
		door, what string
		b          []byte
	}
	add := func(door, what string, b []byte) {
		datagrams = append(datagrams, struct {
			door, what string
			b          []byte
		}{door, what, append([]byte(nil), b...)})
	}
	host := enet.NewHost(enet.Config{SessionSeed: 1, RefuseConnect: true})
	if _, err := host.Connect(0, addrs["rcce"], 0); err != nil {
		t.Fatal(err)
	}
	host.Flush(0, func(_ netip.AddrPort, b []byte) { add("rcce", "CONNECT", b) })
	client := raknet.NewClient(raknet.ClientConfig{GUID: 1})
	client.Connect(0, addrs["bedrock"])
	client.Tick(0, func(raknet.Event) {})
	client.Flush(0, func(_ netip.AddrPort, b []byte) { add("bedrock", "open connection request 1", b) })
	const magic = "\x00\xff\xff\x00\xfe\xfe\xfe\xfe\xfd\xfd\xfd\xfd\x12\x34\x56\x78"
	add("bedrock", "unconnected ping", []byte("\x01"+strings.Repeat("\x00", 8)+magic+strings.Repeat("\x00", 8)))
	for _, door := range []string{"rcce", "bedrock"} {
		add(door, "noise", []byte(strings.Repeat("\x84\xff", 20)))
		add(door, "one byte", []byte{0})
	}
	if len(datagrams) != 7 {
		t.Fatalf("%d datagrams", len(datagrams))
	}
	answered := []string{"CONNECT", "open connection request 1", "unconnected ping"} // the datagrams that are answered
	out := make([]int, len(datagrams))                                               // bytes of the answers, headers included
	socks := make([]net.Conn, len(datagrams))
	for i, d := range datagrams {
		sock, err := net.Dial("udp", addrs[d.door].String())
		if err != nil {
			t.Fatal(err)
		}
		defer sock.Close()
		if _, err := sock.Write(d.b); err != nil {
			t.Fatal(err)
		}
		socks[i] = sock
	}
	read := func(i int, within time.Duration) error {
		_ = socks[i].SetReadDeadline(time.Now().Add(within))
		n, err := socks[i].Read(make([]byte, 1<<16))
		if err == nil {
			out[i] += n + udpHeaders
		}
		return err
	}
	for i, d := range datagrams {
		if slices.Contains(answered, d.what) {
			if err := read(i, waitLimit); err != nil {
				t.Errorf("%s, %s: no answer: %v", d.door, d.what, err)
			}
		}
	}
	time.Sleep(2 * time.Second) // for further answers
	for i, d := range datagrams {
		for read(i, 50*time.Millisecond) == nil { // all answers are already in the buffer of the socket
		}
		in := len(d.b) + udpHeaders
		t.Logf("%s, %s: %d bytes in, %d out", d.door, d.what, in, out[i])
		if out[i] > 3*in {
			t.Errorf("%s: a sender of %d bytes (%s) is answered by %d", d.door, in, d.what, out[i])
		}
	}
}

// The TCP services send nothing to a client that has sent nothing.
func TestTCPServicesSendNothingToSilentClient(t *testing.T) {
	_, addrs := allDoors(t)
	for _, name := range []string{"rs", "console", "metrics"} {
		conn, err := net.Dial("tcp", addrs[name].String())
		if err != nil {
			t.Fatal(err)
		}
		defer conn.Close()
		_ = conn.SetReadDeadline(time.Now().Add(200 * time.Millisecond))
		if n, err := conn.Read(make([]byte, 1)); n > 0 || err != nil && !errors.Is(err, os.ErrDeadlineExceeded) && !errors.Is(err, io.EOF) {
			t.Errorf("%s: a silent client received %d bytes, %v", name, n, err)
		}
	}
}
