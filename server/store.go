package server

import (
	"context"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"os"
	"path/filepath"

	"github.com/truestep-io/truestep/gateway"
	"github.com/truestep-io/truestep/store"
	"github.com/truestep-io/truestep/store/postgres"
	"github.com/truestep-io/truestep/store/sqlite"
	"github.com/truestep-io/truestep/telemetry"
)

// StoreURL is the URL of a PostgreSQL database, or "" for the SQLite file in the data folder. The URL may contain a
// password. All its text forms omit the password, so it appears in no log, error or printed setting.
type StoreURL string

// String returns the URL without its password.
func (u StoreURL) String() string {
	if u == "" {
		return ""
	}
	return postgres.Redact(string(u))
}

// GoString returns the URL without its password, for the verb %#v.
func (u StoreURL) GoString() string { return u.String() }

// MarshalText returns the URL without its password, for encoders such as JSON.
func (u StoreURL) MarshalText() ([]byte, error) { return []byte(u.String()), nil }

// StoreConfig selects where accounts and characters are stored.
type StoreConfig struct {
	Store StoreURL `help:"PostgreSQL database of accounts and characters, postgres://USER@HOST/DATABASE, instead of the file in the data folder. Give a password in PGPASSWORD or TRUESTEP_STORE; it is never printed." placeholder:"URL" toml:"store"`
}

// Check returns an error if Store is not the URL of a PostgreSQL database.
func (c StoreConfig) Check() error {
	if c.Store == "" {
		return nil
	}
	if err := postgres.CheckURL(string(c.Store)); err != nil {
		return fmt.Errorf("store: %w", err)
	}
	return nil
}

// CheckFolder returns an error if the accounts and characters of the data folder dir are in a PostgreSQL database, but c.Store
// does not name a database. Without the error, a server would use the outdated SQLite file of that folder.
func (c StoreConfig) CheckFolder(dir string) error {
	if c.Store == "" && postgres.HasLedger(dir) {
		return fmt.Errorf("the accounts and characters of %s are in a PostgreSQL database: name it with --store postgres://USER@HOST/DATABASE, "+
			"bring them back with truestep store copy --to sqlite:%s, or choose another folder with --data-dir DIR", dir, dir)
	}
	return nil
}

// backend is a store with the further methods that a server needs. They say whether the store fails at present, whether another
// server has taken over the database, whether the tape may be continued, and whether a cluster uses the store.
type backend interface {
	store.Store
	Failures() []telemetry.Failure // current failures, for the operator
	Lost() <-chan struct{}         // closed after another server has taken over the database; nil if that cannot happen
	LostError() error              // error for the operator after Lost was closed
	FitsTape() bool                // whether the tape of the data folder matches the stored records and may be continued

	UsedByCluster(context.Context) (bool, error) // whether the areas of a cluster have stored records
	Begun() bool                                 // whether the areas of a cluster begin anew: see storeOptions.begin
	ID(context.Context) (string, error)          // ID of a database, which differs from that of every other one
}

// folderStore is the SQLite file of a data folder. Its lock prevents other servers from using the folder.
type folderStore struct{ *sqlite.Store }

// Failures returns why the SQLite file cannot be written at present, or nil if it can be written.
func (s folderStore) Failures() []telemetry.Failure {
	if f := s.Failure(); f != nil {
		return []telemetry.Failure{*f}
	}
	return nil
}

// Lost returns nil, because no other server can take over the SQLite file of a locked data folder.
func (folderStore) Lost() <-chan struct{} { return nil }

// LostError returns nil, because the SQLite file cannot be lost to another server.
func (folderStore) LostError() error { return nil }

// FitsTape reports whether the store and the tape have the same history. For this store it is always true: the SQLite file and the
// tape are in the same data folder, so no other server can have changed one without the other.
func (folderStore) FitsTape() bool { return true }

// UsedByCluster returns false, because the nodes of a cluster cannot share the SQLite file of a data folder.
func (folderStore) UsedByCluster(context.Context) (bool, error) { return false, nil }

// ID returns "", because no cluster uses the SQLite file of a data folder.
func (folderStore) ID(context.Context) (string, error) { return "", nil }

// Begun returns false, because no cluster uses the SQLite file of a data folder.
func (folderStore) Begun() bool { return false }

