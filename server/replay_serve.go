package server

import (
	"context"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"net"
	"net/netip"
	"os"
	"path/filepath"
	"time"

	"github.com/truestep-io/truestep/area"
	"github.com/truestep-io/truestep/console"
	"github.com/truestep-io/truestep/content/appearance"
	"github.com/truestep-io/truestep/gateway"
	"github.com/truestep-io/truestep/journal"
	"github.com/truestep-io/truestep/session"
	"github.com/truestep-io/truestep/sim"
	"github.com/truestep-io/truestep/store/sqlite"
	"github.com/truestep-io/truestep/tape"
	"github.com/truestep-io/truestep/telemetry"
)

// ServeConsole displays the selected ticks in the operator console, read-only, until ctx ends. The parameter address is HOST:PORT on
// loopback. The URL of the page, including the required token, is printed to out. The console uses a copy of the journal and has
// no access to accounts and characters.
func (s *ReplayStretch) ServeConsole(ctx context.Context, out io.Writer, address string, log *slog.Logger) (err error) {
	listener, err := listenLoopback(address)
	if err != nil {
		return err
	}
	dir, err := os.MkdirTemp("", "truestep-replay-")
	if err != nil {
		return errors.Join(err, listener.Close())
	}
	defer func() { err = errors.Join(err, os.RemoveAll(dir)) }()
	p := pastConsole{printer: s.printer, dir: dir, log: log, metrics: telemetry.New()}
	if err := p.open(ctx, listener); err != nil {
		return errors.Join(err, listener.Close(), p.close())
	}
	served := make(chan error, 1)
	go func() { served <- p.console.Run() }()
	fmt.Fprintf(out, "%s from %s to %s: %s\nCtrl-C ends.\n", s.printer.areaName(s.printer.area), s.printer.from.Format(time.DateTime),
		s.printer.to.Format(time.DateTime), p.url)
	select {
	case <-ctx.Done():
		err = p.close()
		return errors.Join(err, <-served)
	case err := <-served:
		return errors.Join(err, p.close())
	}
}

// listenLoopback opens a socket that only this machine can reach, because the console's token is sent unencrypted.
func listenLoopback(address string) (net.Listener, error) {
	l, err := net.Listen("tcp", address)
	if err != nil {
		return nil, fmt.Errorf("--serve %s: %w; choose another address, such as 127.0.0.1:8081", address, gateway.ShortError(err))
	}
	if !gateway.TCPAddr(l).Addr().Unmap().IsLoopback() {
		return nil, errors.Join(fmt.Errorf("--serve %s: other machines could reach the console, unencrypted: choose an address on 127.0.0.1, and reach it through an SSH tunnel", address), l.Close())
	}
	return l, nil
}

// pastConsole is a console that displays recorded ticks. Every console needs a world; that of a pastConsole is created but does
// not run.
type pastConsole struct {
	printer *stretchPrinter
	dir     string // temporary folder with a copy of the journal and an empty store
	log     *slog.Logger
	metrics *telemetry.Metrics

	store   *sqlite.Store
	world   *area.World
	hub     *session.Hub
	journal *journal.Journal
	console *console.Console
	url     string // URL of the page with its token
}

func (p *pastConsole) open(ctx context.Context, listener net.Listener) (err error) {
	w := p.printer.world
	if p.store, err = sqlite.Open(ctx, p.dir, sqlite.WithLog(p.log), sqlite.WithMetrics(p.metrics)); err != nil {
		return err
	}
	p.world = area.NewWorld(w, area.Options{Log: p.log, Metrics: p.metrics})
	p.hub = session.NewHub(p.world, p.store, session.Options{Log: p.log, Metrics: p.metrics})
	if err := p.openJournal(ctx); err != nil {
		return err
	}
	tokens, err := console.OpenTokens(filepath.Join(p.dir, console.TokensFile))
	if err != nil {
		return err
	}
	p.console, err = console.New(console.Options{
		Listener: listener, World: p.world, Hub: p.hub, Journal: p.journal, Metrics: p.metrics, Log: p.log, Doors: p.doors(), Tokens: tokens,
		NoLiveWorld: true, PastAreas: []sim.AreaID{p.printer.area}, OpenPast: p.openPast, Maps: func() []appearance.MapStyle { return p.printer.maps.Maps },
	})
	if err != nil {
		return err
	}
	at := gateway.TCPAddr(listener)
	p.url = fmt.Sprintf("http://%s/#token=%s", gateway.LocalAddr(netip.AddrPortFrom(at.Addr().Unmap(), at.Port())), tokens.Issue("replay", console.Viewer))
	return nil
}

// openJournal opens a copy of the journal that is beside the tape, or a new journal if there is none.
func (p *pastConsole) openJournal(ctx context.Context) (err error) {
	path := filepath.Join(p.dir, journal.FileName)
	from := filepath.Join(filepath.Dir(p.printer.dir), journal.FileName)
	if _, err := os.Stat(from); err == nil {
		if err := sqlite.CopyDatabase(ctx, from, path); err != nil {
			return fmt.Errorf("copy the journal %s: %w", from, err)
		}
	}
	p.journal, err = journal.Open(journal.Options{Path: path, MaxEntries: maxKeep, MaxAge: maxRetain, Log: p.log, Metrics: p.metrics})
	return err
}

// openPast opens the recorded ticks of an area for the console, which can display only the ticks of the selected stretch.
func (p *pastConsole) openPast(id sim.AreaID) (*tape.Playback, error) {
	playback, err := tape.OpenPlayback(tape.Options{Dir: p.printer.dir, World: p.printer.world, Log: p.log}, id)
	if err == nil {
		playback.Limit(p.printer.from, p.printer.to)
	}
	return playback, err
}

// doors returns descriptions of all doors. No door accepts clients while recorded ticks are displayed, but the
// console's page draws the actors of each door by its description.
func (p *pastConsole) doors() []console.DoorInfo {
	host := &gateway.Host{World: p.world, Hub: p.hub, Log: p.log, Metrics: p.metrics, DataDir: p.dir}
	var list []DoorInfo
	for _, d := range Doors() {
		list = append(list, DoorInfo{Description: d.Describe(host), Name: d.Name()})
	}
	return consoleDoors(list)
}

// close closes those of the console, the world, the journal and the store that were opened.
func (p *pastConsole) close() error {
	ctx, cancel := context.WithTimeout(context.Background(), time.Second)
	defer cancel()
	var err error
	if p.console != nil {
		err = p.console.Close(ctx)
	}
	if p.world != nil {
		err = errors.Join(err, p.world.Stop(ctx), p.hub.Close(ctx))
	}
	if p.journal != nil {
		err = errors.Join(err, p.journal.Close(ctx))
	}
	if p.store != nil {
		err = errors.Join(err, p.store.Close())
	}
	return err
}
