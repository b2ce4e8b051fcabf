package server

import (
	"encoding/binary"
	"errors"
	"hash/crc32"
	"log/slog"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/truestep-io/truestep/cluster"
	"github.com/truestep-io/truestep/internal/logbuf"
	"github.com/truestep-io/truestep/sim"
)

// restartMachine changes the Raft logs in the data folder of a node that does not run as if the machine was restarted while they were open:
// it appends a mark with another boot identifier to each, see docs/cluster-log.md.
func restartMachine(t *testing.T, s *Server) {
	t.Helper()
	files, err := filepath.Glob(filepath.Join(s.cfg.DataDir, clusterFolder, "*", "*.raft"))
	if err != nil || len(files) != len(s.cfg.World.World.Areas) {
		t.Fatalf("%q, %v", files, err)
	}
	table, le := crc32.MakeTable(crc32.Castagnoli), binary.LittleEndian
	for _, name := range files {
		file, err := os.ReadFile(name)
		if err != nil {
			t.Fatal(err)
		}
		number, err := strconv.ParseUint(strings.TrimSuffix(filepath.Base(name), ".raft"), 10, 64)
		if err != nil {
			t.Fatal(err)
		}
		content := "\x01another boot"
		head := le.AppendUint32(nil, uint32(len(content)))
		head = append(head, 1)          // kind: mark
		head = le.AppendUint64(head, 0) // synced
		place := le.AppendUint64(le.AppendUint64(nil, number), uint64(len(file)))
		head = le.AppendUint32(head, crc32.Checksum(slices.Concat(place, head), table))
		record := append(head, content...)
		record = le.AppendUint32(record, crc32.Checksum(record, table))
		if err := os.WriteFile(name, append(file, record...), 0o600); err != nil {
			t.Fatal(err)
		}
	}
}

// requireAreaContinues waits until the first area has a leader, checks that the area continues at tick last of earlier logs or later, and waits
// until all nodes have that tick and go on from it. A node whose logs end earlier steps the missing ticks again.
func requireAreaContinues(t *testing.T, last sim.Tick, nodes ...*Server) {
	t.Helper()
	eventually(t, "a leader has stepped its whole log", func() bool {
		return slices.ContainsFunc(nodes, func(s *Server) bool {
			a := s.cluster.host.Status().Areas[0]
			if a.Lead != s.cluster.name || a.StepIndex < a.LastIndex {
				return false
			}
			if a.Tick < last {
				t.Errorf("node %s leads from tick %d, before tick %d of the earlier logs", s.cluster.name, a.Tick, last)
			}
			return true
		})
	})
	eventually(t, "all nodes have the last tick of the earlier logs", func() bool {
		return !slices.ContainsFunc(nodes, func(s *Server) bool { return s.cluster.host.Status().Areas[0].Tick < last })
	})
	requireTicks(t, nodes...)
}

// All machines lose power, and none knows whether its logs have everything that was acknowledged, so none votes. Two are started with
// --accept-loss: the areas continue from what these have, and the third node gets that from them.
func TestAreasContinueAfterPowerLossOfAllMachinesWithAcceptLoss(t *testing.T) {
	nodes := startCluster(t, nil)
	requireTicks(t, nodes...)
	for _, s := range nodes {
		if err := s.Close(); err != nil {
			t.Fatal(err)
		}
	}
	last := nodes[0].cluster.host.Status().Areas[0].Tick
	for _, s := range nodes {
		restartMachine(t, s)
	}
	restart := func(accept ...bool) {
		t.Helper()
		for i, s := range nodes {
			log, cfg := new(logbuf.Buffer), s.cfg
			cfg.Log, cfg.AcceptLoss = slog.New(slog.NewTextHandler(log, nil)), accept[i]
			nodes[i] = start(t, cfg)
			if accepted, waits := log.Count("because of --accept-loss") == 1, log.Count("may lack their last moments") == 1; accepted != accept[i] || waits == accept[i] {
				t.Errorf("node %s, --accept-loss=%v:\n%s", cfg.Node, accept[i], log)
			}
		}
	}
	restart(false, false, false)
	for _, s := range nodes {
		eventually(t, "the node has links to the others", func() bool {
			return !slices.ContainsFunc(s.cluster.host.Status().Nodes, func(n cluster.NodeStatus) bool { return !n.Up })
		})
	}
	time.Sleep(time.Second) // an election takes some milliseconds
	for _, s := range nodes {
		if lead := s.cluster.host.Status().Areas[0].Lead; lead != "" {
			t.Errorf("node %s leads although it may lack acknowledged entries", lead)
		}
		if err := s.Close(); err != nil {
			t.Fatal(err)
		}
	}
	restart(true, true, false)
	requireAreaContinues(t, last, nodes...)
}

