package rs

import (
	"context"
	"fmt"
	"net"
	"net/netip"
	"os"
	"path/filepath"

	"github.com/truestep-io/truestep/content/appearance"
	"github.com/truestep-io/truestep/gateway"
	"github.com/truestep-io/truestep/interest"
	"github.com/truestep-io/truestep/sim"
	"github.com/truestep-io/truestep/sim/move"
)

// Config holds the settings of a Door.
type Config struct {
	Rs             string `help:"Door for RuneScape clients of revision 667: HOST:PORT (TCP; no host is all interfaces, port 0 any port) or off. Default :43594." placeholder:"ADDR" default:":43594" toml:"rs"`
	RsRegister     bool   `help:"Create an account at the first login with a free name." default:"true" negatable:"" toml:"rs-register"`
	RsJs5Upstream  string `name:"rs-js5-upstream" help:"Cache server to which requests of clients for files are forwarded: HOST:PORT. Without one they are refused." placeholder:"ADDR" toml:"rs-js5-upstream"`
	RsMapKeys      string `help:"JSON file with the XTEA keys of the client's maps: [{\"mapsquare\": 12850, \"key\": [1, 2, 3, 4]}]." placeholder:"FILE" toml:"rs-map-keys"`
	RsRecord       string `help:"Folder for recordings of the packets to each client, with the true positions of actors, for truestep decode rs." placeholder:"DIR" toml:"rs-record"`
	RsMaxConns     int    `help:"Connections at a time, those for files included." default:"5000" toml:"rs-max-conns"`
	RsMaxWaiting   int    `help:"Connections at a time that are not logged in. When there are more, the oldest one of the network with the most of them is closed." default:"2048" toml:"rs-max-waiting"`
	RsConnsPerAddr int    `help:"Maximum number of players per address; while many connections are not logged in, also of all connections per address. Loopback is exempt." default:"100" toml:"rs-conns-per-addr"`
	RsWorkers      int    `help:"Goroutines that own players, at most 64; 0 is one per core, at most 8." default:"0" toml:"rs-workers"`
}

// Door implements gateway.Door for RuneScape clients of revision 667. Its RSA key is stored in the data folder. In a
// cluster, all nodes have the same key, which is stored in each node's folder of cluster keys (--cluster-keys).
type Door struct {
	Config
	listener net.Listener
	gateway  *Gateway
}

// NewDoor returns a door with the default settings. It does not listen yet.
func NewDoor() *Door {
	return &Door{Config: Config{
		Rs: fmt.Sprintf(":%d", DefaultPort), RsRegister: true, RsMaxConns: defaultMaxConns,
		RsMaxWaiting: defaultMaxWaiting, RsConnsPerAddr: defaultConnsPerAddr,
	}}
}

// Name returns the name of the door in settings, logs and metrics.
func (d *Door) Name() string { return "rs" }

// Settings returns a pointer to the Config, into which the server writes its settings.
func (d *Door) Settings() any { return &d.Config }

// Check returns an error that names every setting with an invalid value, or nil.
func (d *Door) Check() error {
	var p gateway.Problems
	p.Refuse(d.RsMaxConns < 1 || d.RsMaxConns > gateway.MaxConns, "rs-max-conns %d: must be 1..%d", d.RsMaxConns, gateway.MaxConns)
	p.Refuse(d.RsMaxWaiting < 1 || d.RsMaxWaiting > gateway.MaxConns, "rs-max-waiting %d: must be 1..%d", d.RsMaxWaiting, gateway.MaxConns)
	p.Refuse(d.RsConnsPerAddr < 1 || d.RsConnsPerAddr > gateway.MaxConns, "rs-conns-per-addr %d: must be 1..%d", d.RsConnsPerAddr, gateway.MaxConns)
	p.Refuse(d.RsWorkers < 0 || d.RsWorkers > gateway.MaxWorkers, "rs-workers %d: must be 0..%d", d.RsWorkers, gateway.MaxWorkers)
	if d.RsJs5Upstream != "" {
		_, _, err := net.SplitHostPort(d.RsJs5Upstream)
		p.Refuse(err != nil, "rs-js5-upstream %q: %v; write HOST:PORT, such as 127.0.0.1:43593", d.RsJs5Upstream, err)
	}
	return p.Err()
}

