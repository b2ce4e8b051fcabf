package bedrock

import (
	"context"
	"errors"
	"fmt"
	"io"
	"net/netip"
	"os"

	"github.com/truestep-io/truestep/gateway"
	"github.com/truestep-io/truestep/proto/bedrock/auth"
)

// defaultPerAddress is the default maximum number of connections per address, except loopback.
const defaultPerAddress = 128

// Config holds the settings of a Door.
type Config struct {
	Bedrock           string `help:"Door for Minecraft: Bedrock clients of 1.26.45 and 1.26.51: HOST:PORT (UDP; no host is all interfaces, port 0 any port) or off. Default :19132." placeholder:"ADDR" default:":19132" toml:"bedrock"`
	BedrockName       string `help:"The server's name in the clients' server list." default:"Truestep" toml:"bedrock-name"`
	BedrockOnline     bool   `help:"Admit only players whose login Xbox Live has signed. Needs bedrock-jwks; without it all logins are refused." toml:"bedrock-online"`
	BedrockJwks       string `name:"bedrock-jwks" help:"JSON file with the key set (JWKS) of the service that signs the logins." placeholder:"FILE" toml:"bedrock-jwks"`
	BedrockCookies    bool   `help:"Ask clients to repeat a cookie, so that forged addresses cost nothing. Off admits clients without cookie support." default:"true" negatable:"" toml:"bedrock-cookies"`
	BedrockRadius     int    `help:"Largest chunk radius that a client may request, 1..32." default:"8" toml:"bedrock-radius"`
	BedrockMaxPlayers int    `help:"Connections at a time." default:"1000" toml:"bedrock-max-players"`
	BedrockPerAddr    int    `help:"Maximum number of players per address; while many connections are not logged in, also of all connections per address. Loopback is exempt." default:"128" toml:"bedrock-per-addr"`
	BedrockKeylog     string `help:"File to which the key of each session is appended, for truestep decode bedrock. The file decrypts recorded traffic, chat included." placeholder:"FILE" toml:"bedrock-keylog"`
	BedrockWorkers    int    `help:"Goroutines that own connections, at most 64; 0 is one per core, at most 8." default:"0" toml:"bedrock-workers"`
}

// Door serves a world to Minecraft: Bedrock clients.
type Door struct {
	Config
	conn    gateway.Conn
	keyFile *os.File // file for session keys, nil if they are not logged
	gate    *Gateway
}

// NewDoor returns a door with the default settings. It does not listen yet.
func NewDoor() *Door {
	return &Door{Config: Config{
		Bedrock: fmt.Sprintf(":%d", DefaultPort), BedrockName: defaultName, BedrockCookies: true, BedrockRadius: defaultRadius,
		BedrockMaxPlayers: defaultMaxPlayers, BedrockPerAddr: defaultPerAddress,
	}}
}

// Name returns the name of the door in settings, logs and metrics.
func (d *Door) Name() string { return "bedrock" }

// Settings returns a pointer to the Config, into which the server writes its settings.
func (d *Door) Settings() any { return &d.Config }

// Check returns an error that names every setting with an invalid value, or nil.
func (d *Door) Check() error {
	var p gateway.Problems
	p.Refuse(d.BedrockMaxPlayers < 1 || d.BedrockMaxPlayers > gateway.MaxConns, "bedrock-max-players %d: must be 1..%d", d.BedrockMaxPlayers, gateway.MaxConns)
	p.Refuse(d.BedrockPerAddr < 1 || d.BedrockPerAddr > gateway.MaxConns, "bedrock-per-addr %d: must be 1..%d", d.BedrockPerAddr, gateway.MaxConns)
	p.Refuse(d.BedrockRadius < 1 || d.BedrockRadius > maxRadius, "bedrock-radius %d: must be 1..%d", d.BedrockRadius, maxRadius)
	p.Refuse(d.BedrockWorkers < 0 || d.BedrockWorkers > gateway.MaxWorkers, "bedrock-workers %d: must be 0..%d", d.BedrockWorkers, gateway.MaxWorkers)
	p.Refuse(d.BedrockJwks != "" && !d.BedrockOnline, "bedrock-jwks needs bedrock-online: add --bedrock-online, or remove bedrock-jwks")
	return p.Err()
}

