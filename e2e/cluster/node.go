//go:build linux

package main

import (
	"context"
	"fmt"
	"net"
	"os/exec"
	"path/filepath"
	"strings"
	"sync/atomic"
	"time"

	"github.com/truestep-io/truestep/e2e/process"
	"github.com/truestep-io/truestep/e2e/truth"
	"github.com/truestep-io/truestep/sim"
)

const nodeCount = 3

// node is one process of `truestep serve --cluster`. It is started several times on one data folder, with the same addresses.
type node struct {
	process.Server
	cluster *cluster
	number  int // from 0
	name    string
	listen  string // address at which it accepts the other nodes

	alive atomic.Bool // it runs, is not stopped by a signal, and reaches the others
	live  atomic.Pointer[truth.Map]
}

// cluster are the three nodes and what connects them.
type cluster struct {
	bin, folder string
	store       string // URL of the database
	nodes       [nodeCount]*node
	relays      [nodeCount][nodeCount]*relay // by the numbers of the nodes, the smaller one first: that node dials the other
}

// newCluster makes keys, addresses and relays.
func newCluster(bin, folder, store string) (*cluster, error) {
	c := &cluster{bin: bin, folder: folder, store: store}
	names := make([]string, nodeCount)
	for i := range c.nodes {
		n := newNode(c, i)
		l, err := net.Listen("tcp", "127.0.0.1:0")
		if err != nil {
			return nil, err
		}
		n.listen = l.Addr().String()
		if err := l.Close(); err != nil {
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
		return nil, fmt.Errorf("cluster keys: %w\n%s", err, out)
	}
	return c, nil
}

func newNode(c *cluster, number int) *node {
	name := string(rune('a' + number))
	return &node{cluster: c, number: number, name: name, Server: process.Server{
		Name: "node " + name, Bin: c.bin, DataDir: filepath.Join(c.folder, name), LogFile: filepath.Join(c.folder, name+".log"),
		Addresses: map[string]string{"rcce": "127.0.0.1:0", "rs": "127.0.0.1:0", "bedrock": "127.0.0.1:0", "web": "127.0.0.1:0"},
	}}
}

// list returns the argument of --cluster for a node, in which the others have the addresses of relays.
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

// start starts the process and waits until it is ready.
func (n *node) start(ctx context.Context) error {
	c := n.cluster
	err := n.Start(ctx, "--world", filepath.Join(c.folder, "world.toml"), "--store", c.store,
		"--cluster", n.list(), "--node", n.name, "--cluster-keys", filepath.Join(c.folder, "keys", n.name), "--cluster-listen", n.listen,
		"--console", "127.0.0.1:0", "--metrics", "off")
	n.alive.Store(err == nil)
	return err
}

// kill ends the process with SIGKILL. Unlike Kill and Stop of process.Server, kill and stop say that the node is not alive any more.
func (n *node) kill() {
	n.alive.Store(false)
	n.Kill()
}

// stop ends the process with SIGTERM, on which it hands over its areas and saves its players.
func (n *node) stop() error {
	n.alive.Store(false)
	return n.Stop()
}

// watch starts to follow the live maps of a node, instead of those of its last run.
func (n *node) watch(ctx context.Context) {
	const rate = 10 // frames in a second
	// A map that ends is found by awaitFrames and by the comparisons.
	n.live.Swap(truth.Watch(ctx, &n.Server, areaCount, rate)).Close()
}

// awaitFrames waits until the live maps of a node show every area, and two frames of it.
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
			if moved == areaCount {
				return nil
			}
		} else if ok {
			first = ticks
		}
		if time.Now().After(end) || ctx.Err() != nil {
			return fmt.Errorf("node %s does not show new frames of all areas within %v", n.name, limit)
		}
	}
}
