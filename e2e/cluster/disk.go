//go:build linux

package main

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"time"

	"golang.org/x/sys/unix"

	"github.com/truestep-io/truestep/e2e/process"
)

// The fault disk-b needs a node whose data folder is a small file system of its own. The test mounts it in a mount namespace of its
// own, so that nothing stays mounted when it has ended.

const (
	diskFault = "disk-b"
	diskSize  = "size=96m"       // option of the mounted tmpfs: the data of a node of this test stay below half of it
	stopsIn   = 10 * time.Second // maximum time until a node whose disk is full has stopped
)

// enterNamespace runs this program again as a child process in a mount namespace, and exits with the status of the child. In the
// child it returns nil. It returns an error if the machine allows no mounts: some machines allow the namespace, but no mount in it.
func enterNamespace() error {
	attr := &syscall.SysProcAttr{Unshareflags: syscall.CLONE_NEWNS, Pdeathsig: syscall.SIGKILL}
	if os.Getuid() != 0 {
		attr = &syscall.SysProcAttr{ // run as the same user, because PostgreSQL refuses to run as root
			Cloneflags:  syscall.CLONE_NEWUSER | syscall.CLONE_NEWNS,
			UidMappings: []syscall.SysProcIDMap{{ContainerID: os.Getuid(), HostID: os.Getuid(), Size: 1}},
			GidMappings: []syscall.SysProcIDMap{{ContainerID: os.Getgid(), HostID: os.Getgid(), Size: 1}},
			AmbientCaps: []uintptr{unix.CAP_SYS_ADMIN},
			Pdeathsig:   syscall.SIGKILL,
		}
	}
	return process.EnterNamespace("e2e-cluster", attr, tryMount)
}

// tryMount mounts a small file system on a temporary folder and removes both.
func tryMount() error {
	dir, err := os.MkdirTemp("", "truestep-mount-")
	if err != nil {
		return err
	}
	if err = mountTmpfs(dir); err != nil {
		err = fmt.Errorf("mount a file system: %w", err)
	} else {
		err = unix.Unmount(dir, 0)
	}
	return errors.Join(err, os.Remove(dir))
}

func mountTmpfs(dir string) error { return unix.Mount("tmpfs", dir, "tmpfs", 0, diskSize) }

// mountSmallDisk makes the data folder of a node a file system of its own.
func mountSmallDisk(n *node) error {
	if err := os.MkdirAll(n.DataDir, 0o700); err != nil {
		return err
	}
	if err := mountTmpfs(n.DataDir); err != nil {
		return fmt.Errorf("mount a small file system for node %s: %w", n.name, err)
	}
	return nil
}

// fullDisk returns the fault of a node whose disk is full. A node that cannot write its logs can acknowledge nothing, so it must say
// so and stop. Its clients log in through other nodes. When there is space again, it must work as before.
func fullDisk(i int) *fault {
	return &fault{
		nodes: []int{i}, kind: "full disk of a node", maxGap: goalGap, told: true,
		strike: func(t *test) error { return t.cluster.nodes[i].fillUntilStop(t) },
		mend: func(t *test) error {
			n := t.cluster.nodes[i]
			err := n.start(t.ctx)
			if err == nil { // there was enough space for the start; fill the disk until the node stops again
				err = n.fillUntilStop(t)
			} else if err = n.saysDiskIsFull(); err == nil {
				n.alive.Store(false)
			}
			t.Check("a node that is started on a full disk says so", err)
			return errors.Join(os.Remove(n.filler()), t.startNode(n))
		},
	}
}

// filler returns the path of the file that fills the disk of the node.
func (n *node) filler() string { return filepath.Join(n.DataDir, "filler") }

// fillUntilStop keeps the disk of a node full until the node has stopped, and checks that the node's last lines give the reason.
func (n *node) fillUntilStop(t *test) error {
	for end := time.Now().Add(stopsIn); n.Running(); wait(t.ctx, polls) {
		if err := process.FillDisk(n.filler()); err != nil {
			return err
		}
		if time.Now().After(end) || t.ctx.Err() != nil {
			n.kill()
			return fmt.Errorf("node %s still runs %v after its disk was full\n%s", n.name, stopsIn, n.Tail(20))
		}
	}
	n.alive.Store(false)
	return n.saysDiskIsFull()
}

// saysDiskIsFull returns an error unless a node has ended with a failure, and its last lines say that its disk is full.
func (n *node) saysDiskIsFull() error {
	last := n.Tail(3)
	if n.Err() == nil || !strings.Contains(last, syscall.ENOSPC.Error()) && !strings.Contains(last, "disk is full") {
		return fmt.Errorf("node %s has ended with %v, and its last lines do not say that its disk is full:\n%s", n.name, n.Err(), n.Tail(20))
	}
	return nil
}