// Bind opens the UDP socket at the configured address. If the setting bedrock is off, it opens none.
func (d *Door) Bind(h *gateway.Host) (err error) {
	if d.Bedrock == gateway.Off {
		return nil
	}
	d.conn, err = h.Sockets.BindUDP("bedrock", d.Bedrock, DefaultPort)
	return err
}

// Addr returns the address of the UDP socket. It is invalid if the door is off.
func (d *Door) Addr() netip.AddrPort { return gateway.UDPAddr(d.conn) }

// Open reads the keys of the login service, opens the key log, and creates the gateway, which uses the socket that Bind has
// opened.
func (d *Door) Open(h *gateway.Host) error {
	keys, err := d.serviceKeys()
	if err != nil {
		return err
	}
	var keyLog io.Writer
	if d.BedrockKeylog != "" {
		d.keyFile, err = os.OpenFile(d.BedrockKeylog, os.O_APPEND|os.O_CREATE|os.O_WRONLY, 0o600)
		if err == nil {
			err = d.keyFile.Chmod(0o600) // the file may already exist with wider permissions
		}
		if err != nil {
			return fmt.Errorf("bedrock-keylog: %w; name a file that can be written", err)
		}
		keyLog = d.keyFile
	}
	d.gate, err = Listen(h.Hub, h.World, Options{
		Conn: d.conn, Log: h.Log, Metrics: h.Metrics, Workers: d.BedrockWorkers, SendBudget: h.SendBudget,
		Name: d.BedrockName, MaxPlayers: d.BedrockMaxPlayers, PerAddr: d.BedrockPerAddr, Radius: d.BedrockRadius,
		NoCookies: !d.BedrockCookies, Online: d.BedrockOnline, Keys: keys, KeyLog: keyLog, Appearance: h.Appearance.Bedrock,
	})
	return err
}

// serviceKeys reads the public keys that verify the signatures of Xbox Live on logins, from the file in the setting
// bedrock-jwks. It returns nil if no file is configured.
func (d *Door) serviceKeys() (*auth.XboxKeys, error) {
	if d.BedrockJwks == "" {
		return nil, nil
	}
	b, err := os.ReadFile(d.BedrockJwks)
	if err != nil {
		return nil, fmt.Errorf("bedrock-jwks: %w; set it to the JSON file with the key set (JWKS) of the service that signs logins", err)
	}
	service, err := auth.ParseServiceKeys(b)
	if err != nil {
		return nil, fmt.Errorf("bedrock-jwks %s: %w; it must be a JSON Web Key Set with RS256 keys", d.BedrockJwks, err)
	}
	return &auth.XboxKeys{Service: service}, nil
}

// Run serves clients until ctx ends or the world stops.
func (d *Door) Run(ctx context.Context) error { return d.gate.Run(ctx) }

// Close closes the socket and the key log. Further calls do nothing.
func (d *Door) Close() error {
	var err error
	if d.conn != nil {
		err = gateway.CloseOnce(d.conn)
	}
	if d.keyFile != nil {
		err = errors.Join(err, gateway.CloseOnce(d.keyFile))
	}
	return err
}

// Describe returns texts about the door for operators: which clients it serves, which logins it accepts, and how to test the door.
func (d *Door) Describe(h *gateway.Host) gateway.Description {
	policy := InterestPolicy(h.World.Def(), d.BedrockRadius)
	s := gateway.Description{
		Title: "Minecraft: Bedrock", Network: "udp", Clients: "Minecraft: Bedrock 1.26.45 and 1.26.51 clients",
		Notes:        []gateway.Note{{Text: d.admission()}},
		UpdateRanges: gateway.UpdateRangesOf(&policy),
	}
	if at := d.Addr(); at.IsValid() {
		s.Try = []gateway.Command{{Line: "truestep swarm bedrock --clients 20", Flags: gateway.AddrFlags("--addr", at, DefaultPort)}}
	}
	if d.BedrockOnline {
		s.NoBots = "it admits only logins that Xbox Live has signed"
	}
	return s
}

// admission returns a text for operators that says which logins the door accepts.
func (d *Door) admission() string {
	switch {
	case !d.BedrockOnline:
		return "logins are not verified: a client may claim any name (--bedrock-online verifies them)"
	case d.BedrockJwks == "":
		return "all logins are refused: there are no keys to verify them (--bedrock-jwks FILE)"
	}
	return "admits only players whose login Xbox Live has signed"
}
