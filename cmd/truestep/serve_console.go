package main

import (
	"context"
	"crypto/tls"
	"errors"
	"fmt"
	"net"
	"net/netip"
	"path/filepath"
	"time"

	"github.com/truestep-io/truestep/console"
	"github.com/truestep-io/truestep/gateway"
	"github.com/truestep-io/truestep/journal"
	"github.com/truestep-io/truestep/telemetry"
)

// consoleFlags are the settings of the operator's console and of the journal that it reads.
type consoleFlags struct {
	Console         string        `help:"Operator's console over HTTP: HOST:PORT (port 0 any port) or off. Default 127.0.0.1:8080." placeholder:"ADDR" default:"127.0.0.1:8080" toml:"console"`
	ConsoleCert     string        `help:"Certificate (PEM) with which the console speaks HTTPS." placeholder:"FILE" toml:"console-cert"`
	ConsoleKey      string        `help:"Private key (PEM) of that certificate." placeholder:"FILE" toml:"console-key"`
	ConsoleInsecure bool          `help:"Open the console beyond loopback without HTTPS, as behind a proxy that encrypts." toml:"console-insecure"`
	JournalRetain   time.Duration `help:"How long holds, corrections and refusals are kept, for truestep why and the console." default:"168h" toml:"journal-retain"`
	JournalKeep     int           `help:"How many of them are kept at most." default:"200000" toml:"journal-keep"`
}

// consoleOff tells whether there is no console.
func (f *consoleFlags) consoleOff() bool { return f.Console == "off" || f.Console == "" }

// checkConsole refuses settings of the console that cannot be meant.
func (f *consoleFlags) checkConsole(refuse func(bad bool, format string, args ...any)) {
	refuse((f.ConsoleCert == "") != (f.ConsoleKey == ""), "console-cert and console-key belong together: give both, or neither for plain HTTP on loopback")
	refuse(f.consoleOff() && f.ConsoleCert != "", "console-cert is for the console: give it an address with --console HOST:PORT")
}

// consoleParts is what a running server has for its operators. Nil fields are off.
type consoleParts struct {
	journal  *journal.Journal
	listener net.Listener
	tls      *tls.Config
	console  *console.Console
	url      string // with the token of this run
}

// bindConsole opens the console's socket and reads its certificate.
func (s *serveCmd) bindConsole(r *running) error {
	if s.consoleOff() {
		return nil
	}
	if s.ConsoleCert != "" {
		pair, err := tls.LoadX509KeyPair(s.ConsoleCert, s.ConsoleKey)
		if err != nil {
			return fmt.Errorf("console: certificate: %w; give PEM files with --console-cert FILE --console-key FILE", err)
		}
		r.consoleParts.tls = &tls.Config{Certificates: []tls.Certificate{pair}, MinVersion: tls.VersionTLS12}
	}
	l, err := net.Listen("tcp", s.Console)
	if err != nil {
		return fmt.Errorf("console: cannot listen on %s: %w; choose another address with --console HOST:PORT, or off", s.Console, gateway.ShortError(err))
	}
	r.consoleParts.listener = l
	if at := addrPortOf(l); !at.Addr().IsLoopback() && s.ConsoleCert == "" && !s.ConsoleInsecure {
		return fmt.Errorf("console: %s can be reached from elsewhere, and tokens would go there as they are: "+
			"give a certificate with --console-cert and --console-key, stay on 127.0.0.1, or say --console-insecure", s.Console)
	}
	return nil
}

func addrPortOf(l net.Listener) netip.AddrPort {
	at, err := netip.ParseAddrPort(l.Addr().String())
	if err != nil {
		return netip.AddrPort{}
	}
	return netip.AddrPortFrom(at.Addr().Unmap(), at.Port())
}

// openConsole makes the console, with a token for this run.
func (s *serveCmd) openConsole(r *running) error {
	if r.listener == nil {
		return nil
	}
	tokens, err := console.OpenTokens(filepath.Join(s.DataDir, console.TokensFile))
	if err != nil {
		return fmt.Errorf("console: %w; mend the file, or move it away and make tokens again with truestep token add", err)
	}
	r.console, err = console.New(console.Options{
		Listener: r.listener, World: r.world, Hub: r.hub, Journal: r.journal, Metrics: r.metrics, Log: r.log,
		Doors: s.consoleDoors(r), Tokens: tokens, Logins: filepath.Join(s.DataDir, console.LoginsFile), TLS: r.consoleParts.tls, Proxied: s.ConsoleInsecure, Version: version,
	})
	if err != nil {
		return err
	}
	if s.ConsoleInsecure && r.consoleParts.tls == nil {
		r.log.Warn("console: tokens pass the line as they are; only a proxy that encrypts should reach it", telemetry.FieldAddr, r.listener.Addr())
	}
	at, scheme := addrPortOf(r.listener), "http"
	if r.consoleParts.tls != nil {
		scheme = "https"
	}
	// Behind the # it stays in the browser: no server and no log sees it.
	r.url = fmt.Sprintf("%s://%s/#token=%s", scheme, gateway.LocalAddr(at), tokens.Issue("serve", console.Admin))
	return nil
}

// consoleDoors are the doors of this server, as the console shows them.
func (s *serveCmd) consoleDoors(r *running) []console.Door {
	list := make([]console.Door, len(r.doors))
	for i, d := range r.doors {
		about := d.Describe(r.host(s.DataDir))
		list[i] = console.Door{
			Name: d.Name(), Title: about.Title, Open: d.isOpen(),
			Shape: about.View.Shape, CycleMS: about.View.CycleMS, Grid: about.View.Grid,
		}
		if d.isOpen() {
			list[i].Addr = gateway.DisplayAddr(d.Addr()).String()
		}
		for _, b := range about.View.Bands {
			list[i].Bands = append(list[i].Bands, console.Band(b))
		}
	}
	return list
}

// serveConsole starts the console.
func (r *running) serveConsole() {
	if r.console == nil {
		return
	}
	r.tasks.Go(func() {
		if err := r.console.Run(); err != nil {
			r.log.Error("the console is not served any more; the game goes on", telemetry.FieldErr, err)
		}
	})
}

// consoleStop is how long calls under way may take to end when the server stops.
const consoleStop = 300 * time.Millisecond

// closeConsole ends the console, and then the journal, which writes what the stopping world still had to say.
func (r *running) closeConsole(ctx context.Context) error {
	var err error
	if r.console != nil {
		within, cancel := context.WithTimeout(ctx, consoleStop)
		err = r.console.Close(within)
		cancel()
	}
	if r.journal != nil {
		err = errors.Join(err, r.journal.Close(ctx))
	}
	return err
}

// releaseConsole closes what was opened before the start failed.
func (r *running) releaseConsole() error {
	var err error
	if r.listener != nil {
		err = r.listener.Close()
	}
	if r.journal != nil {
		err = errors.Join(err, r.closeJournal())
	}
	return err
}

// consoleRow says where the console is: below the table, so that the address stays in sight, and at the edge of the screen,
// so that it fits into a line.
func (t *table) consoleRow(r *running) {
	if r.console == nil {
		return
	}
	t.line("")
	t.line("console " + r.url)
	t.line("        operator's console" + onAllInterfaces(addrPortOf(r.listener)) + "; the address logs you in")
}
