//go:build linux

package main

import (
	"bufio"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net"
	"os"
	"path/filepath"
	"sync"
	"time"

	"github.com/jackc/pgx/v5/pgxpool"

	"github.com/truestep-io/truestep/cluster/replica"
)

const (
	nodes      = 3                     // number of nodes of the cluster
	tickPeriod = 50 * time.Millisecond // time between two ticks of an area
)

// arrangement names the method with which nodes agree on batches, the inputs of ticks: pair or raft.
type arrangement string

const (
	pairs  arrangement = "pair"
	groups arrangement = "raft"
)

// nodeConfig is the configuration that a node reads from its standard input as one line of JSON. The node then prints its address
// for links, reads the addresses of all nodes in a second line, and runs until its standard input ends.
type nodeConfig struct {
	Index       int         // number of the node, from 0
	Arrangement arrangement // how the nodes agree on batches
	Load        load        // number of areas and content of their batches
	Tuning      tuning      // timeouts and variants of the arrangement
	Folder      string      // folder of the log files
	Observer    string      // address of the measuring program, to which the node sends a release for each frame
	Postgres    string      // PostgreSQL connection string; "" for raft
}

// tuning holds timeouts and variants of the arrangements, which flags set.
type tuning struct {
	Clock   time.Duration // interval of the clock that detects failures
	Silence time.Duration // a node that sends no message for this long counts as lost
	Stagger time.Duration // raft: time between the election campaigns of two members of a group
	Quorum  time.Duration // raft: a leader that receives nothing from a majority for this long steps down
	Shards  int           // number of goroutines, each with a log file, among which the areas of a node are divided
	Witness bool          // raft: the third member of a group writes the log but does not step the area
	PairLog bool          // pair: primary and backup write a log, as the nodes of raft do
	Phases  int           // number of equally spaced times in a tick period at which areas tick
}

// ticks converts a timeout to the unit in which the members of an area count time: periods of t.Clock. It rounds down, but
// returns at least 1.
func (t *tuning) ticks(d time.Duration) int { return max(int(d/t.Clock), 1) }

// node is one of the processes that agree on batches in a run of the benchmark.
type node struct {
	cfg    nodeConfig
	shards []*shard
	links  *mesh
	out    *observer
	up     chan int // receives the number of each other node when the first connection to it is established
}

func runNode(in io.Reader, out io.Writer) error {
	lines := bufio.NewReader(in)
	n := &node{up: make(chan int, nodes)}
	var addrs []string
	if err := readJSON(lines, &n.cfg); err != nil {
		return err
	}
	ln, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		return err
	}
	if _, err := fmt.Fprintln(out, ln.Addr()); err != nil {
		return err
	}
	if err := readJSON(lines, &addrs); err != nil {
		return err
	}
	c, err := net.Dial("tcp", n.cfg.Observer)
	if err != nil {
		return err
	}
	n.out = newObserver(c)
	if err := n.build(); err != nil {
		return err
	}
	n.links.start(ln, addrs)
	for range nodes - 1 {
		<-n.up
	}
	for _, s := range n.shards {
		go s.run(n.cfg.Tuning.Clock, tickPeriod, n.cfg.Tuning.Phases)
	}
	_, err = io.Copy(io.Discard, lines) // returns when the measuring program ends or closes the node's standard input
	return err
}

func readJSON(in *bufio.Reader, v any) error {
	line, err := in.ReadBytes('\n')
	if err != nil {
		return err
	}
	return json.Unmarshal(line, v)
}