// Bind opens the TCP listener at the configured address. If the setting rs is off, it opens none.
func (d *Door) Bind(h *gateway.Host) (err error) {
	if d.Rs == gateway.Off {
		return nil
	}
	d.listener, err = bind(h.Sockets, d.Rs)
	return err
}

// Addr returns the address of the TCP listener. It is invalid if the door is off.
func (d *Door) Addr() netip.AddrPort { return gateway.TCPAddr(d.listener) }

// Open reads or creates the RSA key, reads the map keys, and creates the gateway, which uses the listener that Bind has opened.
func (d *Door) Open(h *gateway.Host) error {
	key, err := LoadKey(h.KeyFolder(d.Name(), KeyFile), h.DataDir)
	if err != nil {
		return err
	}
	var keys MapKeys
	if d.RsMapKeys != "" {
		if keys, err = LoadMapKeys(d.RsMapKeys); err != nil {
			return gateway.WithFix(err, "set --rs-map-keys to a JSON file with the keys of the client's maps")
		}
	}
	if d.RsRecord != "" {
		if err := os.MkdirAll(d.RsRecord, 0o700); err != nil {
			return fmt.Errorf("rs-record: %w; name a folder that can be written to", err)
		}
	}
	d.gateway, err = Listen(h.Hub, h.World, Options{
		Listener: d.listener, Key: key, LiveAppearance: func() *appearance.RuneScape { return &h.CurrentAppearance().RuneScape }, Log: h.Log, Metrics: h.Metrics, Workers: d.RsWorkers,
		MaxConns: d.maxConns(h), MaxWaiting: d.RsMaxWaiting, ConnsPerAddr: d.RsConnsPerAddr,
		Register: d.RsRegister, JS5Upstream: d.RsJs5Upstream, MapKeys: keys, RecordDir: d.RsRecord,
	})
	return err
}

// maxConns returns how many connections the door may have: the setting RsMaxConns, or fewer if the process may not open enough
// files. With a cache server, two files are reserved for each connection: if the client downloads cache files, its connection is
// relayed over a second one.
func (d *Door) maxConns(h *gateway.Host) int {
	each := 1
	if d.RsJs5Upstream != "" {
		each = 2
	}
	return max(h.ReserveDescriptors(d.Name(), each*d.RsMaxConns)/each, 1)
}

// Run serves clients until ctx ends or the world stops.
func (d *Door) Run(ctx context.Context) error { return d.gateway.Run(ctx) }

// Close closes the listener. Further calls do nothing.
func (d *Door) Close() error {
	if d.listener == nil {
		return nil
	}
	return gateway.CloseOnce(d.listener)
}

// Describe returns texts about the door for operators: which clients it serves, where their key is, and how to test the door.
func (d *Door) Describe(h *gateway.Host) gateway.Description {
	public := filepath.Join(h.DataDir, PublicFile)
	s := gateway.Description{
		Title: "RuneScape 667", Network: "tcp", Clients: "RuneScape 667 clients",
		Notes:        []gateway.Note{{Text: "patched with the key in"}, {Text: public, Whole: true}},
		UpdateRanges: updateRanges(), KeyFile: public,
	}
	if at := d.Addr(); at.IsValid() {
		s.Try = []gateway.Command{tryCommand(at, h.DataDir)}
	}
	return s
}

// tryCommand returns the command that runs headless clients against the door. The parameter "at" is the door's address.
func tryCommand(at netip.AddrPort, dataDir string) gateway.Command {
	flags := gateway.AddrFlags("--addr", at, DefaultPort)
	if dataDir != gateway.DefaultDataDir {
		flags = append(flags, "--public-key "+filepath.Join(dataDir, PublicFile))
	}
	return gateway.Command{Line: "truestep swarm rs --clients 50", Flags: flags}
}

// updateRanges describes the door's area of interest for the console's map: once per cycle, a client is updated about the actors in a
// square of tiles around its player.
func updateRanges() gateway.UpdateRanges {
	far := float32(interest.DefaultSightRule().Range)
	return gateway.UpdateRanges{
		Shape: "square", CycleMS: move.CycleMS,
		Bands: []gateway.Band{{Name: "view", EveryMS: move.CycleMS, Radius: func(a *sim.AreaDef) float32 { return (far + 0.5) * a.Tiles.UnitsPerTile }}},
		Grid:  func(a *sim.AreaDef) float32 { return a.Tiles.UnitsPerTile },
	}
}
