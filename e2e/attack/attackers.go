//go:build linux

package main

import (
	"bufio"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"math"
	"os"
	"os/exec"
	"slices"
	"strconv"
	"strings"
	"sync"
	"sync/atomic"
	"syscall"
	"time"
)

// Attackers run in a separate process with a lower priority, so that the players' clients do not wait for a CPU that attackers use.
// The clients of some attacks (attack.crowd) first join; they begin to attack when the parent process writes "begin" to the child's
// standard input. The parent ends all attacks by closing the child's standard input. The child writes lines:
//
//	started NAME      the attack is under way, or its clients have joined
//	failed NAME TEXT  the attack could not be carried out
//	count NAME N      number of logins, connections, datagrams or players of the attack, written at its end

// targetsVariable is the environment variable in which the child receives the targets as JSON.
const targetsVariable = "TRUESTEP_ATTACK_TARGETS"

// assault is one run of an attack at one strength, in the process of the attackers.
type assault struct {
	targets
	strength float64         // factor by which the attack's counts and rates are multiplied
	started  chan struct{}   // closed by attack.run when the attack is under way, or its clients have joined
	begin    <-chan struct{} // closed when clients that have joined must begin the attack

	done  sync.WaitGroup
	count atomic.Int64 // number of logins, connections or datagrams of the attack
}

// scaled converts a count or a rate, which is given for strength 1, to the strength of this run. The result is at least 1.
func (a *assault) scaled(n int) int { return max(1, int(math.Round(float64(n)*a.strength))) }

// runAttackers is the main function of the attackers' process. It runs the attacks with the given names until the parent closes
// the standard input.
func runAttackers(names []string, strength float64) error {
	var t targets
	if err := json.Unmarshal([]byte(os.Getenv(targetsVariable)), &t); err != nil {
		return fmt.Errorf("parse the environment variable %s: %w", targetsVariable, err)
	}
	if err := t.parseKey(); err != nil {
		return err
	}
	ctx, cancel := context.WithCancel(context.Background())
	defer cancel()
	begin := make(chan struct{})
	go func() {
		in := bufio.NewScanner(os.Stdin)
		if in.Scan() {
			close(begin)
		}
		for in.Scan() {
		}
		cancel()
	}()
	var print sync.Mutex
	say := func(format string, args ...any) {
		print.Lock()
		defer print.Unlock()
		fmt.Printf(format+"\n", args...)
	}
	var all sync.WaitGroup
	for _, a := range attacks {
		if !slices.Contains(names, a.name) {
			continue
		}
		as := &assault{targets: t, strength: strength, started: make(chan struct{}), begin: begin}
		var running sync.WaitGroup
		running.Go(func() {
			if err := a.run(ctx, as); err != nil && ctx.Err() == nil {
				say("failed %s %s", a.name, strings.ReplaceAll(err.Error(), "\n", "; "))
			}
			as.done.Wait()
		})
		all.Go(func() {
			select {
			case <-as.started:
				say("started %s", a.name)
			case <-ctx.Done():
			}
			<-ctx.Done()
			waitAtMost(&running, 5*time.Second)
			say("count %s %d", a.name, as.count.Load())
		})
	}
	<-ctx.Done()
	waitAtMost(&all, 10*time.Second)
	return nil
}

func waitAtMost(w *sync.WaitGroup, d time.Duration) {
	ended := make(chan struct{})
	go func() {
		w.Wait()
		close(ended)
	}()
	select {
	case <-ended:
	case <-time.After(d):
	}
}

// attackers is the parent's handle of the attackers' process.
type attackers struct {
	cmd     *exec.Cmd
	in      io.WriteCloser
	started chan struct{} // closed when every attack has started or failed, or the process has ended
	ended   chan struct{}

	mu     sync.Mutex
	errs   map[string]string // why attacks could not be carried out, by name of the attack
	counts map[string]int    // numbers of logins, connections, datagrams or players, by name of the attack
}

func startAttackers(t *targets, list []attack, strength float64) (*attackers, error) {
	self, err := os.Executable()
	if err != nil {
		return nil, err
	}
	where, err := json.Marshal(t)
	if err != nil {
		return nil, err
	}
	var names []string
	for _, a := range list {
		names = append(names, a.name)
	}
	p := &attackers{started: make(chan struct{}), ended: make(chan struct{}), errs: map[string]string{}, counts: map[string]int{}}
	p.cmd = exec.Command("nice", "-n", "10", self, "--attackers", strings.Join(names, ","), "--strength", strconv.FormatFloat(strength, 'g', -1, 64),
		"--first-octet", strconv.Itoa(firstOctet))
	p.cmd.Env = append(os.Environ(), targetsVariable+"="+string(where))
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
	pending := map[string]bool{}
	for _, name := range names {
		pending[name] = true
	}
	go p.read(out, pending)
	return p, nil
}

// read reads the output of the attackers' process until the process ends. The parameter pending contains the attacks that have
// not started yet.
func (p *attackers) read(out io.Reader, pending map[string]bool) {
	defer close(p.ended)
	start := sync.OnceFunc(func() { close(p.started) })
	defer start()
	for in := bufio.NewScanner(out); in.Scan(); {
		f := strings.SplitN(in.Text(), " ", 3)
		switch f[0] {
		case "started":
			delete(pending, f[1])
		case "failed":
			delete(pending, f[1])
			p.mu.Lock()
			p.errs[f[1]] = f[2]
			p.mu.Unlock()
		case "count":
			n, _ := strconv.Atoi(f[2])
			p.mu.Lock()
			p.counts[f[1]] = n
			p.mu.Unlock()
		}
		if len(pending) == 0 {
			start()
		}
	}
}

// attack makes the attackers' process begin those attacks whose clients had to join first.
func (p *attackers) attack() { _, _ = io.WriteString(p.in, "begin\n") }

// stop ends all attacks and returns the CPU time that the process of the attackers has used.
func (p *attackers) stop() time.Duration {
	p.in.Close()
	select {
	case <-p.ended:
	case <-time.After(20 * time.Second):
		_ = p.cmd.Process.Kill()
		<-p.ended
	}
	_ = p.cmd.Wait()
	if p.cmd.ProcessState == nil {
		return 0
	}
	return p.cmd.ProcessState.UserTime() + p.cmd.ProcessState.SystemTime()
}
