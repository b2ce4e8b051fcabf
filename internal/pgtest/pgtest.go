// Package pgtest runs a PostgreSQL server for tests: one for each test binary, in a temporary folder, on an ephemeral loopback
// port, without syncing to disk.
//
//	url := pgtest.Database(t) // postgres://postgres:...@127.0.0.1:45123/test_1?sslmode=disable, an empty database
//
// PostgreSQL must be installed, for example as Debian's package postgresql; otherwise a test fails and says so. A separate
// process stops the server and removes its folder when the test binary ends for any reason, also by kill -9.
package pgtest

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"net"
	"net/url"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/jackc/pgx/v5"
)

// User and Password are the credentials of the server's superuser. The password contains characters that a URL must escape.
const (
	User     = "postgres"
	Password = "p@ss/w:rd?#%"
)

// startTimeout is the maximum time for initdb and for a start of the server, on a busy machine.
const startTimeout = time.Minute

// Server is a PostgreSQL server.
type Server struct {
	bin    string // folder of the programs
	folder string // temporary folder with the data folder
	port   int
	more   []string  // settings that are added to, or override, the default ones
	guard  io.Closer // standard input of the process that stops the server when this process has ended

	mu      sync.Mutex
	process *exec.Cmd     // nil while the server is not running
	ended   chan struct{} // closed when process has ended
}

var (
	shared    = sync.OnceValues(func() (*Server, error) { return Start() })
	databases atomic.Int64
)

// Shared returns the server that all tests of this test binary share. The first call starts it.
func Shared(t testing.TB) *Server {
	t.Helper()
	s, err := shared()
	if err != nil {
		t.Fatal(err)
	}
	return s
}

// Database creates an empty database on the shared server of this test binary and returns its URL.
func Database(t testing.TB) string {
	t.Helper()
	return Shared(t).Database(t)
}

// Database creates an empty database and returns its URL.
func (s *Server) Database(t testing.TB) string {
	t.Helper()
	name := fmt.Sprintf("test_%d", databases.Add(1))
	s.Exec(t, "postgres", "CREATE DATABASE "+name+" TEMPLATE template0 ENCODING 'UTF8'")
	return s.URL(name)
}

// Schema creates an empty schema on the shared server of this test binary and returns a URL whose search_path is that schema.
// It is faster than Database.
func Schema(t testing.TB) string {
	t.Helper()
	s := Shared(t)
	name := fmt.Sprintf("schema_%d", databases.Add(1))
	s.Exec(t, "postgres", "CREATE SCHEMA "+name)
	return s.URL("postgres") + "&search_path=" + name
}

// URL returns the URL of a database of the server, with the password of the superuser.
func (s *Server) URL(database string) string {
	u := url.URL{Scheme: "postgres", User: url.UserPassword(User, Password), Host: s.Addr(), Path: "/" + database, RawQuery: "sslmode=disable"}
	return u.String()
}

// Addr returns the host:port of the server.
func (s *Server) Addr() string { return net.JoinHostPort("127.0.0.1", strconv.Itoa(s.port)) }

// Exec runs SQL in a database as the superuser.
func (s *Server) Exec(t testing.TB, database, sql string) {
	t.Helper()
	ctx, cancel := context.WithTimeout(context.Background(), startTimeout)
	defer cancel()
	conn, err := pgx.Connect(ctx, s.URL(database))
	if err != nil {
		t.Fatal(err)
	}
	defer conn.Close(ctx)
	if _, err := conn.Exec(ctx, sql); err != nil {
		t.Fatalf("%s: %v", sql, err)
	}
}

