package web

import (
	"context"
	"crypto/tls"
	"errors"
	"fmt"
	"net"
	"net/netip"
	"net/url"
	"strings"

	"github.com/truestep-io/truestep/gateway"
)

// Config holds the settings of a Door. The server reads them from its flags and its configuration file.
type Config struct {
	Web           string `help:"Door for browsers and programs of the web protocol: HOST:PORT (TCP for page and WebSocket, UDP for WebTransport; no host is all interfaces, port 0 any port) or off. Default :8090." placeholder:"ADDR" default:":8090" toml:"web"`
	WebCert       string `help:"Certificate of the web door, PEM; a renewed file is used without a restart. Without one the page is plain HTTP, and WebTransport uses certificates that the server renews itself." placeholder:"FILE" toml:"web-cert"`
	WebCertKey    string `help:"Key of web-cert, PEM." placeholder:"FILE" toml:"web-cert-key"`
	WebOrigins    string `help:"Further origins whose pages may play, separated by commas, such as https://game.example; * is all." placeholder:"LIST" toml:"web-origins"`
	WebURL        string `name:"web-url" help:"Address at which browsers reach the page through a proxy on this machine, such as https://game.example. The address of each browser is then taken from the proxy's X-Forwarded-For." placeholder:"URL" toml:"web-url"`
	WebNodes      string `help:"Addresses of the pages of all nodes of a cluster, separated by commas, such as https://a.game.example,https://b.game.example. A page whose node is gone resumes through another one." placeholder:"LIST" toml:"web-nodes"`
	WebJwtKey     string `name:"web-jwt-key" help:"Public key (PEM) or key set (JWKS) of the game's own backend, whose tokens log players in (JWT with the audience truestep, valid for at most 5 minutes)." placeholder:"FILE" toml:"web-jwt-key"`
	WebGuests     bool   `help:"Admit guests, who have no secret." default:"true" negatable:"" toml:"web-guests"`
	WebRegister   bool   `help:"Let clients create accounts with a name and a secret." default:"true" negatable:"" toml:"web-register"`
	WebMaxPlayers int    `help:"Web players at a time." default:"1000" toml:"web-max-players"`
	WebPerAddr    int    `help:"Web players per address, except loopback." default:"64" toml:"web-per-addr"`
	WebWorkers    int    `help:"Goroutines that own web players, at most 64; 0 is one per core, at most 8." default:"0" toml:"web-workers"`
}

// Door is the way in for browsers and other programs that use the web protocol. It implements gateway.Door.
type Door struct {
	Config
	listener net.Listener
	udp      gateway.Conn
	gate     *Gateway
}

// NewDoor returns a door with the default settings. It opens no socket until Bind is called.
func NewDoor() *Door {
	return &Door{Config: Config{Web: fmt.Sprintf(":%d", DefaultPort), WebGuests: true, WebRegister: true, WebMaxPlayers: defaultMaxPlayers, WebPerAddr: defaultPerAddr}}
}

// Name returns the name of the door in settings, logs and metrics.
func (d *Door) Name() string { return "web" }

// Settings returns a pointer to the Config, into which the server writes its settings.
func (d *Door) Settings() any { return &d.Config }

// Check returns an error that names every setting with an invalid value, or nil.
func (d *Door) Check() error {
	var p gateway.Problems
	p.Refuse(d.WebMaxPlayers < 1 || d.WebMaxPlayers > gateway.MaxConns, "web-max-players %d: must be 1..%d", d.WebMaxPlayers, gateway.MaxConns)
	p.Refuse(d.WebPerAddr < 1 || d.WebPerAddr > gateway.MaxConns, "web-per-addr %d: must be 1..%d", d.WebPerAddr, gateway.MaxConns)
	p.Refuse(d.WebWorkers < 0 || d.WebWorkers > gateway.MaxWorkers, "web-workers %d: must be 0..%d", d.WebWorkers, gateway.MaxWorkers)
	p.Refuse((d.WebCert == "") != (d.WebCertKey == ""), "web-cert and web-cert-key must be given together")
	for _, n := range listOf(d.WebNodes) {
		p.Refuse(parseOrigin(n) == nil, "web-nodes %q: write a scheme and a host, such as https://a.game.example", n)
	}
	for _, o := range listOf(d.WebOrigins) {
		p.Refuse(o != "*" && parseOrigin(o) == nil, "web-origins %q: write a scheme and a host, such as https://game.example, or *", o)
	}
	p.Refuse(d.WebURL != "" && parseOrigin(d.WebURL) == nil, "web-url %q: write a scheme and a host, such as https://game.example", d.WebURL)
	return p.Err()
}

// parseOrigin parses an origin such as https://game.example: a scheme (http or https) and a host, without a path or
// anything else. It returns nil if s is not an origin.
func parseOrigin(s string) *url.URL {
	u, err := url.Parse(s)
	if err != nil || u.Scheme != "http" && u.Scheme != "https" || u.Host == "" || strings.TrimSuffix(u.String(), "/") != u.Scheme+"://"+u.Host {
		return nil
	}
	return u
}

