package gateway

import (
	"net"
	"strings"
	"syscall"
	"testing"
)

func TestErrorOfSocketThatCannotBeOpenedSaysHowToFixEachCause(t *testing.T) {
	for cause, want := range map[syscall.Errno]string{
		syscall.EADDRINUSE:    "another program may have the port: choose another address with --rs HOST:PORT, or off",
		syscall.EACCES:        "ports below 1024 need a privilege",
		syscall.EADDRNOTAVAIL: "no interface of this machine has that address",
		syscall.ENOBUFS:       "; choose another address with --rs HOST:PORT, or off",
	} {
		err := ListenError("rs", "192.0.2.7:80/tcp", &net.OpError{Op: "listen", Net: "tcp", Err: cause})
		if !strings.HasPrefix(err.Error(), "rs: cannot listen on 192.0.2.7:80/tcp: "+cause.Error()) || !strings.Contains(err.Error(), want) {
			t.Errorf("%v, want %q in it", err, want)
		}
	}
}

func TestErrorOfRequiredSocketDoesNotAdviseOff(t *testing.T) {
	err := RequiredListenError("admin", "192.0.2.7:80", &net.OpError{Op: "listen", Net: "tcp", Err: syscall.EADDRINUSE})
	want := "admin: cannot listen on 192.0.2.7:80: address already in use; another program may have the port: choose another address with --admin HOST:PORT"
	if err.Error() != want {
		t.Errorf("got  %v\nwant %s", err, want)
	}
}