// Start creates and starts a new server. The parameter settings has settings of PostgreSQL, such as "fsync=on", that override
// those of this package. The caller need not stop the server.
func Start(settings ...string) (*Server, error) {
	bin, err := findPrograms()
	if err != nil {
		return nil, err
	}
	s := &Server{bin: bin, more: settings}
	if s.folder, err = os.MkdirTemp("", "truestep-postgres-"); err != nil {
		return nil, err
	}
	if err := giveAway(s.folder); err != nil {
		return nil, err
	}
	if err := s.guardFolder(); err != nil {
		return nil, err
	}
	if err := s.initialize(); err != nil {
		return nil, errors.Join(err, s.guard.Close())
	}
	if err := s.Launch(); err != nil {
		return nil, errors.Join(err, s.guard.Close())
	}
	return s, nil
}

// findPrograms returns the folder of the programs initdb and postgres: the one in PATH, or else the newest version that
// Debian's packages have installed.
func findPrograms() (string, error) {
	if path, err := exec.LookPath("initdb"); err == nil {
		if path, err = filepath.EvalSymlinks(path); err == nil {
			return filepath.Dir(path), nil
		}
	}
	newest, newestVersion := "", 0
	found, _ := filepath.Glob("/usr/lib/postgresql/*/bin/initdb")
	for _, path := range found {
		version, _ := strconv.Atoi(filepath.Base(filepath.Dir(filepath.Dir(path))))
		if version > newestVersion {
			newest, newestVersion = filepath.Dir(path), version
		}
	}
	if newest == "" {
		return "", errors.New("the tests need PostgreSQL, and there is no initdb in PATH or /usr/lib/postgresql: install it, on Debian with apt-get install postgresql")
	}
	return newest, nil
}

func (s *Server) data() string { return filepath.Join(s.folder, "data") }

// guardScript is a shell script that cleans up after the test binary. It waits until its standard input ends, because that is
// when the test binary has ended. Then it stops the server and removes the folder $1.
const guardScript = `
read -r _
pid=$(head -n 1 "$1/data/postmaster.pid" 2>/dev/null)
if [ -n "$pid" ] && ps -o args= -p "$pid" | grep -q "$1"; then
	kill -QUIT "$pid"
	for _ in 1 2 3 4 5 6 7 8 9 10 11 12 13 14 15 16 17 18 19 20; do kill -0 "$pid" 2>/dev/null || break; sleep 0.1; done
	kill -KILL "$pid" 2>/dev/null
fi
rm -rf "$1"
`

// guardFolder starts a process that waits until this process has ended, and then stops the server and removes its folder.
func (s *Server) guardFolder() error {
	guard := s.command("/bin/sh", "-c", guardScript, "pgtest-guard", s.folder)
	in, err := guard.StdinPipe() // nothing is written to it: the kernel closes it when this process ends
	if err != nil {
		return err
	}
	s.guard = in
	return guard.Start()
}

// command returns a command that runs as an unprivileged user, in a process group of its own.
func (s *Server) command(name string, args ...string) *exec.Cmd {
	c := exec.Command(name, args...)
	c.Dir = s.folder
	c.Env = []string{"PATH=" + os.Getenv("PATH"), "LC_ALL=C"} // without variables such as PGPORT
	asUnprivileged(c)
	return c
}

func (s *Server) initialize() error {
	password := filepath.Join(s.folder, "password")
	if err := os.WriteFile(password, []byte(Password+"\n"), 0o644); err != nil {
		return err
	}
	c := s.command(filepath.Join(s.bin, "initdb"), "--pgdata", s.data(), "--username", User, "--pwfile", password,
		"--auth=scram-sha-256", "--encoding=UTF8", "--no-locale", "--no-sync", "--data-checksums", "--no-instructions")
	if out, err := c.CombinedOutput(); err != nil {
		return fmt.Errorf("run initdb: %w: %s", err, bytes.TrimSpace(out))
	}
	return nil
}

// Launch starts the server, which must not be running, and waits until it accepts connections. The first call selects a free
// port; later calls use the same port.
func (s *Server) Launch() error {
	began := time.Now()
	for {
		err := s.tryLaunch()
		if err == nil {
			return nil
		}
		// A start can fail for a while: the shared memory of a killed server is in use until its last process has ended, and
		// another program may have taken the port.
		if time.Since(began) > startTimeout {
			return err
		}
		time.Sleep(20 * time.Millisecond)
	}
}

