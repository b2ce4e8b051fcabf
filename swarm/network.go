package swarm

import (
	"context"
	"fmt"
	"net"
	"net/netip"
	"time"

	"github.com/truestep-io/truestep/internal/netsim"
)

// clientsPerRelay is the number of players that share a relay, because one goroutine of a relay forwards the datagrams of all
// its players.
const clientsPerRelay = 25

// Network describes how the network between the players and the server is impaired. The zero value is a direct connection.
type Network struct {
	Loss   float64       // probability 0..1 that a datagram is lost, in each direction
	Delay  time.Duration // delay in each direction
	Jitter time.Duration // maximum random extra delay in each direction
}

func (n Network) direct() bool { return n == Network{} }

// String returns the impairment as text for the report.
func (n Network) String() string {
	if n.direct() {
		return "direct"
	}
	return fmt.Sprintf("loss %g%%, delay %v, jitter %v, each way", round(n.Loss*100, 100), n.Delay, n.Jitter)
}

// routes contains the addresses to which players connect: that of the server, or those of relays in front of the server.
type routes struct {
	addrs  []string                                                          // player i connects to addrs[i%len(addrs)]
	dial   func(ctx context.Context, network, addr string) (net.Conn, error) // opens connections; if nil, net.Dialer is used
	relays []*netsim.Relay
	cancel context.CancelFunc
}

// openRoutes returns the addresses to which the players connect. If the network is impaired, it starts relays in front of
// the server; the parameter seed makes their random losses and delays repeatable. The caller must close the result.
func (c *Config) openRoutes(seed uint64) (*routes, error) {
	r, n := &routes{cancel: func() {}}, c.Network
	if n.direct() {
		r.addrs, r.dial = []string{c.Server}, c.Dial
		return r, nil
	}
	at, err := net.ResolveUDPAddr("udp", c.Server)
	if err != nil {
		return nil, fmt.Errorf("server address %q cannot be used: %w; write it as host:port", c.Server, err)
	}
	to := netip.AddrPortFrom(at.AddrPort().Addr().Unmap(), at.AddrPort().Port())
	bad := netsim.Impairment{DelayMS: uint32(n.Delay.Milliseconds()), JitterMS: uint32(n.Jitter.Milliseconds()), Loss: n.Loss}
	ctx, cancel := context.WithCancel(context.Background())
	r.cancel = cancel
	for i := 0; i < c.Clients; i += clientsPerRelay {
		relay, err := netsim.NewRelay(ctx, to, bad, bad, seed+uint64(i))
		if err != nil {
			r.close()
			return nil, fmt.Errorf("open a UDP relay that simulates delay and loss: %w", err)
		}
		r.relays = append(r.relays, relay)
		r.addrs = append(r.addrs, relay.Addr().String())
	}
	return r, nil
}

// of returns the address to which player i connects: that of the server, or of the player's relay.
func (r *routes) of(i int) string { return r.addrs[i%len(r.addrs)] }

func (r *routes) close() {
	r.cancel()
	for _, relay := range r.relays {
		relay.Close()
	}
}
