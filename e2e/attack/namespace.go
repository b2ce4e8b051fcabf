//go:build linux

package main

import (
	"errors"
	"fmt"
	"os"
	"os/exec"
	"syscall"
)

// inNamespace is set in the environment of the process that runs inside the namespace.
const inNamespace = "TRUESTEP_ATTACK_NAMESPACE"

// serverAddr is the address of the server in the namespace.
const serverAddr = "10.0.0.1"

// enterNamespace runs this program again in a network namespace of its own and exits with its status. In the namespace it
// sets up the addresses and returns.
func enterNamespace() error {
	if os.Getenv(inNamespace) != "" {
		for _, args := range [][]string{
			{"link", "set", "lo", "up"},
			{"address", "add", serverAddr + "/32", "dev", "lo"},
			{"route", "add", "local", "10.0.0.0/8", "dev", "lo"},
		} {
			if out, err := exec.Command("ip", args...).CombinedOutput(); err != nil {
				return fmt.Errorf("ip %v: %w: %s; install iproute2", args, err, out)
			}
		}
		return nil
	}
	self, err := os.Executable()
	if err != nil {
		return err
	}
	cmd := exec.Command(self, os.Args[1:]...)
	cmd.Env = append(os.Environ(), inNamespace+"=1")
	cmd.Stdin, cmd.Stdout, cmd.Stderr = os.Stdin, os.Stdout, os.Stderr
	cmd.SysProcAttr = &syscall.SysProcAttr{
		Cloneflags:  syscall.CLONE_NEWUSER | syscall.CLONE_NEWNET,
		UidMappings: []syscall.SysProcIDMap{{ContainerID: 0, HostID: os.Getuid(), Size: 1}},
		GidMappings: []syscall.SysProcIDMap{{ContainerID: 0, HostID: os.Getgid(), Size: 1}},
		Pdeathsig:   syscall.SIGKILL,
	}
	err = cmd.Run()
	var exit *exec.ExitError
	if errors.As(err, &exit) {
		os.Exit(exit.ExitCode())
	}
	if err != nil {
		return fmt.Errorf("new network namespace: %w; run it as root or allow unprivileged user namespaces", err)
	}
	os.Exit(0)
	return nil
}
