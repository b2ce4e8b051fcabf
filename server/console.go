package server

import (
	"context"
	"crypto/sha256"
	"crypto/tls"
	"encoding/hex"
	"errors"
	"fmt"
	"net"
	"net/netip"
	"os/user"
	"path/filepath"
	"time"

	"github.com/truestep-io/truestep/console"
	"github.com/truestep-io/truestep/content/appearance"
	"github.com/truestep-io/truestep/gateway"
	"github.com/truestep-io/truestep/sim"
	"github.com/truestep-io/truestep/store/sqlite"
	"github.com/truestep-io/truestep/tape"
	"github.com/truestep-io/truestep/telemetry"
)

// consoleStop is the maximum time for which a stopping server waits for HTTP requests of the console.
const consoleStop = 300 * time.Millisecond

// consoleServer serves the operator console. The zero value serves nothing.
type consoleServer struct {
	listener net.Listener        // nil if the console is off
	tls      *tls.Config         // nil for plain HTTP
	console  *console.Console    // nil until open is called
	local    console.LocalAccess // content of the file by which truestep admin finds the console
	dataDir  string              // folder of the file with local; "" until serve is called
	url      string              // address of the console's page, including the token of this run
}

// bind opens the console's socket and reads its certificate.
func (c *consoleServer) bind(cfg *Config) error {
	if !cfg.hasConsole() {
		return nil
	}
	if cfg.ConsoleCert != "" {
		pair, err := tls.LoadX509KeyPair(cfg.ConsoleCert, cfg.ConsoleKey)
		if err != nil {
			return fmt.Errorf("read console certificate: %w; give PEM files with --console-cert FILE --console-key FILE", err)
		}
		c.tls = &tls.Config{Certificates: []tls.Certificate{pair}, MinVersion: tls.VersionTLS12}
	}
	l, err := cfg.Sockets.Listen(cfg.Console)
	if err != nil {
		return gateway.ListenError("console", cfg.Console, err)
	}
	c.listener = l
	if !c.addr().Addr().IsLoopback() && cfg.ConsoleCert == "" && !cfg.ConsoleInsecure {
		return fmt.Errorf("console: %s is reachable from other machines, and tokens would be sent unencrypted: "+
			"give a certificate with --console-cert and --console-key, stay on 127.0.0.1, or set --console-insecure", cfg.Console)
	}
	return nil
}

// addr returns the address of the console, or the zero value if the console is off.
func (c *consoleServer) addr() netip.AddrPort {
	at := gateway.TCPAddr(c.listener)
	return netip.AddrPortFrom(at.Addr().Unmap(), at.Port())
}

// open creates the console and a token for this run.
func (c *consoleServer) open(s *Server) error {
	if c.listener == nil {
		return nil
	}
	tokens, err := console.OpenTokens(filepath.Join(s.cfg.DataDir, console.TokensFile))
	if err != nil {
		return fmt.Errorf("open the console's tokens: %w; repair the file, or move it away and create new tokens with truestep token add", err)
	}
	maxConns := 0
	if s.descriptors != nil {
		maxConns = s.descriptors.console
	}
	var node console.Cluster
	if s.cluster != nil {
		node = s.cluster.host
	}
	c.console, err = console.New(console.Options{
		Cluster:  node,
		Listener: c.listener, World: s.world, Hub: s.hub, Journal: s.journal, Chat: s.chat, Metrics: s.metrics, Log: s.log,
		Doors: consoleDoors(s.Doors()), Tokens: tokens, Logins: filepath.Join(s.cfg.DataDir, console.LoginsFile),
		TLS: c.tls, Failures: s.Failures, Proxied: s.cfg.ConsoleInsecure, MaxConns: maxConns, Version: s.cfg.Version,
		Reload: s.Reload, OpenPast: s.openPast(), Maps: func() []appearance.MapStyle { return s.content.Load().Appearance.Maps }, History: s.history.store,
	})
	if err != nil {
		return err
	}
	scheme := "http"
	if c.tls != nil {
		scheme = "https"
	} else if s.cfg.ConsoleInsecure {
		s.log.Warn("the console does not use TLS, so operators' tokens are sent unencrypted: put a proxy with TLS before it, and let only that proxy connect", telemetry.FieldAddr, c.listener.Addr())
	}
	base := fmt.Sprintf("%s://%s", scheme, gateway.LocalAddr(c.addr()))
	c.local = console.LocalAccess{URL: base, Token: tokens.IssueLocal(operatorName())}
	if c.tls != nil {
		sum := sha256.Sum256(c.tls.Certificates[0].Certificate[0])
		c.local.Certificate = hex.EncodeToString(sum[:])
	}
	// Browsers do not send the part of a URL after #, so the token appears in no request and no log.
	c.url = base + "/#token=" + tokens.Issue(operatorName(), console.Admin)
	return nil
}

