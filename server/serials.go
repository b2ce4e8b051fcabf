package server

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strconv"
	"strings"

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
	n *clusterNode
}

// ReserveSerials implements store.Sessions. A number that cannot be written into the data folder counts as reserved.
func (s serialStore) ReserveSerials(ctx context.Context, node string, count uint64) (last uint64, err error) {
	last, err = s.Sessions.ReserveSerials(ctx, node, count)
	if err != nil || count == 0 {
		return last, err
	}
	if err := fsync.WriteFile(s.n.serialPath(), []byte(strconv.FormatUint(last, 10)+"\n")); err != nil {
		s.n.server.log.Warn("the number of this run cannot be written into the data folder, so the next start takes the Raft logs for those of an earlier run, and waits for another node before it leads areas",
			"file", s.n.serialPath(), telemetry.FieldErr, err)
	}
	return last, nil
}

func (n *clusterNode) serialPath() string {
	return filepath.Join(n.server.cfg.DataDir, clusterFolder, serialFile)
}

// hasOlderLogs reports whether the data folder is an older copy of that of the last run, whose last serial number was reserved. A folder
// without the file is new, or of a version that did not write it.
func (n *clusterNode) hasOlderLogs(reserved uint64) (bool, error) {
	b, err := os.ReadFile(n.serialPath())
	if errors.Is(err, fs.ErrNotExist) {
		return false, nil
	}
	if err != nil {
		return false, err
	}
	have, err := strconv.ParseUint(strings.TrimSpace(string(b)), 10, 64)
	if err != nil {
		return false, fmt.Errorf("the file %s has no number: if the other nodes run, move the folder that contains it away, so that this node gets the areas from them", n.serialPath())
	}
	return have < reserved, nil
}
