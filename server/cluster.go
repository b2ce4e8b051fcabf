package server

import (
	"cmp"
	"context"
	"encoding/binary"
	"errors"
	"fmt"
	"hash/fnv"
	"io"
	"net"
	"os"
	"path/filepath"
	"strings"
	"time"

	"github.com/truestep-io/truestep/area"
	"github.com/truestep-io/truestep/cluster"
	"github.com/truestep-io/truestep/cluster/link"
	"github.com/truestep-io/truestep/cluster/raftlog"
	"github.com/truestep-io/truestep/gateway"
	"github.com/truestep-io/truestep/session"
	"github.com/truestep-io/truestep/sim"
	"github.com/truestep-io/truestep/store"
	"github.com/truestep-io/truestep/telemetry"
)

// ClusterConfig makes the server a node of a cluster, which runs one world on several machines. It is zero for a single server.
type ClusterConfig struct {
	Cluster        string        `help:"Run as a node of a cluster of these nodes, at least three, the same list on each: NAME=HOST:PORT,... with the address at which the others reach the node." placeholder:"NODES" toml:"cluster"`
	Node           string        `help:"Name of this node in --cluster." placeholder:"NAME" toml:"node"`
	ClusterName    string        `help:"Name of the cluster in its keys." default:"truestep" placeholder:"NAME" toml:"cluster-name"`
	ClusterKeys    string        `help:"Folder with this node's keys, made by truestep cluster keys. Default cluster-keys in the data folder." placeholder:"DIR" toml:"cluster-keys"`
	ClusterListen  string        `help:"Address on which this node accepts the others. Default: the port of its address, on all addresses of the machine." placeholder:"HOST:PORT" toml:"cluster-listen"`
	ClusterBalance bool          `help:"Place areas by load: the node with the most load hands over an area to the one with the least. Node 1 of --cluster decides; the setting of the others has no effect." default:"true" negatable:"" toml:"cluster-balance"`
	ClusterLead    bool          `help:"Let this node lead areas. Without it the node serves players only, and leads an area only until another node can." default:"true" negatable:"" toml:"cluster-lead"`
	SuspectAfter   time.Duration `help:"Time after which a node that cannot be reached loses its players; their accounts may then enter through other nodes." default:"3s" toml:"suspect-after"`
}

// Limits of the settings of ClusterConfig.
const (
	minSuspect   = time.Second // minimum of SuspectAfter
	maxSuspect   = time.Minute // maximum of SuspectAfter
	clusterNodes = 3           // minimum number of nodes: two of three are a majority while one is down

	maxClusterNodes = 7 // maximum number of nodes; chosen, not measured: each node steps the whole world
)

// DefaultClusterName is the default of ClusterConfig.ClusterName.
const DefaultClusterName = "truestep"

// clusterFormats is the version of what all nodes of a cluster must have in common besides the world: (1) the formats of messages,
// log entries and snapshots, (2) the calls of the console that nodes forward to each other, (3) the results of a step of the
// simulation, (4) the world that is made of a world file, with its defaults, and (5) the tables of the database. It must change whenever one
// of the first four changes, because the replicas of an area would otherwise diverge, and with each migration of the database, which a node
// does not make while others run. TestChangedEncodingOrRuleRequiresNewClusterFormatVersion fails until it does. A node
// does not use logs of another version.
const clusterFormats = "truestep cluster 19"

// clusterFolder is the folder in the data folder that contains the Raft logs of the areas.
const clusterFolder = "cluster"

// hasRaftLogs reports whether a data folder has logs of areas, as that of a node of a cluster does.
func hasRaftLogs(dataDir string) (bool, error) {
	logs, err := os.ReadDir(filepath.Join(dataDir, clusterFolder))
	if errors.Is(err, os.ErrNotExist) {
		err = nil
	}
	return len(logs) > 0, err
}

func (c *ClusterConfig) inCluster() bool { return c.Cluster != "" }

