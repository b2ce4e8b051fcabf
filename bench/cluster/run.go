//go:build linux

package main

import (
	"bufio"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"math/rand/v2"
	"os"
	"os/exec"
	"strconv"
	"strings"
	"syscall"
	"time"
)

// fault is the fault that a run injects into the nodes, such as a kill.
type fault string

const (
	noFault   fault = "none"
	killOne   fault = "kill"          // SIGKILL of a node
	stopOne   fault = "stop"          // SIGSTOP of a node, SIGCONT after stopFor
	killAll   fault = "all"           // SIGKILL of all nodes, which are started again
	warmUp          = 3 * time.Second // time before measuring begins
	stopFor         = 3 * time.Second
	afterward       = 3 * time.Second // time for which frames are observed after a fault
)

// measurement describes one kind of run: its arrangement, load and fault.
type measurement struct {
	Arrangement arrangement // how the nodes agree on batches
	Load        load        // number of areas and content of their batches
	Fault       fault       // fault that is injected into the nodes
	Busy        int         // number of other processes that keep a core busy each
	Nice        int         // niceness (scheduling priority) of the nodes' processes
}

// process is a child process that runs a node, as the measuring program sees it.
type process struct {
	cmd  *exec.Cmd
	in   io.WriteCloser // standard input of the node
	addr string         // address at which the node accepts connections of the other nodes
}

func startNode(ctx context.Context, c nodeConfig, nice int) (*process, error) {
	self, err := os.Executable()
	if err != nil {
		return nil, err
	}
	p := &process{cmd: exec.CommandContext(ctx, "nice", "-n", strconv.Itoa(nice), self, "node")}
	p.cmd.Stderr = os.Stderr
	p.cmd.SysProcAttr = &syscall.SysProcAttr{Pdeathsig: syscall.SIGKILL}
	if p.in, err = p.cmd.StdinPipe(); err != nil {
		return nil, err
	}
	out, err := p.cmd.StdoutPipe()
	if err != nil {
		return nil, err
	}
	if err := p.cmd.Start(); err != nil {
		return nil, err
	}
	if err := json.NewEncoder(p.in).Encode(c); err != nil {
		return nil, err
	}
	line, err := bufio.NewReader(out).ReadString('\n')
	p.addr = strings.TrimSpace(line)
	return p, err
}

func (p *process) stop() {
	_ = p.cmd.Process.Kill()
	_ = p.cmd.Wait() // the error says that a signal ended the process
}

// startNodes starts the nodes of a run and sends each of them the addresses of all.
func startNodes(ctx context.Context, c nodeConfig, nice int) (list []*process, err error) {
	var addrs []string
	for i := range nodes {
		c.Index = i
		p, err := startNode(ctx, c, nice)
		if err != nil {
			return list, fmt.Errorf("start node %d: %w", i, err)
		}
		list = append(list, p)
		addrs = append(addrs, p.addr)
	}
	for _, p := range list {
		if err := json.NewEncoder(p.in).Encode(addrs); err != nil {
			return list, err
		}
	}
	return list, nil
}

// runOnce starts the nodes, injects the fault, and adds the measurements of this run to r.
func (b *bench) runOnce(ctx context.Context, m measurement, r *result) (err error) {
	folder, err := os.MkdirTemp(b.folder, "run-")
	if err != nil {
		return err
	}
	defer os.RemoveAll(folder)
	c := nodeConfig{Arrangement: m.Arrangement, Load: m.Load, Tuning: b.tuning, Folder: folder}
	if m.Arrangement == pairs {
		c.Postgres = b.postgres.url
		if err := b.postgres.reset(ctx, m.Load.Areas); err != nil {
			return err
		}
	}
	w, err := newWatcher()
	if err != nil {
		return err
	}
	c.Observer = w.ln.Addr().String()
	list, err := startNodes(ctx, c, m.Nice)
	defer func() {
		for _, p := range list {
			p.stop()
		}
	}()
	if err != nil {
		return err
	}
	if err := w.waitForAll(ctx, m.Load.Areas); err != nil {
		return err
	}
	if err := sleep(ctx, warmUp+time.Duration(rand.Int64N(int64(tickPeriod)))); err != nil {
		return err
	}
	leaders, _ := w.leaders(m.Load.Areas)
	victim := leaders[0]
	from, cpu := now(), cpuOfAll(list)
	switch m.Fault {
	case noFault:
		err = sleep(ctx, b.duration)
		r.addCPU(cpuOfAll(list)-cpu, time.Duration(now()-from))
	case killOne:
		err = list[victim].cmd.Process.Kill()
	case stopOne:
		err = list[victim].cmd.Process.Signal(syscall.SIGSTOP)
	case killAll:
		for _, p := range list {
			p.stop()
		}
		list, err = startNodes(ctx, c, m.Nice)
	}
	if err != nil {
		return err
	}
	if m.Fault != noFault {
		err = sleep(ctx, afterward)
	}
	if m.Fault == stopOne && err == nil {
		if err = list[victim].cmd.Process.Signal(syscall.SIGCONT); err == nil {
			err = sleep(ctx, 2*time.Second)
		}
	}
	r.load = append(r.load, loadAverage())
	r.add(m, w.take(m.Load.Areas), from, victim)
	return err
}

func cpuOfAll(list []*process) (sum time.Duration) {
	for _, p := range list {
		sum += cpuOf(p.cmd.Process.Pid)
	}
	return sum
}

// waitForAll waits until every area has released a frame.
func (w *watcher) waitForAll(ctx context.Context, areas int) error {
	for began := time.Now(); time.Since(began) < 30*time.Second; {
		if _, ok := w.leaders(areas); ok {
			return nil
		}
		if err := sleep(ctx, 50*time.Millisecond); err != nil {
			return err
		}
	}
	return fmt.Errorf("some areas have no leader 30 s after the start of the nodes")
}

func sleep(ctx context.Context, d time.Duration) error {
	select {
	case <-ctx.Done():
		return ctx.Err()
	case <-time.After(d):
		return nil
	}
}

// startBusy starts n processes that keep one core busy each, to simulate other work on the machine.
func startBusy(ctx context.Context, n int) (stop func(), err error) {
	self, err := os.Executable()
	if err != nil {
		return nil, err
	}
	var list []*exec.Cmd
	stop = func() {
		for _, c := range list {
			_ = c.Process.Kill()
			_ = c.Wait()
		}
	}
	for range n {
		c := exec.CommandContext(ctx, self, "busy")
		c.SysProcAttr = &syscall.SysProcAttr{Pdeathsig: syscall.SIGKILL}
		if err := c.Start(); err != nil {
			stop()
			return nil, err
		}
		list = append(list, c)
	}
	return stop, nil
}

func busyMain() {
	for x := uint64(1); x != 0; x = x*6364136223846793005 | 1 { // never ends
	}
}