func (s *Server) tryLaunch() error {
	port, first := s.port, s.port == 0
	if first {
		l, err := net.Listen("tcp", "127.0.0.1:0")
		if err != nil {
			return err
		}
		port = l.Addr().(*net.TCPAddr).Port
		if err := l.Close(); err != nil {
			return err
		}
	}
	log, err := os.Create(filepath.Join(s.folder, "log"))
	if err != nil {
		return err
	}
	defer log.Close()
	c := s.command(filepath.Join(s.bin, "postgres"), "-D", s.data(), "-p", strconv.Itoa(port))
	for _, setting := range append([]string{
		"listen_addresses=127.0.0.1", "unix_socket_directories=", "fsync=off", "full_page_writes=off", "max_connections=60",
		"shared_buffers=32MB", "wal_level=minimal", "max_wal_senders=0", "max_wal_size=1GB", "autovacuum=off",
		"dynamic_shared_memory_type=mmap", // files in the data folder: a server that is killed would leave those of the default in /dev/shm
	}, s.more...) {
		c.Args = append(c.Args, "-c", setting)
	}
	c.Stdout, c.Stderr = log, log
	if err := c.Start(); err != nil {
		return err
	}
	ended := make(chan struct{})
	go awaitEnd(c, ended)
	s.mu.Lock()
	s.process, s.ended = c, ended
	s.mu.Unlock()
	if first { // later, goroutines of a Line read the port meanwhile
		s.port = port
	}
	if err := s.awaitReady(ended); err != nil {
		s.Kill()
		if first {
			s.port = 0
		}
		text, _ := os.ReadFile(log.Name())
		return fmt.Errorf("run postgres: %w: %s", err, bytes.TrimSpace(text))
	}
	return nil
}

// awaitEnd waits for the end of a server's process. Its goroutine runs as long as the server, so tests that check for leaked
// goroutines must ignore it.
func awaitEnd(c *exec.Cmd, ended chan<- struct{}) {
	_ = c.Wait() // the server's log contains the reason
	close(ended)
}

// awaitReady waits until the server accepts connections.
func (s *Server) awaitReady(ended <-chan struct{}) error {
	ctx, cancel := context.WithTimeout(context.Background(), startTimeout)
	defer cancel()
	for {
		conn, err := pgx.Connect(ctx, s.URL("postgres"))
		if err == nil {
			return conn.Close(ctx)
		}
		select {
		case <-ended:
			return errors.New("the PostgreSQL process ended before it accepted connections")
		case <-ctx.Done():
			return err
		case <-time.After(20 * time.Millisecond):
		}
	}
}

// Kill ends all processes of the server with SIGKILL, to simulate a loss of power. The processes that serve connections would
// run on for a moment if only the main process were killed.
func (s *Server) Kill() {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.process == nil {
		return
	}
	backends := s.backends()
	_ = s.process.Process.Kill() // an error means that the process has already ended
	<-s.ended
	s.process = nil
	for _, pid := range backends {
		if p, err := os.FindProcess(pid); err == nil {
			_ = p.Kill()
		}
	}
}

// backends returns the ids of the server's processes that serve connections or work in the background. It returns nil if the
// server does not answer.
func (s *Server) backends() (pids []int) {
	ctx, cancel := context.WithTimeout(context.Background(), startTimeout)
	defer cancel()
	conn, err := pgx.Connect(ctx, s.URL("postgres"))
	if err != nil {
		return nil
	}
	defer conn.Close(ctx)
	rows, err := conn.Query(ctx, "SELECT pid FROM pg_stat_activity WHERE pid <> pg_backend_pid()")
	if err != nil {
		return nil
	}
	pids, _ = pgx.CollectRows(rows, pgx.RowTo[int])
	return pids
}
