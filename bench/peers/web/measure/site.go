//go:build linux

package main

import (
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"os/exec"
	"runtime"
	"strings"

	"golang.org/x/sys/unix"
)

// device is the name of a site's interface.
const device = "line"

// site is one end of the measured line: a network namespace with a TUN interface, whose packets this process reads and writes. The
// interface has no link layer, so its counters count the bytes of IP packets.
type site struct {
	name string
	addr string   // IPv4 address
	tun  *os.File // interface of the namespace; each Read and Write is one IP packet
}

// newSite makes a network namespace with an interface that has the IPv4 address addr in a network of 256 addresses.
func newSite(name, addr string) (s *site, err error) {
	if err := ip("netns", "add", name); err != nil {
		return nil, err
	}
	s = &site{name: name, addr: addr}
	defer func() {
		if err != nil {
			err = errors.Join(err, s.close())
		}
	}()
	err = inNamespace(name, func() error {
		// The interface sends no packets of its own.
		if err := os.WriteFile("/proc/sys/net/ipv6/conf/all/disable_ipv6", []byte("1"), 0); err != nil && !errors.Is(err, fs.ErrNotExist) {
			return err
		}
		s.tun, err = openTUN()
		return err
	})
	for _, args := range []string{
		"-n " + name + " link set lo up", "-n " + name + " addr add " + addr + "/24 dev " + device, "-n " + name + " link set " + device + " up mtu 1500 txqueuelen 5000",
	} {
		if err == nil {
			err = ip(strings.Fields(args)...)
		}
	}
	return s, err
}

// close removes the namespace and its interface.
func (s *site) close() error {
	var err error
	if s.tun != nil {
		err = s.tun.Close()
	}
	return errors.Join(err, ip("netns", "del", s.name))
}

// traffic is what the interface of a site has sent.
type traffic struct {
	Bytes   int64 // bytes of IP packets
	Packets int64
	Dropped int64 // packets that were dropped because the queue of the interface was full
}

// sent returns what the interface has sent so far, also if the packets were lost on the line.
func (s *site) sent() (traffic, error) {
	out, err := exec.Command("ip", "-n", s.name, "-s", "-j", "link", "show", "dev", device).Output()
	if err != nil {
		return traffic{}, fmt.Errorf("read the counters of the interface in namespace %s: %w", s.name, err)
	}
	var links []struct {
		Stats struct{ TX traffic } `json:"stats64"`
	}
	if err := json.Unmarshal(out, &links); err != nil || len(links) != 1 {
		return traffic{}, errors.Join(fmt.Errorf("ip -s link show must print the counters of one interface, but printed: %s", out), err)
	}
	return links[0].Stats.TX, nil
}

// ip runs the command ip.
func ip(args ...string) error {
	if out, err := exec.Command("ip", args...).CombinedOutput(); err != nil {
		return fmt.Errorf("ip %s: %w: %s", strings.Join(args, " "), err, out)
	}
	return nil
}

// inNamespace calls f on a thread in the network namespace that has the given name.
func inNamespace(name string, f func() error) error {
	done := make(chan error)
	go func() {
		runtime.LockOSThread() // not unlocked, so that the thread, whose namespace has changed, ends with the goroutine
		ns, err := os.Open("/run/netns/" + name)
		if err == nil {
			err = unix.Setns(int(ns.Fd()), unix.CLONE_NEWNET)
			err = errors.Join(err, ns.Close())
		}
		if err == nil {
			err = f()
		}
		done <- err
	}()
	return <-done
}

// openTUN makes the interface of a site in the namespace of the calling thread. The kernel offloads nothing to it: it cuts all data
// into packets of at most 1500 bytes before it counts them.
func openTUN() (*os.File, error) {
	fd, err := unix.Open("/dev/net/tun", unix.O_RDWR|unix.O_NONBLOCK|unix.O_CLOEXEC, 0)
	if err != nil {
		return nil, fmt.Errorf("open /dev/net/tun: %w", err)
	}
	req, err := unix.NewIfreq(device)
	if err == nil {
		req.SetUint16(unix.IFF_TUN | unix.IFF_NO_PI)
		err = unix.IoctlIfreq(fd, unix.TUNSETIFF, req)
	}
	if err != nil {
		return nil, errors.Join(fmt.Errorf("make a TUN interface: %w", err), unix.Close(fd))
	}
	return os.NewFile(uintptr(fd), device), nil
}
