//go:build linux

package main

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"time"

	"golang.org/x/sys/unix"
)

// serverCheck is a check that starts servers of its own; attacks, in contrast, use one shared server. It tests a kill of the
// server, damaged files or single requests. Unlike an attack it runs once, not at several strengths.
type serverCheck struct {
	name, what string
	run        func(k *checkRun) error
}

var serverChecks = []serverCheck{
	{"sigterm-twice", "SIGTERM, and again 50 ms later, while players walk", checkSigtermTwice},
	{"kill-9-hand-overs", "kill -9 after pairs have handed items to each other", checkKillAfterHandOvers},
	{"full-disk", "no room on the disk of the data folder", checkFullDisk},
	{"full-disk-stop", "SIGTERM while there is no room on the disk", checkFullDiskStop},
	{"damaged-log", "one bit flipped in the log of the store after kill -9", checkDamagedLog},
	{"copied-database", "truestep.db copied alone while the server runs, and a backup", checkCopiedDatabase},
	{"private-files", "files of the data folder and of recordings read by other users", checkPrivateFiles},
	{"foreign-hosts", "console, metrics and profiles on loopback asked with the host name of another site", checkForeignHosts},
	{"markup-names", "names with markup at each door", checkMarkupNames},
}

// checkRun holds the folder and the servers of a check while the check runs.
type checkRun struct {
	ctx context.Context
	bin string
	dir string // temporary folder of the check

	mu      sync.Mutex
	servers []*testServer
}

// checkServers runs all of serverChecks at the same time, except those that --only excludes.
func (m *matrix) checkServers() {
	var all sync.WaitGroup
	for _, c := range serverChecks {
		if len(m.opt.only) > 0 && !slices.Contains(m.opt.only, c.name) {
			continue
		}
		if firstOctet == 127 && strings.HasPrefix(c.name, "full-disk") {
			continue // these checks mount a small file system, which needs the test's namespace
		}
		all.Go(func() {
			began := time.Now()
			err := m.check(c)
			if err == nil {
				m.printf("%-28s %s; held, %.1f s\n", c.name, c.what, time.Since(began).Seconds())
			}
			m.result(c.name, err)
		})
	}
	all.Wait()
}

func (m *matrix) check(c serverCheck) error {
	dir, err := os.MkdirTemp("", "e2e-attack-"+c.name+"-")
	if err != nil {
		return err
	}
	ctx, cancel := context.WithTimeout(m.ctx, 2*time.Minute)
	defer cancel()
	k := &checkRun{ctx: ctx, bin: m.opt.server, dir: dir}
	defer k.end()
	return c.run(k)
}

// end kills the servers of the check that still run and removes its folder.
func (k *checkRun) end() {
	for _, s := range k.servers {
		s.process.Kill()
	}
	_ = unix.Unmount(k.path("disk"), unix.MNT_DETACH) // fails unless the check has mounted the folder
	os.RemoveAll(k.dir)
}

// path returns a path in the folder of the check.
func (k *checkRun) path(name string) string { return filepath.Join(k.dir, name) }

// start starts a server on loopback. The parameter data is the name of the server's data folder, which is in the folder of the
// check.
func (k *checkRun) start(data string, args ...string) (*testServer, error) {
	s, err := startServer(k.ctx, k.bin, k.path(data), "127.0.0.1", args...)
	k.mu.Lock()
	k.servers = append(k.servers, s)
	k.mu.Unlock()
	return s, err
}

// until waits until done returns true, and returns an error after the time limit. The parameter what describes the condition in
// the error, as a clause such as "Ann walks".
func (k *checkRun) until(what string, limit time.Duration, done func() bool) error {
	for end := time.Now().Add(limit); ; wait(k.ctx, 50*time.Millisecond) {
		switch {
		case done():
			return nil
		case k.ctx.Err() != nil:
			return fmt.Errorf("the test ended before this condition was met: %s: %w", what, k.ctx.Err())
		case time.Now().After(end):
			return fmt.Errorf("the condition was not met within %v: %s", limit, what)
		}
	}
}

var errStarted = errors.New("the server has started on damaged or incomplete data, but must refuse to start")
