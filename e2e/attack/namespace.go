//go:build linux

package main

import (
	"errors"
	"fmt"
	"os"
	"os/exec"
	"syscall"

	"golang.org/x/sys/unix"
)

// inNamespace is the environment variable that is set in the child process that runs inside the network namespace.
const inNamespace = "TRUESTEP_ATTACK_NAMESPACE"

// exitNoNamespace is the exit status of the child process if it cannot set up the network namespace.
const exitNoNamespace = 125

// enterNamespace runs this program again as a child process in new namespaces for users, network and mounts, and exits with the
// child's status. In the child it returns nil. It returns an error if the machine does not allow such namespaces.
func enterNamespace() error {
	if os.Getenv(inNamespace) != "" {
		if err := addLocalNetwork(); err != nil {
			fmt.Fprintln(os.Stderr, "e2e-attack:", err)
			os.Exit(exitNoNamespace)
		}
		return nil
	}
	user := &syscall.SysProcAttr{
		Cloneflags:  syscall.CLONE_NEWUSER | syscall.CLONE_NEWNET | syscall.CLONE_NEWNS,
		UidMappings: []syscall.SysProcIDMap{{ContainerID: 0, HostID: os.Getuid(), Size: 1}},
		GidMappings: []syscall.SysProcIDMap{{ContainerID: 0, HostID: os.Getgid(), Size: 1}},
		Pdeathsig:   syscall.SIGKILL,
	}
	root := &syscall.SysProcAttr{Cloneflags: syscall.CLONE_NEWNET, Unshareflags: syscall.CLONE_NEWNS, Pdeathsig: syscall.SIGKILL}
	err := runAgain(user)
	if err != nil && os.Getuid() == 0 { // root of a container may have network namespaces without user namespaces
		err = runAgain(root)
	}
	return err
}

// runAgain runs this program again with the same arguments in a child process, and exits with the child's status. It returns an
// error only if the child cannot be started or cannot set up its namespace.
func runAgain(attr *syscall.SysProcAttr) error {
	self, err := os.Executable()
	if err != nil {
		return err
	}
	cmd := exec.Command(self, os.Args[1:]...)
	cmd.Env = append(os.Environ(), inNamespace+"=1")
	cmd.Stdin, cmd.Stdout, cmd.Stderr = os.Stdin, os.Stdout, os.Stderr
	cmd.SysProcAttr = attr
	err = cmd.Run()
	if exit, ok := errors.AsType[*exec.ExitError](err); ok && exit.ExitCode() != exitNoNamespace {
		os.Exit(max(exit.ExitCode(), 1))
	}
	if err != nil {
		return fmt.Errorf("run in a new network namespace: %w", err)
	}
	os.Exit(0)
	return nil
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