func (c *ClusterConfig) check(p *gateway.Problems, cfg *Config) {
	if !c.inCluster() {
		p.Refuse(cfg.ClusterBegin, "cluster-begin is for a cluster: name its nodes with --cluster NAME=HOST:PORT,...")
		p.Refuse(c.Node != "", "node %q is for a cluster: name its nodes with --cluster NAME=HOST:PORT,...", c.Node)
		return
	}
	nodes, err := c.nodes()
	p.Add(err)
	if err == nil {
		p.Refuse(c.self(nodes) == 0, "node %q is not in the list of --cluster: name this node with --node NAME", c.Node)
	}
	p.Refuse(cfg.Store == "", "the nodes of a cluster share a database of accounts: name it with --store postgres://USER@HOST/DATABASE")
	p.Refuse(c.SuspectAfter < minSuspect || c.SuspectAfter > maxSuspect, "suspect-after %v: must be 1s..1m", c.SuspectAfter)
	p.Refuse(c.ClusterName == "", "cluster-name is empty: leave it out for %q", DefaultClusterName)
}

// nodes returns the nodes that the setting Cluster lists. Their IDs are 1, 2 and so on, in the order of the list.
func (c *ClusterConfig) nodes() (list []link.Node, err error) {
	for i, text := range strings.Split(c.Cluster, ",") {
		name, addr, ok := strings.Cut(strings.TrimSpace(text), "=")
		if _, _, splitErr := net.SplitHostPort(addr); !ok || name == "" || splitErr != nil {
			return nil, fmt.Errorf("cluster: %q does not describe a node: write NAME=HOST:PORT for each, separated by commas", text)
		}
		list = append(list, link.Node{ID: uint64(i + 1), Name: name, Addr: addr})
	}
	if len(list) < clusterNodes || len(list) > maxClusterNodes {
		return nil, fmt.Errorf("cluster: %d nodes are listed; at least %d are needed, so that a majority is up while one is down, and at most %d are allowed", len(list), clusterNodes, maxClusterNodes)
	}
	return list, nil
}

// keyFolder returns the folder with the keys of this node, which include the keys that the doors of all nodes share. It
// returns "" for a single server.
func (c *Config) keyFolder() string {
	if !c.inCluster() {
		return ""
	}
	return cmp.Or(c.ClusterKeys, filepath.Join(c.DataDir, "cluster-keys"))
}

func (c *ClusterConfig) self(nodes []link.Node) uint64 {
	for _, n := range nodes {
		if n.Name == c.Node {
			return n.ID
		}
	}
	return 0
}

// clusterNode is the part of a server that makes it a node of a cluster. It is nil in a single server.
type clusterNode struct {
	server    *Server
	name      string
	game      string         // version of the rules of the world's game, see Config.gameVersion
	known     bool           // the node was part of the cluster before this start
	begins    bool           // the areas of the cluster begin anew
	newLogs   int            // number of empty logs that were created at this or an earlier start
	olderLogs bool           // the logs are not those of the last run, but an older copy of them
	partLogs  int            // number of logs that have been incomplete since an earlier start: of an older copy, or not fetched completely
	lossy     int            // number of logs that may lack their last entries, because the machine was restarted
	accepted  int            // number of such logs that count as complete: see Config.AcceptLoss
	sessions  store.Sessions // database shared by the nodes
	marks     *linkMarks     // stores that this run has a link
	mesh      *link.Mesh     // connections to the other nodes
	host      *cluster.Host
	began     time.Time      // cluster.AreaStatus.Since of an area that has had no leader since the start
	logs      []*raftlog.Log // logs of the areas
	metrics   *telemetry.Cluster
	open      context.Context // ends when close is called
	stop      context.CancelFunc
	access    periodic // reads access rules
	news      periodic // informs the other nodes and updates the metrics
	syncs     periodic // syncs the logs of the areas

	accessFailed bool // the last call of refreshAccess failed for a reason that the store does not log
}

