//go:build linux

package main

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"net"
	"net/http"
	"net/url"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"sync"
	"syscall"
	"time"

	"github.com/truestep-io/truestep/client/rs"
	proto "github.com/truestep-io/truestep/proto/rs"
)

// Addresses of the server. The console and the metrics have their own, since operators reach them from elsewhere, too.
const (
	rcceAddr    = serverAddr + ":25000"
	rsAddr      = serverAddr + ":43594"
	bedrockAddr = serverAddr + ":19132"
	consoleAddr = serverAddr + ":8080"
)

// testServer is `truestep serve` as a child process with a new data folder.
type testServer struct {
	cmd     *exec.Cmd
	dir     string
	key     *proto.PublicKey // RSA key of the RuneScape door
	console string           // origin of the console, such as http://HOST:PORT
	token   string           // access token of the console's first operator
	ended   chan error

	mu    sync.Mutex
	lines []string // lines that the server has printed
}

func startServer(ctx context.Context, bin string) (s *testServer, err error) {
	s = &testServer{ended: make(chan error, 1)}
	if s.dir, err = os.MkdirTemp("", "e2e-attack-"); err != nil {
		return nil, err
	}
	s.cmd = exec.Command(bin, "serve", "--data-dir", s.dir, "--no-status", "--log-format", "json", "--rcce", rcceAddr, "--rs", rsAddr,
		"--bedrock", bedrockAddr, "--console", consoleAddr, "--console-insecure", "--metrics", "127.0.0.1:9180",
		"--accounts-per-addr", "10000") // every join beside an attack has a new account
	s.cmd.SysProcAttr = &syscall.SysProcAttr{Pdeathsig: syscall.SIGKILL}
	out, err := s.cmd.StdoutPipe()
	if err != nil {
		return nil, err
	}
	s.cmd.Stderr = s.cmd.Stdout
	if err := s.cmd.Start(); err != nil {
		return nil, err
	}
	ready := make(chan struct{})
	go func() {
		for in := bufio.NewScanner(out); in.Scan(); {
			line := in.Text()
			if _, link, ok := strings.Cut(line, "http://"); ok && strings.Contains(line, "#token=") {
				if u, err := url.Parse("http://" + strings.Fields(link)[0]); err == nil {
					s.console, s.token = "http://"+u.Host, strings.TrimPrefix(u.Fragment, "token=")
				}
			}
			s.mu.Lock()
			s.lines = append(s.lines, line)
			s.mu.Unlock()
			if strings.HasPrefix(line, "ready") {
				close(ready)
			}
		}
		s.ended <- s.cmd.Wait()
		close(s.ended)
	}()
	select {
	case <-ready:
	case err := <-s.ended:
		return nil, fmt.Errorf("the server ended during its start: %w\n%s", err, s.tail(20))
	case <-time.After(time.Minute):
		_ = s.cmd.Process.Kill()
		return nil, errors.New("the server is not ready after a minute\n" + s.tail(20))
	case <-ctx.Done():
		return nil, ctx.Err()
	}
	text, err := os.ReadFile(filepath.Join(s.dir, "rs-public.txt"))
	if err == nil {
		s.key, err = rs.ParsePublicKey(text)
	}
	return s, err
}

// tail returns the last n lines that the server printed.
func (s *testServer) tail(n int) string {
	s.mu.Lock()
	defer s.mu.Unlock()
	return strings.Join(s.lines[max(0, len(s.lines)-n):], "\n")
}

// running reports whether the process is alive.
func (s *testServer) running() bool {
	select {
	case <-s.ended:
		return false
	default:
		return true
	}
}

// stop ends the server and removes its folder. It returns an error if the server had already ended or does not stop.
func (s *testServer) stop() error {
	defer os.RemoveAll(s.dir)
	if err := s.cmd.Process.Signal(syscall.SIGTERM); err != nil {
		return fmt.Errorf("the server had ended: %w\n%s", err, s.tail(20))
	}
	select {
	case err := <-s.ended:
		return err
	case <-time.After(recoverLimit):
		_ = s.cmd.Process.Kill()
		return errors.New("the server does not stop")
	}
}

// heldBack returns the counters of what doors dropped or held back.
func (s *testServer) heldBack(ctx context.Context) map[string]float64 {
	counts := map[string]float64{}
	req, err := http.NewRequestWithContext(ctx, http.MethodGet, "http://127.0.0.1:9180/metrics", nil)
	if err != nil {
		return counts
	}
	resp, err := http.DefaultClient.Do(req)
	if err != nil {
		return counts
	}
	defer resp.Body.Close()
	for in := bufio.NewScanner(resp.Body); in.Scan(); {
		name, value, ok := strings.Cut(in.Text(), "} ")
		if n, err := strconv.ParseFloat(value, 64); ok && err == nil && (strings.HasPrefix(name, "truestep_bad_packets_total") || strings.HasPrefix(name, "truestep_held_back")) {
			counts[strings.TrimPrefix(name, "truestep_")+"}"] = n
		}
	}
	return counts
}

// askConsole asks the console as its operator from an address.
func (s *testServer) askConsole(ctx context.Context, from string) error {
	t := &http.Transport{DisableKeepAlives: true, DialContext: dialFrom(from, 0)}
	defer t.CloseIdleConnections()
	req, err := http.NewRequestWithContext(ctx, http.MethodGet, s.console+"/api/v1/overview", nil)
	if err != nil {
		return err
	}
	req.Header.Set("Authorization", "Bearer "+s.token)
	resp, err := (&http.Client{Transport: t}).Do(req)
	if err != nil {
		return err
	}
	resp.Body.Close()
	if resp.StatusCode != http.StatusOK {
		return fmt.Errorf("the console answers %s", resp.Status)
	}
	return nil
}

// dialFrom returns a dialer from a local address. delay is added to each datagram in both directions; streams have none.
func dialFrom(from string, delay time.Duration) func(ctx context.Context, network, addr string) (net.Conn, error) {
	return func(ctx context.Context, network, addr string) (net.Conn, error) {
		d := net.Dialer{LocalAddr: &net.TCPAddr{IP: net.ParseIP(from)}}
		if strings.HasPrefix(network, "udp") {
			d.LocalAddr = &net.UDPAddr{IP: net.ParseIP(from)}
		}
		conn, err := d.DialContext(ctx, network, addr)
		if err != nil || delay == 0 {
			return conn, err
		}
		return newDelayedConn(conn, delay), nil
	}
}
