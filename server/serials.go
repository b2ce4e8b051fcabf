package server

import (
	"context"
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"sync"
	"sync/atomic"
	"time"

	"github.com/truestep-io/truestep/cluster/link"
	"github.com/truestep-io/truestep/internal/fsync"
	"github.com/truestep-io/truestep/store"
	"github.com/truestep-io/truestep/telemetry"
)

// serialFile is the file with the last serial number that the database has reserved for this node, in decimal. It is beside the Raft logs.
const serialFile = "serial"

// serialStore is the store of sessions of a node. It writes each serial number that it reserves into the data folder, too. So a node finds
// at its start whether its Raft logs are those of its last run with a link: in an older copy of the folder the number is lower than the one
// in the database (see linkMarks).
type serialStore struct {
	store.Sessions
	n    *clusterNode
	mu   sync.Mutex    // held during a reservation, so that the file gets the numbers in order
	last atomic.Uint64 // last number that this process has reserved
}

// ReserveSerials implements store.Sessions. The file has a number before linkMarks stores it in the database, also after a loss of power. If
// it cannot be written, as on a full disk, it is removed. So the logs of this process never count as an older copy at the next start.
func (s *serialStore) ReserveSerials(ctx context.Context, node string, count uint64) (last uint64, err error) {
	if count == 0 {
		return s.Sessions.ReserveSerials(ctx, node, 0)
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	last, err = s.Sessions.ReserveSerials(ctx, node, count)
	if err != nil {
		return 0, err
	}
	path := s.n.serialPath()
	part := path + ".part"
	err = fsync.WriteFile(part, []byte(strconv.FormatUint(last, 10)+"\n"))
	if err == nil {
		err = os.Rename(part, path)
	}
	if err == nil {
		err = fsync.Dir(filepath.Dir(path))
	}
	if err != nil {
		s.n.server.log.Warn("the number of this run cannot be written into the data folder, so the next start does not notice if the folder is replaced by an older copy", "file", path, telemetry.FieldErr, err)
		_, _ = os.Remove(part), os.Remove(path)
	}
	s.last.Store(last)
	return last, nil
}

func (n *clusterNode) serialPath() string {
	return filepath.Join(n.server.cfg.DataDir, clusterFolder, serialFile)
}

// hasOlderLogs reports whether the data folder is an older copy of that of the last run with a link to another node, for which the database
// has the serial number linked. It is unknown for a folder without the file, which is new, of a version that did not write it, or of a run
// that could not write it. A file without a number is damaged, and counts as older.
func (n *clusterNode) hasOlderLogs(linked uint64) (older, unknown bool, err error) {
	b, err := os.ReadFile(n.serialPath())
	if errors.Is(err, fs.ErrNotExist) {
		return false, true, nil
	}
	if err != nil {
		return false, false, err
	}
	have, err := strconv.ParseUint(strings.TrimSpace(string(b)), 10, 64)
	return err != nil || have < linked, false, nil
}

// nodeStore is the database of a cluster, as its nodes use it beside accounts and characters: see postgres.Store.
type nodeStore interface {
	store.Sessions
	MarkLinked(ctx context.Context, node string, serial uint64) error
	LinkedSerial(ctx context.Context, node string) (serial uint64, err error)
}

// linkMarks stores in the database the last serial number of a run that has had a link to another node. A start compares the logs with that
// number and not with the last reserved one, which is also that of a process of another folder, world or cluster that had the name of the
// node and was refused. That is enough: over links alone a node acknowledges entries and votes, and a leader without a link commits nothing,
// so logs that lack only runs without a link lack nothing on which other nodes rely.
//
// The number is stored after the link is up, and nothing waits for it. If the database cannot be reached until the end of the run, the next
// start does not notice an older copy of the folder.
type linkMarks struct {
	link.Handler // receives the events of the links
	db           nodeStore
	serials      *serialStore
	linked       atomic.Bool
	wake         chan struct{} // holds a value after a link has come up
	marked       uint64        // last number that is stored
	done         sync.WaitGroup
}

// markEvery is the interval at which further numbers are stored, and failures are retried.
const markEvery = time.Second

// Up implements link.Handler.
func (m *linkMarks) Up(peer uint64, hello link.Hello) {
	m.Handler.Up(peer, hello)
	m.linked.Store(true)
	select {
	case m.wake <- struct{}{}:
	default:
	}
}

// start begins to store numbers, until ctx ends.
func (m *linkMarks) start(ctx context.Context) {
	m.done.Go(func() {
		ticker := time.NewTicker(markEvery)
		defer ticker.Stop()
		for {
			select {
			case <-ctx.Done():
				return
			case <-m.wake:
			case <-ticker.C:
			}
			m.mark(ctx)
		}
	})
}

// mark stores the last serial number of this process if it has had a link.
func (m *linkMarks) mark(ctx context.Context) {
	n, last := m.serials.n, m.serials.last.Load()
	if !m.linked.Load() || last == m.marked {
		return
	}
	if err := m.db.MarkLinked(ctx, n.name, last); err != nil {
		n.server.log.Debug("cannot store that this run has a link to another node; this is retried", telemetry.FieldErr, err)
		return
	}
	m.marked = last
}
