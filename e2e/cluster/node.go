//go:build linux

package main

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"net"
	"net/url"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"sync"
	"sync/atomic"
	"syscall"
	"time"

	"github.com/truestep-io/truestep/client/rs"
	proto "github.com/truestep-io/truestep/proto/rs"
)

const (
	nodeCount  = 3
	startLimit = time.Minute      // maximum time until a node is ready
	stopLimit  = 15 * time.Second // maximum time in which a node stops
)

// doors are the names of the doors, in the order of node.addresses.
var doors = [...]string{"rcce", "rs", "bedrock", "web"}

// node is one process of `truestep serve --cluster`. It is started several times on one data folder, with the same addresses.
type node struct {
	cluster   *cluster
	number    int // from 0
	name      string
	listen    string    // address at which it accepts the other nodes
	addresses [4]string // of the doors; port 0 before the first start
	console   string    // base URL
	token     string    // of the console, for this run
	key       *proto.PublicKey

	alive atomic.Bool // it runs, is not stopped by a signal, and reaches the others

	cmd   *exec.Cmd
	ended chan struct{} // closed when the process has ended
	err   error         // result of the process, valid after ended is closed
	live  atomic.Pointer[liveMap]

	mu    sync.Mutex
	lines []string // lines that the process has printed
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
		n := &node{cluster: c, number: i, name: string(rune('a' + i))}
		for d := range n.addresses {
			n.addresses[d] = "127.0.0.1:0"
		}
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

func (n *node) dataDir() string { return filepath.Join(n.cluster.folder, n.name) }

// start starts the process and waits until it is ready.
func (n *node) start(ctx context.Context) error {
	c := n.cluster
	args := []string{"serve", "--data-dir", n.dataDir(), "--world", filepath.Join(c.folder, "world.toml"), "--store", c.store,
		"--cluster", n.list(), "--node", n.name, "--cluster-keys", filepath.Join(c.folder, "keys", n.name), "--cluster-listen", n.listen,
		"--no-status", "--log-format", "json", "--console", "127.0.0.1:0", "--metrics", "off"}
	for i, door := range doors {
		args = append(args, "--"+door, n.addresses[i])
	}
	n.cmd = exec.Command(c.bin, args...)
	n.cmd.SysProcAttr = &syscall.SysProcAttr{Pdeathsig: syscall.SIGKILL}
	out, err := n.cmd.StdoutPipe()
	if err != nil {
		return err
	}
	n.cmd.Stderr = n.cmd.Stdout
	log, err := os.OpenFile(filepath.Join(c.folder, n.name+".log"), os.O_CREATE|os.O_APPEND|os.O_WRONLY, 0o600)
	if err != nil {
		return err
	}
	if err := n.cmd.Start(); err != nil {
		return errors.Join(err, log.Close())
	}
	ready, ended := make(chan struct{}), make(chan struct{})
	n.ended, n.lines = ended, nil
	go func() {
		defer log.Close()
		in := bufio.NewScanner(out)
		in.Buffer(nil, 1<<20)
		for in.Scan() {
			fmt.Fprintln(log, in.Text())
			if n.readLine(in.Text()) {
				close(ready)
			}
		}
		n.err = n.cmd.Wait()
		close(ended)
	}()
	select {
	case <-ready:
	case <-ended:
		return fmt.Errorf("node %s ended during its start: %w\n%s", n.name, n.err, n.tail())
	case <-time.After(startLimit):
		n.kill()
		return fmt.Errorf("node %s is not ready after %v\n%s", n.name, startLimit, n.tail())
	case <-ctx.Done():
		n.kill()
		return ctx.Err()
	}
	text, err := os.ReadFile(filepath.Join(n.dataDir(), "rs-public.txt"))
	if err == nil {
		n.key, err = rs.ParsePublicKey(text)
	}
	n.alive.Store(err == nil)
	return err
}

// readLine stores a line that the process has printed, and the address in the line. ready is set if the line is the last one of
// the start.
func (n *node) readLine(line string) (ready bool) {
	n.mu.Lock()
	n.lines = append(n.lines, line)
	n.mu.Unlock()
	f := strings.Fields(line)
	if len(f) < 2 {
		return false
	}
	for i, door := range doors {
		if f[0] == door {
			_, addr, ok := strings.Cut(f[1], "://")
			if !ok {
				addr = f[1]
			}
			n.addresses[i], _, _ = strings.Cut(addr, "/")
		}
	}
	if f[0] == "console" {
		if u, err := url.Parse(f[1]); err == nil {
			n.token = strings.TrimPrefix(u.Fragment, "token=")
			n.console = u.Scheme + "://" + u.Host
		}
	}
	return f[0] == "ready:"
}

// tail returns the last lines that the process printed.
func (n *node) tail() string {
	n.mu.Lock()
	defer n.mu.Unlock()
	return strings.Join(n.lines[max(0, len(n.lines)-20):], "\n")
}

// running reports whether the process has not ended.
func (n *node) running() bool {
	if n.ended == nil {
		return false
	}
	select {
	case <-n.ended:
		return false
	default:
		return true
	}
}

// kill ends the process with SIGKILL.
func (n *node) kill() {
	n.alive.Store(false)
	if n.running() {
		_ = n.cmd.Process.Kill()
		<-n.ended
	}
}

// signal sends a signal to the process.
func (n *node) signal(s syscall.Signal) error { return n.cmd.Process.Signal(s) }

// stop ends the process with SIGTERM, on which it hands over its areas and saves its players.
func (n *node) stop() error {
	n.alive.Store(false)
	if !n.running() {
		return fmt.Errorf("node %s had ended: %w\n%s", n.name, n.err, n.tail())
	}
	_ = n.signal(syscall.SIGTERM)
	select {
	case <-n.ended:
	case <-time.After(stopLimit):
		n.kill()
		return fmt.Errorf("node %s does not stop\n%s", n.name, n.tail())
	}
	if n.err != nil {
		return fmt.Errorf("node %s: %w\n%s", n.name, n.err, n.tail())
	}
	return nil
}
