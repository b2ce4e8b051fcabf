//go:build linux

package main

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"net/url"
	"os"
	"os/exec"
	"path/filepath"
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
)

// server is `truestep serve` as a child process. It is started several times on one data folder, with the same ports.
type server struct {
	bin, folder string
	addresses   [3]string // addresses of the doors, in the order of doors; port 0 before the first start
	console     string    // base URL of the console
	token       string    // access token of the console for this run
	key         *proto.PublicKey

	cmd   *exec.Cmd
	ended chan struct{} // closed when the process has ended
	err   error         // result of the process, valid after ended is closed

	mu    sync.Mutex
	lines []string // lines that the process has printed
}

// doors are the names of the doors, in the order of options.clients.
var doors = [3]string{"rcce", "rs", "bedrock"}

func newServer(bin, folder string) *server {
	s := &server{bin: bin, folder: folder}
	for i := range s.addresses {
		s.addresses[i] = "127.0.0.1:0"
	}
	return s
}

// start starts the process and waits until it is ready. It returns how long that took.
func (s *server) start(ctx context.Context) (took time.Duration, err error) {
	args := []string{"serve", "--data-dir", filepath.Join(s.folder, "data"), "--world", filepath.Join(s.folder, "world.toml"),
		"--no-status", "--log-format", "json", "--console", "127.0.0.1:0", "--metrics", "off", "--web", "off"}
	for i, door := range doors {
		args = append(args, "--"+door, s.addresses[i])
	}
	s.cmd = exec.Command(s.bin, args...)
	s.cmd.SysProcAttr = &syscall.SysProcAttr{Pdeathsig: syscall.SIGKILL}
	out, err := s.cmd.StdoutPipe()
	if err != nil {
		return 0, err
	}
	s.cmd.Stderr = s.cmd.Stdout
	log, err := os.OpenFile(filepath.Join(s.folder, "server.log"), os.O_CREATE|os.O_APPEND|os.O_WRONLY, 0o600)
	if err != nil {
		return 0, err
	}
	began := time.Now()
	if err := s.cmd.Start(); err != nil {
		return 0, errors.Join(err, log.Close())
	}
	ready, ended := make(chan struct{}), make(chan struct{})
	s.ended, s.lines = ended, nil
	go func() {
		defer log.Close()
		for in := bufio.NewScanner(out); in.Scan(); {
			fmt.Fprintln(log, in.Text())
			if s.readLine(in.Text()) {
				close(ready)
			}
		}
		s.err = s.cmd.Wait()
		close(ended)
	}()
	select {
	case <-ready:
	case <-ended:
		return 0, fmt.Errorf("the server ended during its start: %w\n%s", s.err, s.tail())
	case <-time.After(startLimit):
		s.kill()
		return 0, fmt.Errorf("the server is not ready after %v\n%s", startLimit, s.tail())
	case <-ctx.Done():
		s.kill()
		return 0, ctx.Err()
	}
	took = time.Since(began)
	text, err := os.ReadFile(filepath.Join(s.folder, "data", "rs-public.txt"))
	if err == nil {
		s.key, err = rs.ParsePublicKey(text)
	}
	return took, err
}

// readLine stores a line that the process has printed, and the address in the line. ready is set if the line is the last one of
// the start.
func (s *server) readLine(line string) (ready bool) {
	s.mu.Lock()
	s.lines = append(s.lines, line)
	s.mu.Unlock()
	f := strings.Fields(line)
	if len(f) < 2 {
		return false
	}
	for i, door := range doors {
		if f[0] == door {
			s.addresses[i], _, _ = strings.Cut(f[1], "/")
		}
	}
	if f[0] == "console" {
		if u, err := url.Parse(f[1]); err == nil {
			s.token = strings.TrimPrefix(u.Fragment, "token=")
			s.console = u.Scheme + "://" + u.Host
		}
	}
	return f[0] == "ready:"
}

// tail returns the last lines that the process printed.
func (s *server) tail() string {
	s.mu.Lock()
	defer s.mu.Unlock()
	return strings.Join(s.lines[max(0, len(s.lines)-20):], "\n")
}

// running reports whether the process is alive.
func (s *server) running() bool {
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

// kill ends the process with SIGKILL.
func (s *server) kill() {
	_ = s.cmd.Process.Kill() // returns an error if the process has already ended
	<-s.ended
}

// stop ends the process with SIGTERM, on which it saves all players.
func (s *server) stop() error {
	if !s.running() {
		return fmt.Errorf("the server had ended: %w\n%s", s.err, s.tail())
	}
	_ = s.cmd.Process.Signal(syscall.SIGTERM)
	select {
	case <-s.ended:
	case <-time.After(stopLimit):
		s.kill()
		return errors.New("the server does not stop\n" + s.tail())
	}
	if s.err != nil {
		return fmt.Errorf("%w\n%s", s.err, s.tail())
	}
	return nil
}
