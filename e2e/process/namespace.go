//go:build linux

package process

import (
	"errors"
	"fmt"
	"os"
	"os/exec"
	"syscall"
)

const (
	inNamespace     = "TRUESTEP_E2E_NAMESPACE" // environment variable that is set in a child process with namespaces of its own
	exitNoNamespace = 125                      // exit status of the child process if it cannot set up its namespaces
)

// EnterNamespace runs this program again, with the same arguments, as a child process with the attributes attr, which give it new
// namespaces. Then it exits with the status of the child. In the child it calls setUp and returns nil. It returns an error if the child
// cannot be started. If setUp fails, the child prints the error after the name of the program, and the parent gets an error.
func EnterNamespace(program string, attr *syscall.SysProcAttr, setUp func() error) error {
	if os.Getenv(inNamespace) != "" {
		if err := setUp(); err != nil {
			fmt.Fprintf(os.Stderr, "%s: %v\n", program, err)
			os.Exit(exitNoNamespace)
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
	cmd.SysProcAttr = attr
	err = cmd.Run()
	if exit, ok := errors.AsType[*exec.ExitError](err); ok && exit.ExitCode() != exitNoNamespace {
		os.Exit(max(exit.ExitCode(), 1))
	}
	if err != nil {
		return fmt.Errorf("run the test in new namespaces: %w", err)
	}
	os.Exit(0)
	return nil
}

// FillDisk appends to the file at path until the file system of that file has no space for another byte.
func FillDisk(path string) error {
	f, err := os.OpenFile(path, os.O_CREATE|os.O_APPEND|os.O_WRONLY, 0o600)
	if err != nil {
		return err
	}
	defer f.Close()
	for size := 1 << 20; size >= 1; {
		if _, err := f.Write(make([]byte, size)); errors.Is(err, syscall.ENOSPC) {
			size /= 2
		} else if err != nil {
			return err
		}
	}
	return nil
}
