//go:build linux

// Package process runs `truestep serve` as a child process of an end-to-end test: it starts the process and waits until it is
// ready, retains what the process prints, and ends it with SIGKILL or SIGTERM.
//
// A Server is started and ended by one goroutine at a time. Between Start and the end of the process, all other methods may be
// called by any goroutine.
package process

import (
	"bufio"
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"maps"
	"net/url"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"syscall"
	"time"

	"github.com/truestep-io/truestep/client/rs"
	proto "github.com/truestep-io/truestep/proto/rs"
)

const (
	startLimit = time.Minute      // maximum time until a server is ready
	stopLimit  = 15 * time.Second // maximum time until a server has saved all players and ended
	maxLine    = 1 << 20          // maximum length of a line that a server prints
	tailLines  = 20               // number of the last lines of the server's output that an error quotes
)

// Server is a server process. It can be started several times on one data folder, with the same addresses.
type Server struct {
	Name      string            // what errors call the server, such as "the server" or "node a"
	Bin       string            // path of the truestep binary
	DataDir   string            // path of the server's data folder
	LogFile   string            // file to which the server's output is appended; "" for none
	Addresses map[string]string // listen addresses, HOST:PORT or "off", by flag name without --; Start replaces port 0 by the actual port

	Console string           // base URL of the console. Start sets Console, Token and Key.
	Token   string           // access token of the console for this run
	Key     *proto.PublicKey // RSA key with which RuneScape clients encrypt their logins

	cmd   *exec.Cmd
	ended chan struct{} // closed when the process has ended
	err   error         // how the process ended, nil for exit status 0; valid after ended is closed

	mu    sync.Mutex
	lines []string // lines that the process has printed in this run
}

// Start starts `truestep serve` and waits until the server is ready. The parameter args holds further arguments for the command,
// after those that Start sets itself. If Start returns an error, the process is not running.
func (s *Server) Start(ctx context.Context, args ...string) error {
	ready, err := s.launch(args)
	if err != nil {
		return err
	}
	select {
	case <-ready:
	case <-s.ended:
		return fmt.Errorf("%s ended during its start: %w\n%s", s.Name, s.err, s.Tail(tailLines))
	case <-time.After(startLimit):
		s.Kill()
		return fmt.Errorf("%s is not ready after %v\n%s", s.Name, startLimit, s.Tail(tailLines))
	case <-ctx.Done():
		s.Kill()
		return ctx.Err()
	}
	text, err := os.ReadFile(filepath.Join(s.DataDir, "rs-public.txt"))
	if err == nil {
		s.Key, err = rs.ParsePublicKey(text)
	}
	if err != nil {
		s.Kill()
	}
	return err
}

// launch starts the process, and a goroutine that reads its output. The result ready is closed when the process has printed that
// it is ready.
func (s *Server) launch(args []string) (ready <-chan struct{}, err error) {
	all := []string{"serve", "--data-dir", s.DataDir, "--no-status", "--log-format", "json"}
	for _, flag := range slices.Sorted(maps.Keys(s.Addresses)) {
		all = append(all, "--"+flag, s.Addresses[flag])
	}
	s.cmd = exec.Command(s.Bin, append(all, args...)...)
	s.cmd.SysProcAttr = &syscall.SysProcAttr{Pdeathsig: syscall.SIGKILL}
	out, err := s.cmd.StdoutPipe()
	if err != nil {
		return nil, err
	}
	s.cmd.Stderr = s.cmd.Stdout
	log, err := os.OpenFile(cmp.Or(s.LogFile, os.DevNull), os.O_CREATE|os.O_APPEND|os.O_WRONLY, 0o600)
	if err != nil {
		return nil, err
	}
	if err := s.cmd.Start(); err != nil {
		return nil, errors.Join(err, log.Close())
	}
	started := make(chan struct{})
	s.ended = make(chan struct{})
	s.mu.Lock()
	s.lines = nil
	s.mu.Unlock()
	go func() {
		defer log.Close()
		s.read(out, log, started)
		s.err = s.cmd.Wait()
		close(s.ended)
	}()
	return started, nil
}

// read stores the output of the process until the process ends. It reads the server's addresses from the lines up to "ready:". At
// that line it closes the channel started.
func (s *Server) read(out io.Reader, log io.Writer, started chan<- struct{}) {
	in := bufio.NewScanner(out)
	in.Buffer(nil, maxLine)
	starting := true
	for in.Scan() {
		fmt.Fprintln(log, in.Text())
		s.mu.Lock()
		s.lines = append(s.lines, in.Text())
		s.mu.Unlock()
		if starting && s.readAddress(in.Text()) {
			starting = false
			close(started)
		}
	}
}

// readAddress reads one of the lines that the server prints at its start, and stores the address in it, if any. The result ready
// is true for the last of these lines, "ready:".
func (s *Server) readAddress(line string) (ready bool) {
	f := strings.Fields(line)
	if len(f) < 2 {
		return false
	}
	if _, ok := s.Addresses[f[0]]; ok {
		_, addr, ok := strings.Cut(f[1], "://")
		if !ok {
			addr = f[1]
		}
		s.Addresses[f[0]], _, _ = strings.Cut(addr, "/")
	}
	if f[0] == "console" {
		if u, err := url.Parse(f[1]); err == nil {
			s.Token = strings.TrimPrefix(u.Fragment, "token=")
			s.Console = u.Scheme + "://" + u.Host
		}
	}
	return f[0] == "ready:"
}

// Tail returns the last n lines that the process printed.
func (s *Server) Tail(n int) string {
	s.mu.Lock()
	defer s.mu.Unlock()
	return strings.Join(s.lines[max(0, len(s.lines)-n):], "\n")
}

// Running reports whether the process has been started and has not ended.
func (s *Server) Running() bool {
	if s.ended == nil {
		return false
	}
	select {
	case <-s.ended:
		return false
	default:
		return true
	}
}

// Err returns how the process ended: nil for exit status 0. It is valid only after the process has ended.
func (s *Server) Err() error { return s.err }

// PID returns the process id of the server.
func (s *Server) PID() int { return s.cmd.Process.Pid }

// Signal sends a signal to the process. It returns an error if the process has ended.
func (s *Server) Signal(sig syscall.Signal) error { return s.cmd.Process.Signal(sig) }

// Kill ends the process with SIGKILL and waits until it has ended. It does nothing if the process does not run.
func (s *Server) Kill() {
	if s.Running() {
		_ = s.Signal(syscall.SIGKILL) // returns an error if the process has ended meanwhile
		<-s.ended
	}
}

// Stop ends the process with SIGTERM, on which the server saves all players. It returns an error if the process had already
// ended, does not end within 15 s, or ends with a non-zero exit status.
func (s *Server) Stop() error {
	if !s.Running() {
		return fmt.Errorf("%s had ended before it was stopped: %w\n%s", s.Name, s.err, s.Tail(tailLines))
	}
	_ = s.Signal(syscall.SIGTERM)
	if err := s.Wait(); err != nil {
		return fmt.Errorf("stop %s: %w\n%s", s.Name, err, s.Tail(tailLines))
	}
	return nil
}

// Wait waits until the process has ended, and returns nil for exit status 0. After 15 s it kills the process and returns an
// error.
func (s *Server) Wait() error {
	select {
	case <-s.ended:
		return s.err
	case <-time.After(stopLimit):
		s.Kill()
		return fmt.Errorf("the server process did not end within %v and was killed", stopLimit)
	}
}
