//go:build linux

package process

import (
	"maps"
	"strings"
	"testing"
)

func TestServerAddressesAreReadFromOutputUpToReadyLine(t *testing.T) {
	s := &Server{Addresses: map[string]string{"rcce": "127.0.0.1:0", "web": "127.0.0.1:0", "metrics": "127.0.0.1:0"}}
	started := make(chan struct{})
	lines := []string{
		`{"level":"INFO","msg":"a line of the log"}`,
		"rcce     127.0.0.1:25000/udp   RealmCrafter",
		"rs       127.0.0.1:43594/tcp   a door whose address nobody asked for",
		"web      https://127.0.0.1:8443/",
		"metrics  http://127.0.0.1:9090/metrics",
		"console  http://127.0.0.1:8080/#token=secret",
		"ready: in 20 ms",
		"ready: a second time",
		"rcce     127.0.0.1:1/udp",
	}
	var log strings.Builder
	s.read(strings.NewReader(strings.Join(lines, "\n")), &log, started)
	select {
	case <-started:
	default:
		t.Error("the server is not ready")
	}
	if want := map[string]string{"rcce": "127.0.0.1:25000", "web": "127.0.0.1:8443", "metrics": "127.0.0.1:9090"}; !maps.Equal(s.Addresses, want) {
		t.Errorf("addresses are %v, want %v", s.Addresses, want)
	}
	if s.Console != "http://127.0.0.1:8080" || s.Token != "secret" {
		t.Errorf("console is %q with the token %q", s.Console, s.Token)
	}
	if last := s.Tail(1); last != lines[len(lines)-1] {
		t.Errorf("the last line is %q", last)
	}
	if want := strings.Join(lines, "\n"); s.Tail(len(lines)) != want || log.String() != want+"\n" {
		t.Errorf("lines are\n%s\nlog is\n%s", s.Tail(len(lines)), log.String())
	}
}
