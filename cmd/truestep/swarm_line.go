package main

import (
	"context"
	"errors"
	"fmt"
	"net"
	"net/netip"
	"time"

	"github.com/truestep-io/truestep/internal/netsim"
)

// clientsPerRelay is how many players share a relay, which is one goroutine with one socket toward its clients.
const clientsPerRelay = 25

// swarmLine is how bad the line between a swarm and its server is: flags of every swarm over UDP.
type swarmLine struct {
	Loss   percent       `help:"Datagrams lost on the way, each way, for example 5%." default:"0%" placeholder:"P%"`
	Delay  time.Duration `help:"Delay each way." default:"0s"`
	Jitter time.Duration `help:"Further delay at most, each way." default:"0s"`
}

func (l *swarmLine) check() error {
	if l.Delay < 0 || l.Jitter < 0 {
		return errors.New("times must not be negative")
	}
	return nil
}

func (l *swarmLine) direct() bool { return *l == swarmLine{} }

// line says what it is like.
func (l *swarmLine) line() string {
	if l.direct() {
		return "direct"
	}
	return fmt.Sprintf("loss %g%%, delay %v, jitter %v, each way", round(float64(l.Loss)*100, 100), l.Delay, l.Jitter)
}

// ways are how players reach their server: straight, or through relays.
type ways struct {
	addrs  []string // player i goes to addrs[i%len(addrs)]
	relays []*netsim.Relay
	stop   context.CancelFunc
}

// open prepares the way to a server for so many players. The caller closes it.
func (l *swarmLine) open(server string, clients int, seed uint64) (*ways, error) {
	w := &ways{stop: func() {}}
	if l.direct() {
		w.addrs = []string{server}
		return w, nil
	}
	at, err := net.ResolveUDPAddr("udp", server)
	if err != nil {
		return nil, fmt.Errorf("server %q: %w; give it as host:port", server, err)
	}
	to := netip.AddrPortFrom(at.AddrPort().Addr().Unmap(), at.AddrPort().Port())
	bad := netsim.Impairment{
		DelayMS: uint32(l.Delay.Milliseconds()), JitterMS: uint32(l.Jitter.Milliseconds()), Loss: float64(l.Loss),
	}
	ctx, stop := context.WithCancel(context.Background())
	w.stop = stop
	for i := 0; i < clients; i += clientsPerRelay {
		r, err := netsim.NewRelay(ctx, to, bad, bad, seed+uint64(i))
		if err != nil {
			w.close()
			return nil, fmt.Errorf("relay: %w", err)
		}
		w.relays = append(w.relays, r)
		w.addrs = append(w.addrs, r.Addr().String())
	}
	return w, nil
}

// of is the address that player i connects to.
func (w *ways) of(i int) string { return w.addrs[i%len(w.addrs)] }

func (w *ways) close() {
	w.stop()
	for _, r := range w.relays {
		r.Close()
	}
}
