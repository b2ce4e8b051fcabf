//go:build linux

package main

import (
	"fmt"
	"os"
	"syscall"

	"golang.org/x/sys/unix"

	"github.com/truestep-io/truestep/e2e/process"
)

// enterNamespace runs this program again as a child process in new namespaces for users, network and mounts, and exits with the
// child's status. In the child it returns nil. It returns an error if the machine does not allow such namespaces.
func enterNamespace() error {
	user := &syscall.SysProcAttr{
		Cloneflags:  syscall.CLONE_NEWUSER | syscall.CLONE_NEWNET | syscall.CLONE_NEWNS,
		UidMappings: []syscall.SysProcIDMap{{ContainerID: 0, HostID: os.Getuid(), Size: 1}},
		GidMappings: []syscall.SysProcIDMap{{ContainerID: 0, HostID: os.Getgid(), Size: 1}},
		Pdeathsig:   syscall.SIGKILL,
	}
	root := &syscall.SysProcAttr{Cloneflags: syscall.CLONE_NEWNET, Unshareflags: syscall.CLONE_NEWNS, Pdeathsig: syscall.SIGKILL}
	err := process.EnterNamespace("e2e-attack", user, addLocalNetwork)
	if err != nil && os.Getuid() == 0 { // root of a container may have network namespaces without user namespaces
		err = process.EnterNamespace("e2e-attack", root, addLocalNetwork)
	}
	return err
}

// addLocalNetwork makes all addresses of 10.0.0.0/8 local. It adds 10.0.0.1 to the loopback interface; the kernel then treats the
// whole network of that address as local.
func addLocalNetwork() error {
	fd, err := unix.Socket(unix.AF_INET, unix.SOCK_DGRAM|unix.SOCK_CLOEXEC, 0)
	if err != nil {
		return err
	}
	defer unix.Close(fd)
	up, err := unix.NewIfreq("lo")
	if err != nil {
		return err
	}
	up.SetUint16(unix.IFF_UP | unix.IFF_RUNNING)
	if err := unix.IoctlIfreq(fd, unix.SIOCSIFFLAGS, up); err != nil {
		return fmt.Errorf("set the loopback interface up: %w", err)
	}
	addr, err := unix.NewIfreq("lo:1")
	if err == nil {
		err = addr.SetInet4Addr([]byte{10, 0, 0, 1})
	}
	if err == nil {
		err = unix.IoctlIfreq(fd, unix.SIOCSIFADDR, addr) // the kernel takes the length of the prefix from the class of the address: 8
	}
	if err != nil {
		return fmt.Errorf("add the address 10.0.0.1 to the loopback interface: %w", err)
	}
	return nil
}