// openCluster creates the node and its world. The node has no connections to other nodes before the method start is called.
func (s *Server) openCluster(ctx context.Context, areas area.Options) error {
	c := &s.cfg.ClusterConfig
	nodes, err := c.nodes()
	if err != nil {
		return err
	}
	n := &clusterNode{server: s, name: c.Node}
	n.open, n.stop = context.WithCancel(context.Background())
	sessions, ok := s.store.(nodeStore)
	if !ok {
		return errors.New("the store cannot be shared by the nodes of a cluster: use a PostgreSQL database with --store")
	}
	serials := &serialStore{Sessions: sessions, n: n}
	n.sessions = serials
	keys, err := s.cfg.clusterKeys()
	if err != nil {
		return err
	}
	database, err := s.store.ID(ctx)
	if err != nil {
		return err
	}
	// The number of this run is reserved only after its logs have shown that the database is not older than they are. Otherwise each start
	// that is refused would reserve a number, until one of them is greater than those in the logs.
	reserved, err := n.sessions.ReserveSerials(ctx, c.Node, 0)
	if err != nil {
		return err
	}
	incarnation := reserved + 1
	linked, err := sessions.LinkedSerial(ctx, c.Node)
	if err != nil {
		return err
	}
	older, unknown, err := n.hasOlderLogs(linked)
	if err != nil {
		return err
	}
	n.olderLogs = older
	if (older || unknown) && linked > reserved {
		if err := s.cfg.checkFormerLogs(linked); err != nil {
			return err
		}
	}
	n.begins = s.store.Begun()
	if s.cfg.ClusterBegin && !n.begins {
		s.log.Warn("--cluster-begin has no effect, because other nodes run and the areas have begun already: remove it from the start of this node; if the areas are to begin anew, stop all nodes, move the folder cluster of each data folder away, and then start all of them with it")
	}
	world := s.cfg.World.World
	version, err := program(s.cfg.Version)
	if err != nil {
		return err
	}
	if n.game, err = s.cfg.gameVersion(); err != nil {
		return err
	}
	s.cluster = n
	areas.Seed = s.clusterSeed()
	if err := s.openClusterTape(&areas); err != nil {
		return err
	}
	self := c.self(nodes)
	n.known = incarnation > 1
	if n.host, err = cluster.New(cluster.Options{
		World: world, Seed: areas.Seed, Nodes: nodes, Self: self, Links: n, Incarnation: incarnation, Version: version, SuspectAfter: c.SuspectAfter, FixedLeads: !c.ClusterBalance, NeverLeads: !c.ClusterLead,
		Fenced: n.fenced, Area: areas,
		Committed: func(a sim.AreaID, took time.Duration) { n.metrics.Areas[a].ObserveCommit(took.Seconds()) },
		Crossed:   func(took time.Duration) { n.metrics.ObserveCrossing(took.Seconds()) },
		Open:      func(a sim.AreaID) (cluster.Kept, error) { return n.openLog(a, nodes) },
	}); errors.Is(err, cluster.ErrDatabaseOlder) {
		return fmt.Errorf("%w: --store may name another database than before; or, if a backup was brought back: move the folder %s away, on the other nodes too, and start all nodes once with --cluster-begin", err, filepath.Join(s.cfg.DataDir, clusterFolder))
	} else if err != nil {
		return err
	}
	if got, err := n.sessions.ReserveSerials(ctx, c.Node, 1); err != nil {
		return err
	} else if got != incarnation {
		return fmt.Errorf("another process has reserved the number %d for the node %s: two processes must not have the name of one node", incarnation, c.Node)
	}
	switch {
	case n.begins:
	case n.olderLogs:
		s.log.Warn("the Raft logs in the data folder are older than the last run of this node, as after a restore of an older copy of the folder: it leads no areas until another node has sent it what is missing; if no node can send it, because most have older folders, stop all nodes, move the folder cluster of each data folder away, and start all nodes once with --cluster-begin",
			"folder", filepath.Join(s.cfg.DataDir, clusterFolder))
	case n.partLogs > 0:
		s.log.Warn("the Raft logs of some areas are those of an older copy of the data folder, or were not fetched completely from another node: this node cannot lead these areas until another node has sent it what is missing; if no node can, because the logs of most are lost or older copies, stop all nodes, move the folder cluster of each data folder away, and start all nodes once with --cluster-begin",
			"logs", n.partLogs+n.newLogs)
	case n.known && n.newLogs > 0:
		s.log.Warn("this node has run before, but its Raft logs of some areas are missing and were created anew: it cannot lead these areas until another node has sent it their state; if no node can, because the logs of most are lost or the first start of the cluster failed, stop all nodes, move the folder cluster of each data folder away, and start all nodes once with --cluster-begin",
			"logs", n.newLogs)
	}
	if n.lossy > 0 {
		s.log.Warn("the Raft logs of this node may lack their last moments, because the machine was restarted while it ran: it leads no areas until another node has sent it what is missing; if no node can, because most machines have lost power, start as many of these nodes once with --accept-loss as make, with those that have not lost power, more than half of all, and no further ones",
			"logs", n.lossy)
	}
	if n.accepted > 0 {
		s.log.Warn("the Raft logs of areas may lack ticks that players were shown, and count as complete, because of --accept-loss", "logs", n.accepted)
	}
	if s.cfg.AcceptLoss {
		s.log.Warn("--accept-loss is for one start only: remove it from the start of this node, or its logs count as complete after each later loss of power, too")
	}
	n.marks = &linkMarks{Handler: n.host, db: sessions, serials: serials, wake: make(chan struct{}, 1)}
	if n.mesh, err = link.New(link.Config{
		Cluster: c.ClusterName, Nodes: nodes, Self: self, Incarnation: n.host.Incarnation(), Formats: cmp.Or(s.cfg.formats, clusterFormats), Program: version, Rules: world.Digest(), Game: n.game, Database: database, Keys: keys,
		Handler: n.marks, ListenAddr: c.ClusterListen, Log: s.log, Clock: s.cfg.clock,
	}); err != nil {
		if _, ok := errors.AsType[*net.OpError](err); ok {
			err = gateway.RequiredListenError("cluster-listen", cmp.Or(c.ClusterListen, nodes[self-1].Addr), err)
		}
		return err
	}
	s.world = n.host.World
	n.began = n.host.Status().Areas[0].Since
	n.registerMetrics()
	return nil
}