// A machine loses power before an entry of its logs is on the disk, soon after the areas have begun.
func TestAcceptLossTrustsLogsWhoseEntriesNeverReachedDisk(t *testing.T) {
	node := newFailingNode(t)
	node.start(false, nil, errPort)
	restartMachine(t, &Server{cfg: node.cfg})
	areas := len(node.cfg.World.World.Areas)
	for _, c := range []struct{ accept, lossy, accepted bool }{{lossy: true}, {accept: true, accepted: true}, {}} {
		node.cfg.AcceptLoss = c.accept
		lines := node.start(false, nil, errPort)
		if n := lines.Count("--accept-loss is for one start only"); (n == 1) != c.accept {
			t.Errorf("--accept-loss=%v: %d lines that it is for one start only", c.accept, n)
		}
		for text, want := range map[string]bool{"may lack their last moments": c.lossy, "because of --accept-loss": c.accepted} {
			if n := lines.Count(text, "logs="+strconv.Itoa(areas)); (n == 1) != want {
				t.Errorf("--accept-loss=%v: %d lines with %q and all logs, want %v:\n%s", c.accept, n, text, want, lines)
			}
		}
	}
}

// A machine gets an older copy of its disk back, and then an empty one. What the database has is newer than an older copy, and belongs to
// a later leader.
func TestAcceptLossTrustsNeitherOlderNorMissingLogs(t *testing.T) {
	node := newNodeThatHasRun(t)
	if err := os.WriteFile(filepath.Join(node.logs(), serialFile), []byte("0\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	node.cfg.AcceptLoss = true
	const older, part, missing = "are older than the last run of this node", "are those of an older copy of the data folder, or were not fetched completely", "were created anew"
	check := func(when, want string) {
		t.Helper()
		lines := node.start(false, nil, errPort)
		for _, text := range []string{older, part, missing, "may lack their last moments", "because of --accept-loss"} {
			if (lines.Count(text) == 1) != (text == want) {
				t.Errorf("%s: want the line with %q:\n%s", when, want, lines)
			}
		}
	}
	check("the first start with the older copy", older)
	for range 2 {
		check("after that", part)
	}
	if err := os.RemoveAll(node.logs()); err != nil {
		t.Fatal(err)
	}
	check("without logs", missing)
}

// The disks of two of three nodes are lost. One of them comes back as it was some time before its end, without the file serial, and the
// third node has its logs: the areas continue with these, although the earlier copy counts as complete.
func TestAreasContinueFromSurvivorWithEarlierCopyOfOneLostDisk(t *testing.T) {
	nodes := startCluster(t, nil)
	requireTicks(t, nodes...)
	stop := func(s *Server) {
		t.Helper()
		if err := s.Close(); err != nil {
			t.Fatal(err)
		}
	}
	folder := func(i int) string { return filepath.Join(nodes[i].cfg.DataDir, clusterFolder) }
	stop(nodes[1])
	copied := filepath.Join(t.TempDir(), "copy")
	if err := os.CopyFS(copied, os.DirFS(folder(1))); err != nil {
		t.Fatal(err)
	}
	nodes[1] = start(t, nodes[1].cfg)
	requireTicks(t, nodes...)
	for _, s := range nodes {
		stop(s)
	}
	last := nodes[0].cluster.host.Status().Areas[0].Tick
	if err := errors.Join(os.RemoveAll(folder(1)), os.RemoveAll(folder(2)), os.CopyFS(folder(1), os.DirFS(copied)), os.Remove(filepath.Join(folder(1), serialFile))); err != nil {
		t.Fatal(err)
	}
	restartMachine(t, nodes[1])
	for i, s := range nodes {
		log, cfg := new(logbuf.Buffer), s.cfg
		cfg.Log, cfg.AcceptLoss = slog.New(slog.NewTextHandler(log, nil)), i == 1
		nodes[i] = start(t, cfg)
		if accepted := log.Count("because of --accept-loss") == 1; accepted != cfg.AcceptLoss {
			t.Errorf("node %s, --accept-loss=%v:\n%s", cfg.Node, cfg.AcceptLoss, log)
		}
	}
	requireAreaContinues(t, last, nodes...)
}
