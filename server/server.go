package server

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"log/slog"
	"maps"
	"net/netip"
	"sync"
	"sync/atomic"
	"time"

	"github.com/truestep-io/truestep/area"
	"github.com/truestep-io/truestep/chatlog"
	"github.com/truestep-io/truestep/content"
	"github.com/truestep-io/truestep/content/appearance"
	"github.com/truestep-io/truestep/gateway"
	"github.com/truestep-io/truestep/journal"
	"github.com/truestep-io/truestep/session"
	"github.com/truestep-io/truestep/tape"
	"github.com/truestep-io/truestep/telemetry"
)

// StopTimeout is the maximum duration of Server.Close if Config.StopTimeout is 0. If the time is over before everything is stored, the
// error of Server.Close contains the number of unsaved records.
const StopTimeout = 2500 * time.Millisecond

// Server is a running server. Its methods are safe for concurrent use.
type Server struct {
	cfg     Config
	log     *slog.Logger
	metrics *telemetry.Metrics
	store   backend
	world   *area.World
	hub     *session.Hub
	journal *journal.Journal // nil until open has opened it
	chat    *chatlog.Log     // nil until it is opened, and if chat is not stored
	tape    *tape.Tape       // nil if the tape is off
	cluster *clusterNode     // nil for a single server

	descriptors *descriptors // nil if the system has no limit of open files

	doors      []*runningDoor      // doors in the order of Config.Doors
	sendBudget *gateway.SendBudget // memory of the send queues of doors over UDP; nil before open
	closed     chan *runningDoor   // receives each door whose Run has returned

	console       consoleServer
	metricsServer metricsServer
	health        health
	backups       backupSchedule
	tasks         sync.WaitGroup // goroutines that serve the console and the metrics; they end when their listeners are closed

	heldBack heldBackRecorder
	history  historyRecorder
	webhooks webhookWatcher

	reloading sync.Mutex                    // held by Reload
	settings  map[string]string             // settings in force, by name; guarded by reloading
	content   atomic.Pointer[content.World] // world with its appearance; a reload replaces it
	worlds    reloadedWorlds

	closeOnce sync.Once
	closeErr  error
}

// runningDoor is a door of the server and the progress of its method Run. A door that is off is not run.
type runningDoor struct {
	gateway.Door
	done chan struct{} // closed when Run has returned; nil if the door is off
	err  error         // result of Run, valid after done is closed
}

// Run starts a server, calls cfg.Ready, and serves until ctx ends, an operator stops the server, an area panics or a
// door closes by itself. If Run returns nil, every player is saved.
func Run(ctx context.Context, cfg Config) error {
	s, err := Start(ctx, cfg)
	if err != nil {
		return err
	}
	if cfg.Ready != nil {
		cfg.Ready(s)
	}
	return errors.Join(s.Wait(ctx), s.Close())
}

// Start opens every socket and the data folder, and starts the world. ctx limits Start only; Close ends the server.
// After an error nothing is left open. If a socket cannot be opened, nothing is written to a new data folder.
func Start(ctx context.Context, cfg Config) (*Server, error) {
	if err := cfg.Check(); err != nil {
		return nil, err
	}
	if cfg.World == nil {
		cfg.World = content.DefaultWorld()
	}
	if cfg.Log == nil {
		cfg.Log = slog.Default()
	}
	if cfg.PlayerLog == nil {
		cfg.PlayerLog = cfg.Log
	}
	s := &Server{cfg: cfg, log: cfg.Log, metrics: telemetry.New(), settings: maps.Clone(cfg.Settings)}
	s.content.Store(cfg.World)
	err := errors.Join(s.bind(), s.webhooks.open(s))
	if err == nil || s.hasData() { // even after an error, to report a used data folder together with a used port
		err = errors.Join(s.openStore(ctx), err)
	}
	if err == nil {
		err = s.open(ctx)
	}
	if err != nil {
		return nil, errors.Join(err, s.release())
	}
	s.world.Start(context.Background()) // runs until Close stops it
	s.cluster.start()
	s.serve()
	if err := s.backups.start(s); err != nil {
		return nil, errors.Join(err, s.Close())
	}
	s.log.Info(describeWalls(cfg.World.World))
	return s, nil
}

// bind opens the sockets of doors, console and metrics. Nothing else is started yet.
func (s *Server) bind() (err error) {
	for _, d := range s.cfg.Doors {
		s.doors = append(s.doors, &runningDoor{Door: d})
		err = errors.Join(err, d.Bind(s.host()))
	}
	return errors.Join(err, s.console.bind(&s.cfg), s.metricsServer.bind(&s.cfg))
}