// databaseStore is a PostgreSQL database together with the lock of the data folder.
type databaseStore struct {
	*postgres.Store
	folder io.Closer
}

// Close closes the database and releases the folder.
func (s databaseStore) Close() error { return errors.Join(s.Store.Close(), s.folder.Close()) }

// storeOptions says how openStore opens a store.
type storeOptions struct {
	log        *slog.Logger         // nil selects slog.Default()
	metrics    *telemetry.Metrics   // may be nil
	acceptLoss bool                 // see Config.AcceptLoss
	node       string               // name of the node of a cluster, whose nodes share the database; "" for a single server
	cluster    string               // name of that cluster
	nodes      []string             // names of the nodes of that cluster, in order
	begin      bool                 // begin the areas of the cluster anew: see Config.ClusterBegin
	hasLogs    func() (bool, error) // with begin: reports whether the folder has logs of areas; called once the folder is locked
	noTape     bool                 // the tape of the folder will be discarded: see TapeConfig.TapeDiscard
	tape       bool                 // the process continues the tape of the folder, or sets it aside
}

// openStore opens the store of a data folder for one server or command. Until it is closed, no other server or command
// can open it.
func openStore(ctx context.Context, dir string, c StoreConfig, o storeOptions) (backend, error) {
	const fix = "choose a folder that can be written to with --data-dir DIR"
	if o.log == nil {
		o.log = slog.Default()
	}
	if err := c.CheckFolder(dir); err != nil {
		return nil, err
	}
	if c.Store == "" {
		s, err := sqlite.Open(ctx, dir, sqlite.WithLog(o.log), sqlite.WithMetrics(o.metrics), sqlite.WithAcceptLoss(o.acceptLoss))
		if err != nil {
			return nil, gateway.WithFix(err, fix)
		}
		return folderStore{s}, nil
	}
	folder, err := sqlite.LockDir(dir)
	if err != nil {
		return nil, gateway.WithFix(err, fix)
	}
	options := []postgres.Option{postgres.WithLog(o.log), postgres.WithMetrics(o.metrics), postgres.WithAcceptLoss(o.acceptLoss)}
	if o.node != "" {
		// Checked before the database is opened, because a single server does not continue its tape once a node has joined the database.
		if err := checkUnsavedTicks(dir); err != nil && !o.noTape {
			return nil, errors.Join(err, folder.Close())
		}
		options = append(options, postgres.Node(o.node), postgres.Cluster(o.cluster, o.nodes))
		if o.begin { // checked before the database is opened, which deletes what the areas have stored
			has, err := o.hasLogs()
			if err != nil {
				return nil, errors.Join(err, folder.Close())
			}
			options = append(options, postgres.BeginAreas(true), postgres.HasLogs(has))
		}
	} else {
		options = append(options, postgres.WithLedger(dir))
		if o.tape {
			options = append(options, postgres.ContinuesTape())
		}
	}
	s, err := postgres.Open(ctx, string(c.Store), options...)
	if err != nil {
		return nil, errors.Join(gateway.WithFix(err, fix), folder.Close())
	}
	return databaseStore{s, folder}, nil
}

func (s *Server) hasData() bool {
	_, err := os.Stat(filepath.Join(s.cfg.DataDir, sqlite.FileName))
	return err == nil && s.cfg.Store == ""
}

func (s *Server) openStore(ctx context.Context) error {
	o := storeOptions{log: s.log, metrics: s.metrics, acceptLoss: s.cfg.AcceptLoss, noTape: s.cfg.TapeDiscard, tape: true}
	if s.cfg.inCluster() {
		nodes, err := s.cfg.nodes()
		if err != nil {
			return err
		}
		// Checked before the database is opened, which stores the cluster of the first node.
		if _, err := s.cfg.clusterKeys(); err != nil {
			return err
		}
		o.node, o.cluster, o.begin, o.hasLogs = s.cfg.Node, s.cfg.ClusterName, s.cfg.ClusterBegin, s.cfg.hasLogs
		for _, n := range nodes {
			o.nodes = append(o.nodes, n.Name)
		}
	}
	opened, err := openStore(ctx, s.cfg.DataDir, s.cfg.StoreConfig, o)
	if errors.Is(err, postgres.ErrHasLogs) {
		err = s.cfg.explainHasLogs(err)
	}
	if err == nil {
		s.store = opened
	}
	return err
}
