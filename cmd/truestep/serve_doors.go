package main

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"net"
	"net/http"
	"net/http/pprof"
	"os"
	"path/filepath"
	"sync"
	"time"

	"github.com/truestep-io/truestep/area"
	"github.com/truestep-io/truestep/gateway"
	"github.com/truestep-io/truestep/session"
	"github.com/truestep-io/truestep/store/sqlite"
	"github.com/truestep-io/truestep/swarm/demo"
	"github.com/truestep-io/truestep/telemetry"
)

// stopWithin is how long a graceful stop takes at most; what is not saved by then is said.
const stopWithin = 2500 * time.Millisecond

// running is a server that is up.
type running struct {
	from    *servedWorld
	log     *slog.Logger
	metrics *telemetry.Metrics
	store   *sqlite.Store
	world   *area.World
	hub     *session.Hub

	doors  []*door    // in the order in which they are shown
	closed chan *door // a door that has ended

	consoleParts

	metricsAt net.Listener
	http      *http.Server

	demo  *demo.Bots     // nil without --demo
	bots  demo.Accounts  // empty without --demo
	tasks sync.WaitGroup // goroutines that end with the world or with http
}

// door is a door and how its Run has ended.
type door struct {
	gateway.Door
	done chan struct{} // closed when Run has returned; nil while the door is off
	err  error         // of Run; to be read once done is closed
}

func (d *door) isOpen() bool { return d.Addr().IsValid() }

// host is what doors are told of the server. World and Hub are nil before open.
func (r *running) host(dataDir string) *gateway.Host {
	return &gateway.Host{World: r.world, Hub: r.hub, Log: r.log, Metrics: r.metrics, DataDir: dataDir, ProjectPort: r.from.port}
}

// start opens the doors and the data folder and starts the world. An error leaves nothing open, and nothing written if a
// door was the reason and the data folder is new.
func (s *serveCmd) start(ctx context.Context, log *slog.Logger, w *servedWorld) (*running, error) {
	r := &running{from: w, log: log, metrics: telemetry.New()}
	err := s.bind(r)
	if err == nil || s.hasData() { // a second server on one folder is told so, too
		err = errors.Join(err, s.openStore(ctx, r))
	}
	if err == nil {
		err = s.open(r)
	}
	if err != nil {
		return nil, errors.Join(err, r.release())
	}
	r.world.Start(context.Background()) // ended by Stop, not by the signal
	r.serve()
	return r, nil
}

// bind opens the sockets.
func (s *serveCmd) bind(r *running) (err error) {
	for _, d := range s.doors() {
		r.doors = append(r.doors, &door{Door: d})
		err = errors.Join(err, d.Bind(r.host(s.DataDir)))
	}
	err = errors.Join(err, s.bindConsole(r))
	if s.Metrics != "off" {
		at, metricsErr := listen(s.Metrics)
		r.metricsAt, err = at, errors.Join(err, metricsErr)
	}
	return err
}

func listen(at string) (net.Listener, error) {
	l, err := net.Listen("tcp", at)
	if err == nil {
		return l, nil
	}
	if op, ok := errors.AsType[*net.OpError](err); ok {
		err = op.Err
	}
	if bad, ok := errors.AsType[*net.AddrError](err); ok {
		err = errors.New(bad.Err)
	}
	return nil, fmt.Errorf("metrics: cannot listen on %s: %w; choose another address with --metrics HOST:PORT, or off", at, err)
}

func (s *serveCmd) hasData() bool {
	_, err := os.Stat(filepath.Join(s.DataDir, sqlite.FileName))
	return err == nil
}

func (s *serveCmd) openStore(ctx context.Context, r *running) error {
	store, err := sqlite.Open(ctx, s.DataDir)
	r.store = store
	return gateway.WithFix(err, "choose a folder that can be written to with --data-dir DIR")
}

// open makes the world and those who serve it.
func (s *serveCmd) open(r *running) error {
	r.world = area.NewWorld(r.from.def, area.Options{Seed: s.seed(), Log: r.log, Metrics: r.metrics, ReplayDir: s.DataDir})
	r.hub = session.NewHub(r.world, r.store, session.Options{Log: slog.New(demo.NewHandler(r.log.Handler(), &r.bots)), Metrics: r.metrics})
	for _, d := range r.doors {
		if !d.isOpen() {
			continue
		}
		if err := d.Open(r.host(s.DataDir)); err != nil {
			return err
		}
	}
	if err := s.openJournal(r); err != nil {
		return err
	}
	return s.openConsole(r)
}

// serve starts the doors.
func (r *running) serve() {
	r.closed = make(chan *door, len(r.doors))
	for _, d := range r.doors {
		if !d.isOpen() {
			continue
		}
		d.done = make(chan struct{})
		go func() {
			d.err = d.Run(context.Background()) // ends with the world
			close(d.done)
			r.closed <- d
		}()
	}
	r.serveConsole()
	if r.metricsAt == nil {
		return
	}
	mux := http.NewServeMux()
	mux.Handle("GET /metrics", r.metrics.Handler())
	mux.HandleFunc("GET /debug/pprof/", pprof.Index)
	mux.HandleFunc("GET /debug/pprof/profile", pprof.Profile)
	mux.HandleFunc("GET /debug/pprof/trace", pprof.Trace)
	mux.Handle("GET /{$}", http.RedirectHandler("/metrics", http.StatusFound))
	r.http = &http.Server{Handler: mux, ReadHeaderTimeout: 5 * time.Second}
	r.tasks.Go(func() {
		if err := r.http.Serve(r.metricsAt); !errors.Is(err, http.ErrServerClosed) {
			r.log.Error("metrics are not served any more; the game goes on", telemetry.FieldErr, err)
		}
	})
}

// wait returns when the server is to stop: it was told so, an area broke, or a door ended by itself.
func (r *running) wait(ctx context.Context) error {
	select {
	case <-ctx.Done():
		r.log.Info("stopping: everybody is being saved; Ctrl-C again ends at once")
	case <-r.world.Done():
	case d := <-r.closed:
		if r.world.Err() == nil && d.err == nil {
			return fmt.Errorf("%s: the door has closed by itself", d.Name())
		}
	}
	return nil
}

// close stops the world first, which emits everybody's last record, then waits for the doors to say good-bye and for
// the records to be stored.
func (r *running) close() error {
	r.demo.Stop()
	defer r.demo.Wait()
	ctx, cancel := context.WithTimeout(context.Background(), stopWithin)
	defer cancel()
	err := r.world.Stop(ctx)
	for _, d := range r.doors {
		if d.done == nil {
			continue
		}
		select {
		case <-d.done:
			err = errors.Join(err, d.err, d.Close())
		case <-ctx.Done():
			err = errors.Join(err, fmt.Errorf("%s: the door did not close in time", d.Name()))
		}
	}
	err = errors.Join(err, r.hub.Close(ctx), r.closeConsole(ctx))
	if r.http != nil {
		err = errors.Join(err, r.http.Close())
	}
	r.tasks.Wait()
	return errors.Join(err, r.store.Close())
}

// release closes what start has opened before it failed.
func (r *running) release() error {
	var err error
	if r.metricsAt != nil {
		err = r.metricsAt.Close()
	}
	for _, d := range r.doors {
		err = errors.Join(err, d.Close())
	}
	err = errors.Join(err, r.releaseConsole())
	if r.store != nil {
		err = errors.Join(err, r.store.Close())
	}
	return err
}