// host returns the parts of this server that doors use. World and Hub are nil until open has created them.
func (s *Server) host() *gateway.Host {
	h := &gateway.Host{
		Hub: s.hub, Log: s.log, Metrics: s.metrics, DataDir: s.cfg.DataDir, SharedKeys: s.cfg.keyFolder(), Appearance: s.content.Load().Appearance, LiveAppearance: func() *appearance.Tables { return &s.content.Load().Appearance }, ProjectPort: s.cfg.ProjectPort,
		Sockets: s.cfg.Sockets, SendBudget: s.sendBudget,
	}
	if s.descriptors != nil {
		h.Descriptors = &s.descriptors.doors
	}
	if s.cluster != nil {
		h.Stalled = func() bool { return s.cluster.host.LacksLeader(loginGrace) }
	}
	if s.world != nil { // a nil *area.World in the interface would not be equal to nil
		h.World = s.areas()
	}
	return h
}

// areas returns the host that runs the areas: the world of this process, or the node of a cluster.
func (s *Server) areas() area.Host {
	if s.cluster != nil {
		return s.cluster.host
	}
	return s.world
}

// open creates the world, hub, journal and console, and opens the doors. Doors do not run until serve is called.
func (s *Server) open(ctx context.Context) (err error) {
	if limit, ok := maxOpenFiles(); ok {
		d := divideDescriptors(limit)
		s.descriptors = &d
		s.log.Debug("limit of open files", "limit", limit, "doors", d.doors, "console", d.console, "reserved", reservedDescriptors)
	}
	options := area.Options{Seed: s.cfg.seed(), Log: s.log, Metrics: s.metrics, ReplayDir: s.cfg.DataDir, PauseTime: s.cfg.reloadTime}
	var records *session.RestoredRecords
	if s.cfg.inCluster() {
		err = s.openCluster(ctx, options)
	} else {
		records, err = s.openTape(&options)
	}
	if err != nil {
		return err
	}
	if err := s.openChat(); err != nil {
		return err
	}
	s.sendBudget = gateway.NewSendBudget(parseSize(s.cfg.SendBudget))
	if s.cluster == nil {
		s.world = area.NewWorld(s.cfg.World.World, options)
	}
	s.hub = session.NewHub(s.areas(), s.store, session.Options{Node: s.cluster.number(), Directory: s.cluster.directory(), Log: s.cfg.PlayerLog, Metrics: s.metrics, AreaChat: s.cfg.AreaChat,
		Hashers: s.cfg.LoginHashers, LoginsPerAddr: s.cfg.LoginsPerAddr, FailuresPerAccount: s.cfg.FailuresPerAccount, FailuresAnywhere: s.cfg.FailuresAnywhere,
		AccountsPerAddr: s.cfg.AccountsPerAddr, DumpDir: s.cfg.DataDir, ProofFile: proofFile(s.cfg.DataDir), OnWithheld: s.addWithheld})
	s.chat.Watch(s.world)
	if err := s.restore(ctx, records); err != nil {
		return err
	}
	for _, d := range s.doors {
		if !isOpen(d) {
			continue
		}
		if err := d.Open(s.host()); err != nil {
			return err
		}
	}
	if s.journal, err = s.openJournal(); err != nil {
		return err
	}
	s.history.open(s, time.Now())
	return s.console.open(s)
}

func isOpen(d gateway.Door) bool { return d.Addr().IsValid() }

// serve starts the doors, the console, the metrics endpoint and the periodic tasks.
func (s *Server) serve() {
	s.closed = make(chan *runningDoor, len(s.doors))
	for _, d := range s.doors {
		if !isOpen(d) {
			continue
		}
		d.done = make(chan struct{})
		go func() {
			d.err = d.Run(context.Background()) // Run returns when the world stops
			close(d.done)
			s.closed <- d
		}()
	}
	s.console.serve(s)
	s.metricsServer.serve(s)
	s.heldBack.start(s)
	s.history.start(s)
	s.webhooks.start(s)
}

// ErrRestart means that an operator has requested a restart. The program then exits with ExitRestart, and its service
// manager starts it again.
var ErrRestart = errors.New("an operator has requested a restart of the server")

// ExitRestart is the exit status of truestep serve for ErrRestart. It is not 0, so that Restart=on-failure of systemd
// and the restart policies of containers start the server again.
const ExitRestart = 3

// Wait waits for one of five events after which the server should be closed: (1) ctx has ended, (2) an operator has stopped the
// server, (3) an area has panicked, (4) another server has taken over the database, or (5) a door has ended while the world runs.
// It returns ErrRestart if an operator has requested a restart. It returns an error if the database is lost, or if a door has
// ended without an error. Server.Close returns all other errors.
func (s *Server) Wait(ctx context.Context) error {
	select {
	case <-ctx.Done():
	case p := <-s.hub.StopDue():
		s.log.Info("stopping at the time planned by an operator", "operator", p.By, "restart", p.Restart, telemetry.FieldReason, p.Reason)
		if p.Restart {
			return ErrRestart
		}
	case <-s.world.Done():
	case <-s.store.Lost():
		return s.store.LostError()
	case d := <-s.closed:
		if s.world.Err() == nil && d.err == nil {
			return fmt.Errorf("%s: the door closed while the server was running", d.Name())
		}
	}
	return nil
}

