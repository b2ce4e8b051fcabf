package rcce

import (
	"context"
	"fmt"
	"math"
	"net/netip"
	"time"

	"github.com/truestep-io/truestep/content/appearance"
	"github.com/truestep-io/truestep/gateway"
	"github.com/truestep-io/truestep/interest"
)

// maxENetPeers is the maximum of the settings for connections. A connection needs one of the 32,767 peer numbers of ENet 1.1,
// which have 15 bits; the value 0x7fff means no peer. The maximum is one lower than 32,767, so that even with a single worker a
// number is left for a client that repeats a cookie.
const maxENetPeers = 32766

// Config holds the settings of a Door. The server reads them from its flags and its configuration file.
type Config struct {
	Rcce             string        `help:"Door for RealmCrafter clients: HOST:PORT (UDP; no host is all interfaces, port 0 any port) or off. Default :25000, or the project's port." placeholder:"ADDR" toml:"rcce"`
	RcceMiddleEvery  time.Duration `help:"Time between two updates of an actor that is 500 to 1000 units away: 400ms as in RealmCrafter's specification, 1s as in its server." default:"400ms" toml:"rcce-middle-every"`
	RcceMaxPeers     int           `help:"Connections at a time." default:"5000" toml:"rcce-max-peers"`
	RccePeersPerAddr int           `help:"Maximum number of players per address; while many connections are not logged in, also of all connections per address. Loopback is exempt." default:"128" toml:"rcce-peers-per-addr"`
	RcceWorkers      int           `help:"Goroutines that own connections, at most 64; 0 is one per core, at most 8." default:"0" toml:"rcce-workers"`
}

// Door is the way in for RealmCrafter clients. It implements gateway.Door.
type Door struct {
	Config
	conn    gateway.Conn
	gateway *Gateway
}

// NewDoor returns a door with the default settings. It opens no socket until Bind is called.
func NewDoor() *Door {
	return &Door{Config: Config{RcceMiddleEvery: 400 * time.Millisecond, RcceMaxPeers: defaultMaxPeers, RccePeersPerAddr: defaultPeersPerAddr}}
}

// Name returns the name of the door in settings, logs and metrics.
func (d *Door) Name() string { return "rcce" }

// Settings returns a pointer to the Config, into which the server writes its settings.
func (d *Door) Settings() any { return &d.Config }

// Check returns an error that names every setting with an invalid value, or nil.
func (d *Door) Check() error {
	var p gateway.Problems
	p.Refuse(d.RcceMaxPeers < 1 || d.RcceMaxPeers > maxENetPeers, "rcce-max-peers %d: must be 1..%d", d.RcceMaxPeers, maxENetPeers)
	p.Refuse(d.RccePeersPerAddr < 1 || d.RccePeersPerAddr > maxENetPeers, "rcce-peers-per-addr %d: must be 1..%d", d.RccePeersPerAddr, maxENetPeers)
	p.Refuse(d.RcceWorkers < 0 || d.RcceWorkers > gateway.MaxWorkers, "rcce-workers %d: must be 0..%d", d.RcceWorkers, gateway.MaxWorkers)
	policy := d.policy()
	p.Refuse(policy.Check() != nil || d.RcceMiddleEvery < time.Millisecond, "rcce-middle-every %v: must be 1ms or more, such as 400ms", d.RcceMiddleEvery)
	return p.Err()
}

// policy returns the interest policy of the door, which says which actors a client is sent, and how often. Clients are updated
// about actors at medium distance at the interval in the setting rcce-middle-every.
func (d *Door) policy() interest.Policy {
	p := interest.OriginalPolicy()
	p.MiddleEveryMS = int32(min(d.RcceMiddleEvery.Milliseconds(), math.MaxInt32))
	return p
}

// Bind opens the UDP socket at the configured address. If the setting rcce is off, it opens none.
func (d *Door) Bind(h *gateway.Host) (err error) {
	addr := d.Rcce
	switch addr {
	case gateway.Off:
		return nil
	case "":
		addr = fmt.Sprintf(":%d", projectPort(h))
	}
	d.conn, err = h.Sockets.BindUDP("rcce", addr, DefaultPort)
	return err
}

// projectPort returns the UDP port to which clients of the world are configured to connect: the port in the RealmCrafter
// project of the world, or DefaultPort if the project has none.
func projectPort(h *gateway.Host) int {
	if h.ProjectPort != 0 {
		return h.ProjectPort
	}
	return DefaultPort
}

// Addr returns the address of the UDP socket. It is invalid if the door is off.
func (d *Door) Addr() netip.AddrPort { return gateway.UDPAddr(d.conn) }

// Open creates the gateway, which uses the socket that Bind has opened.
func (d *Door) Open(h *gateway.Host) (err error) {
	policy := d.policy()
	d.gateway, err = Listen(h.Hub, h.World, Options{
		Conn: d.conn, LiveAppearance: func() *appearance.RealmCrafter { return &h.CurrentAppearance().RealmCrafter }, Log: h.Log, Metrics: h.Metrics, Policy: &policy,
		Workers: d.RcceWorkers, MaxPeers: d.RcceMaxPeers, PeersPerAddr: d.RccePeersPerAddr, SendBudget: h.SendBudget,
	})
	return err
}

// Run serves clients until ctx ends or the world stops.
func (d *Door) Run(ctx context.Context) error { return d.gateway.Run(ctx) }

// Close closes the socket. Further calls do nothing.
func (d *Door) Close() error {
	if d.conn == nil {
		return nil
	}
	return gateway.CloseOnce(d.conn)
}

// Describe returns texts about the door for operators: which clients it serves, how to connect them, and how to test the door.
func (d *Door) Describe(h *gateway.Host) gateway.Description {
	policy := d.policy()
	s := gateway.Description{
		Title: "RealmCrafter CE", Network: "udp", Clients: "RealmCrafter CE clients",
		UpdateRanges: gateway.UpdateRangesOf(&policy),
	}
	if at := d.Addr(); at.IsValid() {
		s.Try = []gateway.Command{tryCommand(at)}
		s.Play = howToPlay(at, projectPort(h), gateway.MachineAddrs())
	}
	return s
}

// tryCommand returns a command line for operators that connects headless clients to the door. The parameter "at" is the address
// of the socket.
func tryCommand(at netip.AddrPort) gateway.Command {
	return gateway.Command{Line: "truestep swarm rcce --clients 50 --mixed", Flags: gateway.AddrFlags("--server", at, DefaultPort)}
}

// howToPlay returns lines of text for operators that say how clients connect to the server. The parameter listen is the address
// of the socket. The parameter port is the port to which clients of the world are configured to connect, and hosts has the
// addresses of this machine.
func howToPlay(listen netip.AddrPort, port int, hosts []netip.Addr) []string {
	if !listen.Addr().IsUnspecified() {
		hosts = nil
	}
	play := fmt.Sprintf("host %s", gateway.LocalAddr(listen).Addr())
	for i, h := range hosts {
		play += []string{", from elsewhere ", " or "}[min(i, 1)] + h.String()
	}
	play += fmt.Sprintf("; port %d", listen.Port())
	if int(listen.Port()) != port {
		play += fmt.Sprintf(" (clients of this world have %d)", port)
	}
	return []string{
		play,
		"The host is the first line of a client's Data/Game Data/Hosts.dat;",
		"the editor sets the port.",
	}
}