// build creates the node's areas and shards. Each area belongs to one shard, which is a goroutine. An area continues from
// the entries of its log file, if there are any.
func (n *node) build() error {
	n.links = newMesh(n.cfg.Index, nodes)
	pool, err := n.openLedger()
	if err != nil {
		return err
	}
	for i := range n.cfg.Tuning.Shards {
		s := newShard(n.links, nil)
		logs := map[int]*areaLog{}
		if n.cfg.Arrangement == groups || n.cfg.Tuning.PairLog {
			path := filepath.Join(n.cfg.Folder, fmt.Sprintf("%d-%d.wal", n.cfg.Index, i))
			if logs, err = readWAL(path); err != nil {
				return err
			}
			if s.log, err = openWAL(path); err != nil {
				return err
			}
		}
		n.shards = append(n.shards, s)
		for area := i; area < n.cfg.Load.Areas; area += n.cfg.Tuning.Shards {
			if s.members[area], err = n.newMember(s, area, logs[area], pool); err != nil {
				return err
			}
		}
	}
	n.links.on = func(peer, area int, body []byte) {
		n.shards[area%len(n.shards)].post(area, func(m member) { m.receive(peer, body) })
	}
	n.links.batch = func() {
		for _, s := range n.shards {
			s.kickIfPosted()
		}
	}
	var first [nodes]sync.Once
	n.links.state = func(peer int, up bool) {
		for _, s := range n.shards {
			for area := range s.members {
				s.post(area, func(m member) { m.linkChanged(peer, up) })
			}
		}
		first[peer].Do(func() { n.up <- peer })
	}
	return nil
}

func (n *node) openLedger() (*pgxpool.Pool, error) {
	if n.cfg.Arrangement != pairs {
		return nil, nil
	}
	ctx, cancel := context.WithTimeout(context.Background(), 10*time.Second)
	defer cancel()
	pool, err := pgxpool.New(ctx, n.cfg.Postgres)
	if err != nil {
		return nil, err
	}
	return pool, errors.Join(pool.Ping(ctx))
}

// newMember creates this node's member of an area, the object that agrees on batches with the area's members on the other nodes.
// The first leader of the area is the node with the number area % 3. The next node is the backup in a pair, and the first to take
// over in a Raft group. The parameter written is the area's part of the log file, nil if there is none.
func (n *node) newMember(s *shard, area int, written *areaLog, pool *pgxpool.Pool) (member, error) {
	first := area % nodes
	t := &n.cfg.Tuning
	step := func() *stepper {
		return newStepper(area, n.cfg.Index, n.cfg.Load.newState(area), n.out, func(next []byte) {
			s.post(area, func(m member) { m.setNext(next) })
			s.kick()
		})
	}
	if n.cfg.Arrangement == pairs {
		m := &pairMember{shard: s, ledger: ledger{pool}, area: area, self: n.cfg.Index, epoch: 1, limit: t.ticks(t.Silence)}
		switch n.cfg.Index {
		case first:
			m.role, m.peer, m.stepper = pairPrimary, (first+1)%nodes, step()
		case (first + 1) % nodes:
			m.role, m.peer, m.stepper = pairBackup, first, step()
		}
		return m, nil
	}
	m := &raftMember{shard: s, area: area}
	c := replica.Config{
		Self: uint64(n.cfg.Index + 1), HeartbeatTicks: t.ticks(t.Silence / 4), QuorumTicks: t.ticks(t.Quorum),
		SilenceTicks: t.ticks(t.Silence), StaggerTicks: t.ticks(t.Stagger), Seed: uint64(area),
	}
	for i := range nodes {
		c.Members = append(c.Members, uint64((first+i)%nodes+1))
	}
	if t.Witness {
		c.Witness = c.Members[nodes-1]
	}
	if c.Self != c.Witness {
		m.stepper = step()
	}
	if written != nil {
		c.State, c.Entries = written.state, written.entries
	}
	var err error
	m.replica, err = replica.New(c)
	return m, err
}

// kickIfPosted wakes the goroutine of the shard if calls that were queued with post are waiting.
func (s *shard) kickIfPosted() {
	s.mu.Lock()
	any := len(s.inbox) > 0
	s.mu.Unlock()
	if any {
		s.kick()
	}
}

func nodeMain() {
	if err := runNode(os.Stdin, os.Stdout); err != nil {
		fmt.Fprintln(os.Stderr, "node:", err)
		os.Exit(1)
	}
}
