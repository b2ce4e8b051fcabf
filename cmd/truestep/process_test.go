package main

import (
	"bufio"
	"errors"
	"io"
	"net/http"
	"os"
	"os/exec"
	"strings"
	"testing"
	"time"

	"github.com/truestep-io/truestep/internal/logbuf"
)

// process is a child process that runs the program.
type process struct {
	t     *testing.T
	cmd   *exec.Cmd
	out   io.Closer     // read end of the process's standard output
	lines chan string   // lines of standard output; closed at its end
	errs  logbuf.Buffer // standard error of the process so far
}

// launch starts the program. The test ends it if it has not ended by then.
func launch(t *testing.T, args ...string) *process {
	t.Helper()
	self, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	return launchCommand(t, exec.Command(self, args...))
}

// launchCommand starts the program by a command that runs this test binary. Variables in cmd.Env are added to those of the tests.
func launchCommand(t *testing.T, cmd *exec.Cmd) *process {
	t.Helper()
	p := &process{t: t, cmd: cmd, lines: make(chan string, 1000)}
	env := append(os.Environ(), actAsTruestep+"=1", "TRUESTEP_RCCE_PROJECT=", "TRUESTEP_CONSOLE=off", "TRUESTEP_WEB=off", // several processes cannot listen on the same default ports
		"GORACE=atexit_sleep_ms=0 "+os.Getenv("GORACE")) // otherwise the race detector delays the end of a process by a second
	p.cmd.Env = append(env, p.cmd.Env...)
	p.cmd.Dir = t.TempDir()
	p.cmd.Stderr = &p.errs
	out, err := p.cmd.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	p.out = out
	if err := p.cmd.Start(); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if p.cmd.ProcessState == nil {
			p.cmd.Process.Kill()
			p.cmd.Wait()
		}
	})
	go func() {
		defer close(p.lines)
		for s := bufio.NewScanner(out); s.Scan(); {
			p.lines <- s.Text()
		}
	}()
	return p
}

// patience is how long a test waits for something that should happen immediately. Only a failing test waits so long.
const patience = time.Minute

// stopsWithin is the maximum time in which a server must stop with every record saved. It is longer than server.StopTimeout, for
// machines that stand still for seconds: a server that needs longer than its limit reports unsaved records and exit status 1.
// Package swarm measures in virtual time how long a stop takes.
const stopsWithin = patience

// until reads lines until one begins with prefix, and returns all lines that it has read.
func (p *process) until(prefix string) []string {
	p.t.Helper()
	var lines []string
	timeout := time.After(patience)
	for {
		select {
		case line, ok := <-p.lines:
			if !ok {
				p.cmd.Wait()
				p.t.Fatalf("ended without %q: %q\n%s", prefix, lines, &p.errs)
			}
			lines = append(lines, line)
			if strings.HasPrefix(line, prefix) {
				return lines
			}
		case <-timeout:
			p.t.Fatalf("no %q: %q", prefix, lines)
		}
	}
}

// end waits until the process ends. It returns the exit status (-1 after a signal), the lines printed meanwhile, and the time waited.
func (p *process) end() (code int, rest []string, took time.Duration) {
	p.t.Helper()
	began := time.Now()
	for line := range p.lines {
		rest = append(rest, line)
	}
	var failed *exec.ExitError
	if err := p.cmd.Wait(); err != nil && !errors.As(err, &failed) {
		p.t.Fatal(err)
	}
	return p.cmd.ProcessState.ExitCode(), rest, time.Since(began)
}

func (p *process) signal(s os.Signal) {
	p.t.Helper()
	if err := p.cmd.Process.Signal(s); err != nil {
		p.t.Fatal(err)
	}
}

// field returns the word at index i of the first line whose first word is the parameter first.
func field(t *testing.T, lines []string, first string, i int) string {
	t.Helper()
	for _, line := range lines {
		if f := strings.Fields(line); len(f) > i && f[0] == first {
			return f[i]
		}
	}
	t.Fatalf("no row %q with %d words in %q", first, i+1, lines)
	return ""
}

// get requests a page of the server.
func get(t *testing.T, url string) (header http.Header, body string) {
	t.Helper()
	r, err := http.Get(url)
	if err != nil {
		t.Fatal(err)
	}
	defer r.Body.Close()
	b, err := io.ReadAll(r.Body)
	if err != nil || r.StatusCode != http.StatusOK {
		t.Fatalf("%s: %s, %v", url, r.Status, err)
	}
	return r.Header, string(b)
}