// clusterKeys reads the keys of this node, and compares them with the settings.
func (c *Config) clusterKeys() (*link.Keys, error) {
	keys, err := link.LoadKeys(c.keyFolder())
	switch {
	case err != nil:
		return nil, fmt.Errorf("read the keys of the cluster: %w", err)
	case keys.Cluster != c.ClusterName:
		return nil, fmt.Errorf("the keys are of cluster %q, not %q: name the folder of the keys of this cluster with --cluster-keys DIR, or the cluster with --cluster-name NAME", keys.Cluster, c.ClusterName)
	case keys.Node != c.Node:
		return nil, fmt.Errorf("the keys are those of node %q, but this is node %q: name the folder of the keys of node %[2]q with --cluster-keys DIR", keys.Node, c.Node)
	}
	return keys, nil
}

// clusterSeed returns the seed of the areas, which is the same on all nodes.
func (s *Server) clusterSeed() uint64 {
	if s.cfg.Seed != 0 {
		return s.cfg.Seed
	}
	h := fnv.New64a()
	_, _ = h.Write([]byte(s.cfg.ClusterName))
	return h.Sum64()
}

// gameVersion returns the version of the rules of the world's game: GameVersion or, if it is "", the build of this program. It returns
// "" for a world without a game.
func (c *Config) gameVersion() (string, error) {
	switch {
	case c.World.World.Game == nil:
		return "", nil
	case c.GameVersion != "":
		return c.GameVersion, nil
	}
	build, err := buildID()
	return "build " + build, err
}

// logDigest returns the digest of a world, a version of the formats and a version of the game rules, for the header of a Raft log. The
// entries of a log give the same states only in the same world, with the same formats and the same game rules.
func logDigest(world uint64, formats, game string) uint64 {
	h := fnv.New64a()
	_, _ = h.Write(binary.LittleEndian.AppendUint64(nil, world))
	_, _ = io.WriteString(h, formats)
	if game != "" {
		_, _ = io.WriteString(h, "\n"+game)
	}
	return h.Sum64()
}

// directory returns the directory that says, for each logged-in account, through which node of the cluster it is in the world.
// The directory is nil for a single server.
func (n *clusterNode) directory() session.Directory {
	if n == nil {
		return nil
	}
	return session.NewDirectory(n.sessions,
		func() store.SessionHolder {
			return store.SessionHolder{Node: n.name, Incarnation: n.host.Serving()}
		},
		func(h store.SessionHolder) bool { return n.host.IsGone(h.Node, h.Incarnation) })
}

// number returns the number of this node. The ids of players that enter through the node contain the number. A single server has
// the number 0.
func (n *clusterNode) number() uint16 {
	if n == nil {
		return 0
	}
	return uint16(n.host.Self())
}

