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

	"github.com/truestep-io/truestep/internal/fsync"
	"github.com/truestep-io/truestep/store"
	"github.com/truestep-io/truestep/telemetry"
)

// serialFile is the file with the last serial number that the database has reserved for this node, in decimal. It is beside the Raft logs.
const serialFile = "serial"

// serialStore is the store of sessions of a node. It writes each serial number that it reserves into the data folder, too. So a node finds
// at its start whether its Raft logs are those of its last run: in an older copy of the folder the number is lower than in the database.
type serialStore struct {
	store.Sessions
	n  *clusterNode
	mu sync.Mutex // held during a reservation, so that the file gets the numbers in order
}

// ReserveSerials implements store.Sessions. While a number is reserved, there is no file. So if the process ends meanwhile, or the disk is
// full, the logs count as those of the last run at the next start, and not as an older copy.
func (s *serialStore) ReserveSerials(ctx context.Context, node string, count uint64) (last uint64, err error) {
	if count == 0 {
		return s.Sessions.ReserveSerials(ctx, node, 0)
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	path := s.n.serialPath()
	if err := os.Remove(path); err != nil && !errors.Is(err, fs.ErrNotExist) {
		return 0, err
	}
	last, err = s.Sessions.ReserveSerials(ctx, node, count)
	if err != nil {
		return 0, err
	}
	part := path + ".part"
	err = fsync.WriteFile(part, []byte(strconv.FormatUint(last, 10)+"\n"))
	if err == nil {
		err = os.Rename(part, path)
	}
	if err != nil {
		s.n.server.log.Warn("the number of this run cannot be written into the data folder, so the next start does not notice if the folder is replaced by an older copy", "file", path, telemetry.FieldErr, err)
		_ = os.Remove(part)
	}
	return last, nil
}

func (n *clusterNode) serialPath() string {
	return filepath.Join(n.server.cfg.DataDir, clusterFolder, serialFile)
}

// hasOlderLogs reports whether the data folder is an older copy of that of the last run, whose last serial number was reserved. A folder
// without the file is new, of a version that did not write it, or of a run that ended during a reservation. A file without a number is
// damaged, and counts as older.
func (n *clusterNode) hasOlderLogs(reserved uint64) (bool, error) {
	b, err := os.ReadFile(n.serialPath())
	if errors.Is(err, fs.ErrNotExist) {
		return false, nil
	}
	if err != nil {
		return false, err
	}
	have, err := strconv.ParseUint(strings.TrimSpace(string(b)), 10, 64)
	return err != nil || have < reserved, nil
}