// operatorName returns the name of the user who started the server. The console's audit records this name for actions of
// operators that log in with the token that the server created at its start.
func operatorName() string {
	if u, err := user.Current(); err == nil && u.Username != "" {
		return u.Username
	}
	return "operator"
}

// openPast returns a function that opens the recorded ticks of an area, or nil if the server has no tape.
func (s *Server) openPast() func(sim.AreaID) (*tape.Playback, error) {
	if !s.cfg.hasTape() {
		return nil
	}
	return func(id sim.AreaID) (*tape.Playback, error) {
		o := tape.Options{Dir: filepath.Join(s.cfg.DataDir, sqlite.TapeFolder), World: s.world.Def(), WorldOf: s.worlds.of, Log: s.log}
		return tape.OpenPlayback(o, id)
	}
}

// consoleDoors converts doors to the form that the console displays.
func consoleDoors(doors []DoorInfo) []console.DoorInfo {
	list := make([]console.DoorInfo, len(doors))
	for i := range doors {
		d := &doors[i]
		list[i] = console.DoorInfo{
			Name: d.Name, Title: d.Title, Open: d.Addr.IsValid(),
			Shape: d.UpdateRanges.Shape, CycleMS: d.UpdateRanges.CycleMS, Grid: d.UpdateRanges.Grid,
		}
		if d.Addr.IsValid() {
			list[i].Addr = gateway.DisplayAddr(d.Addr).String()
		}
		for _, b := range d.UpdateRanges.Bands {
			list[i].Bands = append(list[i].Bands, console.Band(b))
		}
	}
	return list
}

func (c *consoleServer) serve(s *Server) {
	if c.console == nil {
		return
	}
	c.dataDir = s.cfg.DataDir
	if err := console.WriteLocalAccess(c.dataDir, c.local); err != nil {
		s.log.Warn("cannot write the file with which truestep admin finds this server", telemetry.FieldErr, err)
	}
	s.tasks.Go(func() {
		if err := c.console.Run(); err != nil {
			s.log.Error("operator console stopped serving; the game continues", telemetry.FieldErr, err)
		}
	})
}

// close closes the console. The journal is closed later, because it records the frames that the stopping world still
// emits.
func (c *consoleServer) close(ctx context.Context) error {
	if c.console == nil {
		return nil
	}
	within, cancel := context.WithTimeout(ctx, consoleStop)
	defer cancel()
	return errors.Join(console.RemoveLocalAccess(c.dataDir, c.local), c.console.Close(within))
}

// release closes the console's socket after a failed start of the server, if the console was never served. Otherwise the method
// close closes the socket.
func (c *consoleServer) release() error {
	if c.listener == nil {
		return nil
	}
	return c.listener.Close()
}

// ConsoleAddr returns the address of the operator console, or the zero value if it is off.
func (s *Server) ConsoleAddr() netip.AddrPort { return s.console.addr() }

// ConsoleURL returns a URL that logs in an operator on this machine with the token of this run, or "" if the console is
// off.
func (s *Server) ConsoleURL() string { return s.console.url }