// listOf returns the elements of a setting that is a list of origins, such as web-origins. A slash at the end of an element is left
// out, because browsers send origins without it.
func listOf(setting string) []string {
	list := strings.FieldsFunc(setting, func(r rune) bool { return r == ',' || r == ' ' })
	for i := range list {
		list[i] = strings.TrimSuffix(list[i], "/")
	}
	return list
}

// nodes returns the origins of the pages of all nodes of a cluster. The folder keys contains this node's key. If that is
// not the key that all nodes share, nodes returns none: the clients of the other nodes would become new guests here.
func (d *Door) nodes(h *gateway.Host, keys string) []string {
	if h.SharedKeys != "" && keys != h.SharedKeys {
		return nil
	}
	return listOf(d.WebNodes)
}

// Bind opens the TCP socket, and a UDP socket with the same port. If the setting web is off, it opens none.
func (d *Door) Bind(h *gateway.Host) error {
	if d.Web == gateway.Off {
		return nil
	}
	const tries = 8 // number of attempts; with port 0, the UDP port with the number of the chosen TCP port may be taken
	for i := range tries {
		l, err := h.Sockets.Listen(d.Web)
		if err != nil {
			return bindError("tcp", d.Web, err)
		}
		at := gateway.TCPAddr(l)
		host, port, _ := net.SplitHostPort(d.Web) // cannot fail, because Listen has accepted the address
		d.udp, err = h.Sockets.BindUDP("web", net.JoinHostPort(host, fmt.Sprint(at.Port())), DefaultPort)
		if err == nil {
			d.listener = l
			return nil
		}
		l.Close()
		if port != "0" || i == tries-1 {
			return err
		}
	}
	return nil
}

// Addr returns the address of the TCP socket. It is invalid if the door is off.
func (d *Door) Addr() netip.AddrPort { return gateway.TCPAddr(d.listener) }

// Open reads the certificate and the key files in the settings. It then creates the gateway, which uses the sockets that Bind has
// opened.
func (d *Door) Open(h *gateway.Host) error {
	var config *tls.Config
	if d.WebCert != "" {
		cert, err := openCertificateFile(d.WebCert, d.WebCertKey, h.Log)
		if err != nil {
			return fmt.Errorf("web-cert: %w; set web-cert and web-cert-key to the files of a certificate and its key, both in PEM", err)
		}
		config = cert.config()
	}
	var keys BackendKeys
	if d.WebJwtKey != "" {
		var err error
		if keys, err = ReadBackendKeys(d.WebJwtKey); err != nil {
			return err
		}
	}
	var err error
	folder := h.KeyFolder(d.Name(), KeyFile)
	d.gate, err = Listen(h.Hub, h.World, Options{
		Listener: d.listener, UDP: d.udp, KeyDir: folder, Log: h.Log, Metrics: h.Metrics, Workers: d.WebWorkers,
		MaxPlayers: min(d.WebMaxPlayers, h.ReserveDescriptors(d.Name(), d.WebMaxPlayers+spareConns)), PerAddr: d.WebPerAddr, Origins: listOf(d.WebOrigins), Nodes: d.nodes(h, folder), Stalled: h.Stalled, Public: parseOrigin(d.WebURL), TLS: config,
		BackendKeys: keys, NoGuests: !d.WebGuests, NoRegister: !d.WebRegister,
	})
	return err
}

// Run serves clients until ctx ends or the world stops.
func (d *Door) Run(ctx context.Context) error { return d.gate.Run(ctx) }

// Close closes both sockets. Further calls do nothing.
func (d *Door) Close() error {
	var err error
	if d.listener != nil {
		err = gateway.CloseOnce(d.listener)
	}
	if d.udp != nil {
		err = errors.Join(err, gateway.CloseOnce(d.udp))
	}
	return err
}

// Describe returns texts about the door for operators, such as the URL of the page.
func (d *Door) Describe(h *gateway.Host) gateway.Description {
	policy := InterestPolicy(h.World.Def())
	s := gateway.Description{Title: "Web", Network: "tcp", Clients: "browsers and programs of the web protocol", UpdateRanges: gateway.UpdateRangesOf(&policy)}
	switch {
	case d.WebCert != "":
		s.NoBots = "its certificate is not valid for the address of this machine"
	case !d.WebRegister:
		s.NoBots = "bots cannot create accounts there, because web-register is off"
	}
	if at := d.Addr(); at.IsValid() {
		scheme := "http"
		if d.WebCert != "" {
			scheme = "https"
		}
		s.Link = fmt.Sprintf("%s://%s/", scheme, gateway.LocalAddr(at))
		if d.WebURL != "" {
			s.Notes = []gateway.Note{{Text: "through the proxy " + strings.TrimSuffix(d.WebURL, "/") + "/", Whole: true}}
		}
	}
	return s
}