// Close stops the world, lets the doors disconnect their clients, and stores the last record of every player, which the world
// emits when it stops. It takes at most Config.StopTimeout, and longer only if messages to webhooks take longer. Later calls return the
// result of the first call.
func (s *Server) Close() error {
	s.closeOnce.Do(func() { s.closeErr = s.close() })
	return s.closeErr
}

func (s *Server) close() error {
	s.webhooks.finish(s)
	var webhooks sync.WaitGroup
	defer webhooks.Wait()
	webhooks.Go(s.webhooks.close) // concurrently, so that a slow receiver delays no record
	s.backups.cancel()            // a backup that is being made ends while the server stops
	ctx, cancel := context.WithTimeout(context.Background(), cmp.Or(s.cfg.StopTimeout, StopTimeout))
	defer cancel()
	s.cluster.leave(ctx)
	stopped := s.world.Stop(ctx)
	err := stopped
	for _, d := range s.doors {
		if d.done == nil {
			continue
		}
		select {
		case <-d.done:
			err = errors.Join(err, d.err, d.Close())
		case <-ctx.Done():
			err = errors.Join(err, fmt.Errorf("%s: the door did not close within the stop timeout", d.Name()))
		}
	}
	saved := s.hub.Close(ctx)
	err = errors.Join(err, saved, s.closeTape(stopped == nil && saved == nil))
	err = errors.Join(err, s.console.close(ctx), s.heldBack.close(ctx, s), s.history.close(), s.journal.Close(ctx), s.chat.Close(ctx), s.metricsServer.close())
	s.health.loop.stop()
	s.tasks.Wait()
	s.backups.wait(ctx, s)
	return errors.Join(err, s.cluster.close(), s.store.Close())
}

// release closes everything that a failed Start has opened.
func (s *Server) release() error {
	s.webhooks.close()
	err := errors.Join(s.metricsServer.release(), s.console.release(), s.releaseWorld())
	for _, d := range s.doors {
		err = errors.Join(err, d.Close())
	}
	if s.store != nil {
		err = errors.Join(err, s.store.Close())
	}
	return err
}

// releaseWorld closes a world that was never started, and then the hub and the journal, which read its frames to the
// end.
func (s *Server) releaseWorld() error {
	if s.world == nil {
		return errors.Join(s.closeTape(false), s.cluster.close())
	}
	ctx, cancel := context.WithTimeout(context.Background(), time.Second)
	defer cancel()
	err := s.world.Stop(ctx)
	if s.hub != nil {
		err = errors.Join(err, s.hub.Close(ctx))
	}
	err = errors.Join(err, s.closeTape(false))
	if s.journal != nil {
		err = errors.Join(err, s.journal.Close(ctx))
	}
	return errors.Join(err, s.chat.Close(ctx), s.history.close(), s.cluster.close())
}

// Addr returns the address of the door with the given name, with its actual port, or the zero value if the door is not
// open.
func (s *Server) Addr(door string) netip.AddrPort {
	for _, d := range s.doors {
		if d.Name() == door {
			return d.Addr()
		}
	}
	return netip.AddrPort{}
}

// DoorInfo describes a door as the console and the start screen display it.
type DoorInfo struct {
	gateway.Description
	Name string         // name of the door
	Addr netip.AddrPort // address of the open door; zero if the door is closed
}

// Doors returns all doors of the server, including closed ones, in the order of Config.Doors.
func (s *Server) Doors() []DoorInfo {
	list := make([]DoorInfo, len(s.doors))
	for i, d := range s.doors {
		list[i] = DoorInfo{Description: d.Describe(s.host()), Name: d.Name(), Addr: d.Addr()}
	}
	return list
}

// Failures returns the current failures, such as a journal that cannot be written. It does not include failures to save player
// records; for these see session.Hub.SaveStatus.
func (s *Server) Failures() (list []telemetry.Failure) {
	list = s.store.Failures()
	for _, f := range []*telemetry.Failure{s.journal.Failure(), s.chat.Failure(), s.tapeFailure(), s.backups.lastFailure(), s.history.failure()} {
		if f != nil {
			list = append(list, *f)
		}
	}
	return list
}

// World returns the world that the server runs in this process.
func (s *Server) World() *area.World { return s.world }

// Hub returns the session hub, through which accounts log in and players enter the world.
func (s *Server) Hub() *session.Hub { return s.hub }

// Metrics returns the counters of the server.
func (s *Server) Metrics() *telemetry.Metrics { return s.metrics }