// Send implements cluster.Links: it sends a message to another node, and returns false if that is not possible at present.
func (n *clusterNode) Send(to uint64, kind byte, body []byte) bool {
	return n.mesh.Send(to, kind, body)
}

// OffsetMS implements cluster.Links: it returns by how many ms the clock of another node is ahead of this node's clock.
func (n *clusterNode) OffsetMS(node uint64) int64 { return n.mesh.OffsetMS(node) }

// accessEvery is the interval at which a node reads bans, mutes and the whitelist again, because operators may change them on
// other nodes.
const accessEvery = 5 * time.Second

// refreshAccess reads bans, mutes and the whitelist again. Of several failures in a row it logs only the first. It does not
// log that the database cannot be reached, because the store logs that.
func (n *clusterNode) refreshAccess() {
	ctx, cancel := context.WithTimeout(context.Background(), accessEvery)
	defer cancel()
	err := n.server.hub.RefreshAccess(ctx)
	failed := err != nil && !errors.Is(err, store.ErrUnavailable)
	if failed && !n.accessFailed {
		n.server.log.Error("cannot read bans, mutes and the whitelist again; changes that operators make on other nodes do not apply on this node until that succeeds", telemetry.FieldErr, err)
	}
	n.accessFailed = failed
}

// start connects this node to the others.
func (n *clusterNode) start() {
	if n == nil {
		return
	}
	n.mesh.Start()
	n.marks.start(n.open)
	n.access.start(accessEvery, func(time.Time) { n.refreshAccess() })
	syncer := logSyncer{log: n.server.log, ages: newLogAges(len(n.logs))}
	var ages recentAges
	n.news.start(time.Second, func(time.Time) {
		n.host.Tell()
		status := n.host.Status()
		setClusterMetrics(n.metrics, &status)
		n.metrics.Unsynced.Set(int(ages.greatest(syncer.ages.check(n.server.log)).Milliseconds()))
	})
	for i, log := range n.logs {
		syncer.logs = append(syncer.logs, areaLog{n.server.cfg.World.World.Areas[i].Name, log})
	}
	n.syncs.start(syncEvery, syncer.sync)
}

const (
	fencedText = "The connection of this server to the others was lost. Please log in again."
	fenceRetry = time.Second // pause between attempts to get a new incarnation
)

// fenced ends the sessions of this node after the cluster has declared it dead. It returns the number of the node's next
// incarnation, in which the node serves players again. It returns 0 if the node is closed before it gets that number.
func (n *clusterNode) fenced() uint64 {
	n.server.hub.EndAll(fencedText)
	for {
		ctx, cancel := context.WithTimeout(n.open, fenceRetry)
		next, err := n.sessions.ReserveSerials(ctx, n.name, 1)
		cancel()
		if err == nil {
			n.server.hub.ForgetSerials() // the reserved serial numbers are lower than the new incarnation
			n.mesh.SetIncarnation(next)
			return next
		}
		n.server.log.Warn("players cannot enter through this node until the database can be reached", telemetry.FieldErr, err)
		select {
		case <-n.open.Done():
			return 0
		case <-time.After(fenceRetry):
		}
	}
}

// leaveTimeout is the maximum time for which a stopping node hands over its areas.
const leaveTimeout = time.Second

// leave hands over the areas that this node leads, and informs the other nodes that its players have lost their
// connection.
func (n *clusterNode) leave(ctx context.Context) {
	if n == nil {
		return
	}
	ctx, cancel := context.WithTimeout(ctx, leaveTimeout)
	defer cancel()
	if err := n.host.Retire(ctx); err != nil {
		n.server.log.Warn("this node stops while it leads areas; the other nodes elect leaders of these areas at once, if more than half of all nodes run", telemetry.FieldErr, err)
	}
	n.host.Leave()
}

// close closes the connections to the other nodes and the Raft logs of the areas.
func (n *clusterNode) close() (err error) {
	if n == nil {
		return nil
	}
	n.stop()
	n.access.stop()
	n.news.stop()
	n.syncs.stop()
	if n.mesh != nil {
		n.mesh.Close()
	}
	if n.marks != nil {
		n.marks.done.Wait()
	}
	for _, log := range n.logs {
		err = errors.Join(err, log.Close())
	}
	return err
}
