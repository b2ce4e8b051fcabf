//go:build linux

package main

import (
	"cmp"
	"context"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"sync/atomic"
	"time"

	"github.com/truestep-io/truestep/client/rs"
	"github.com/truestep-io/truestep/e2e/process"
	"github.com/truestep-io/truestep/e2e/truth"
	proto "github.com/truestep-io/truestep/proto/rs"
	"github.com/truestep-io/truestep/sim"
)

const nodeCount = 3

// node is one process of `truestep serve --cluster`. It is started several times on one data folder, with the same addresses.
type node struct {
	process.Server
	cluster *cluster
	number  int // number of the node, from 0
	name    string
	world   string // path of the world file; "" for that of the cluster
	listen  string // address at which the node accepts connections of the other nodes

	alive atomic.Bool               // the process runs, is not stopped by a signal, and is connected to the other nodes
	live  atomic.Pointer[truth.Map] // the node's live maps in its present or last run
}

// cluster holds the three nodes, their database, and the TCP relays through which the nodes connect to each other. The test
// breaks a network link by means of its relay.
type cluster struct {
	bin, folder string // path of the truestep binary, and of the test's folder
	store       string // URL of the database
	areas       int    // number of areas of the world
	nodes       [nodeCount]*node
	relays      [nodeCount][nodeCount]*relay // relays[i][j], i < j, carries the connection that node i opens to node j
	rsKey       *proto.PublicKey             // RSA key with which all RuneScape clients are patched, for whichever node they use
}

// newCluster creates the nodes' keys, listen addresses and relays. It does not start the nodes.
func newCluster(bin, folder, store string, areas int) (*cluster, error) {
	c := &cluster{bin: bin, folder: folder, store: store, areas: areas}
	names := make([]string, nodeCount)
	for i := range c.nodes {
		n := newNode(c, i)
		var err error
		for flag := range n.Addresses {
			if n.Addresses[flag], err = process.StableAddr(); err != nil {
				return nil, err
			}
		}
		if n.listen, err = process.StableAddr(); err != nil {
			return nil, err
		}
		c.nodes[i], names[i] = n, n.name
	}
	for i := range c.nodes {
		for j := i + 1; j < nodeCount; j++ {
			r, err := newRelay(c.nodes[j].listen)
			if err != nil {
				return nil, err
			}
			c.relays[i][j] = r
		}
	}
	out, err := exec.Command(bin, "cluster", "keys", filepath.Join(folder, "keys"), "--cluster", "truestep", "--nodes", strings.Join(names, ",")).CombinedOutput()
	if err != nil {
		return nil, fmt.Errorf("create keys with truestep cluster keys: %w\n%s", err, out)
	}
	public, err := os.ReadFile(filepath.Join(folder, "keys", "rs-public.txt"))
	if err == nil {
		c.rsKey, err = rs.ParsePublicKey(public)
	}
	return c, err
}

func newNode(c *cluster, number int) *node {
	name := string(rune('a' + number))
	return &node{cluster: c, number: number, name: name, Server: process.Server{
		Name: "node " + name, Bin: c.bin, DataDir: filepath.Join(c.folder, name), LogFile: filepath.Join(c.folder, name+".log"),
		Addresses: map[string]string{"rcce": "127.0.0.1:0", "rs": "127.0.0.1:0", "bedrock": "127.0.0.1:0", "web": "127.0.0.1:0", "metrics": "127.0.0.1:0"},
	}}
}

// list returns the value of the flag --cluster with which node n is started: NAME=ADDR of all nodes. If n dials the other node,
// ADDR is the address of the relay between the two.
func (n *node) list() string {
	var list []string
	for i, other := range n.cluster.nodes {
		addr := other.listen
		if r := n.cluster.relays[min(n.number, i)][max(n.number, i)]; i > n.number && r != nil {
			addr = r.addr()
		}
		list = append(list, other.name+"="+addr)
	}
	return strings.Join(list, ",")
}

// links returns the relays between a node and the others.
func (n *node) links() (list []*relay) {
	for i := range n.cluster.nodes {
		if r := n.cluster.relays[min(n.number, i)][max(n.number, i)]; r != nil {
			list = append(list, r)
		}
	}
	return list
}

// hold lets nothing pass on the links between a node and the others, but leaves their connections open. If sent is set, what the node sends
// does not arrive; if received is set, nothing arrives at it.
func (n *node) hold(sent, received bool) {
	for i := range n.cluster.nodes {
		r := n.cluster.relays[min(n.number, i)][max(n.number, i)]
		if r == nil {
			continue
		}
		from, to := forth, back // directions if this node dials the other one
		if n.number > i {
			from, to = back, forth
		}
		if sent {
			r.hold(from)
		}
		if received {
			r.hold(to)
		}
	}
}

// mendLinks repairs the links between a node and the others.
func (n *node) mendLinks() {
	for _, r := range n.links() {
		r.mend()
	}
}

// start starts the process, with further arguments, and waits until it is ready.
func (n *node) start(ctx context.Context, args ...string) error {
	c := n.cluster
	err := n.Start(ctx, append(args, "--world", cmp.Or(n.world, filepath.Join(c.folder, "world.toml")), "--store", c.store,
		"--cluster", n.list(), "--node", n.name, "--cluster-keys", filepath.Join(c.folder, "keys", n.name), "--cluster-listen", n.listen,
		"--console", "127.0.0.1:0", "--suspect-after", suspectAfter.String())...)
	n.alive.Store(err == nil)
	return err
}

// kill ends the process with SIGKILL, and records that the node is not alive any more, which process.Server.Kill does not do.
func (n *node) kill() {
	n.alive.Store(false)
	n.Kill()
}

// stop ends the process with SIGTERM, on which the node hands over its areas and saves its players. It records that the node is
// not alive any more.
func (n *node) stop() error {
	n.alive.Store(false)
	return n.Stop()
}

// watch subscribes to the live maps of a node that has been started, and closes those of its previous run.
func (n *node) watch(ctx context.Context) {
	const rate = 10 // frames in a second
	// The end of a live map is not reported here: awaitFrames and the comparisons fail when a live map has ended.
	n.live.Swap(truth.Watch(ctx, &n.Server, n.cluster.areas, rate)).Close()
}

// awaitFrames waits until the live maps of a node have shown two frames of every area. It returns an error after the limit.
func (n *node) awaitFrames(ctx context.Context, limit time.Duration) error {
	var first []sim.Tick
	for end := time.Now().Add(limit); ; wait(ctx, polls) {
		if ticks, ok := n.live.Load().Ticks(); ok && first != nil {
			moved := 0
			for i := range ticks {
				if ticks[i] > first[i] {
					moved++
				}
			}
			if moved == n.cluster.areas {
				return nil
			}
		} else if ok {
			first = ticks
		}
		if time.Now().After(end) || ctx.Err() != nil {
			return fmt.Errorf("the console of node %s has not sent new frames of all areas within %v", n.name, limit)
		}
	}
}
