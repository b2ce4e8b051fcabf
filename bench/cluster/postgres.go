//go:build linux

package main

import (
	"context"
	"errors"
	"fmt"
	"net"
	"os"
	"os/exec"
	"os/user"
	"path/filepath"
	"strconv"
	"syscall"
	"time"

	"github.com/jackc/pgx/v5"
)

// postgres is a PostgreSQL server that the benchmark starts in a temporary folder.
type postgres struct {
	url    string
	folder string
	cmd    *exec.Cmd
}

// startPostgres creates and starts a server with the programs of a folder. PostgreSQL refuses to run as root, so root runs
// it as the user postgres.
func startPostgres(ctx context.Context, bin string) (_ *postgres, err error) {
	if _, err := os.Stat(filepath.Join(bin, "initdb")); err != nil {
		return nil, fmt.Errorf("--postgres-bin %q: the folder does not contain initdb; install PostgreSQL's server, or measure --arrangements raft only", bin)
	}
	p := &postgres{}
	if p.folder, err = os.MkdirTemp("", "bench-cluster-postgres-"); err != nil {
		return nil, err
	}
	defer func() {
		if err != nil {
			p.stop()
		}
	}()
	attr := &syscall.SysProcAttr{Pdeathsig: syscall.SIGINT}
	if os.Getuid() == 0 {
		if attr.Credential, err = credential("postgres"); err != nil {
			return nil, err
		}
		if err := os.Chown(p.folder, int(attr.Credential.Uid), int(attr.Credential.Gid)); err != nil {
			return nil, err
		}
	}
	data := filepath.Join(p.folder, "data")
	initdb := exec.CommandContext(ctx, filepath.Join(bin, "initdb"), "-D", data, "-A", "trust", "-U", "bench", "-E", "UTF8", "--no-locale")
	initdb.Dir, initdb.SysProcAttr = p.folder, attr
	if text, err := initdb.CombinedOutput(); err != nil {
		return nil, fmt.Errorf("create a database with the program initdb in --postgres-bin %s: %w: %s", bin, err, text)
	}
	port, err := freePort()
	if err != nil {
		return nil, err
	}
	p.cmd = exec.Command(filepath.Join(bin, "postgres"), "-D", data, "-c", "listen_addresses=127.0.0.1", "-c", "port="+strconv.Itoa(port),
		"-c", "unix_socket_directories=")
	p.cmd.Dir, p.cmd.SysProcAttr = p.folder, attr
	if err := p.cmd.Start(); err != nil {
		return nil, err
	}
	p.url = fmt.Sprintf("postgres://bench@127.0.0.1:%d/postgres", port)
	for began := time.Now(); ; time.Sleep(50 * time.Millisecond) {
		c, err := pgx.Connect(ctx, p.url)
		if err == nil {
			return p, c.Close(ctx)
		}
		if time.Since(began) > 20*time.Second {
			return nil, fmt.Errorf("PostgreSQL accepts no connections 20 s after its start: %w", err)
		}
	}
}

func credential(name string) (*syscall.Credential, error) {
	u, err := user.Lookup(name)
	if err != nil {
		return nil, fmt.Errorf("PostgreSQL refuses to run as root, so it must run as the user %q, but this user cannot be looked up: %w", name, err)
	}
	uid, errUID := strconv.Atoi(u.Uid)
	gid, errGID := strconv.Atoi(u.Gid)
	return &syscall.Credential{Uid: uint32(uid), Gid: uint32(gid)}, errors.Join(errUID, errGID)
}

func freePort() (int, error) {
	ln, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		return 0, err
	}
	return ln.Addr().(*net.TCPAddr).Port, ln.Close()
}

// reset replaces the table of primaries and backups by the initial rows of a new run.
func (p *postgres) reset(ctx context.Context, areas int) error {
	c, err := pgx.Connect(ctx, p.url)
	if err != nil {
		return err
	}
	defer c.Close(ctx)
	if _, err := c.Exec(ctx, `DROP TABLE IF EXISTS areas; `+ledgerSchema); err != nil {
		return err
	}
	_, err = c.Exec(ctx, `INSERT INTO areas SELECT i, 1, i % 3, (i + 1) % 3 FROM generate_series(0, $1::int - 1) i`, areas)
	return err
}

// stop ends the server and removes its folder.
func (p *postgres) stop() {
	if p.cmd != nil && p.cmd.Process != nil {
		_ = p.cmd.Process.Signal(syscall.SIGQUIT) // immediate shutdown: the data is removed anyway
		_ = p.cmd.Wait()
	}
	_ = os.RemoveAll(p.folder)
}
