//go:build unix

package pgtest

import (
	"os"
	"os/exec"
	"os/user"
	"strconv"
	"sync"
	"syscall"
)

// credential returns the user as which PostgreSQL runs. If this process is root, it is an unprivileged user, because initdb
// refuses to run as root. Otherwise the result is nil, and PostgreSQL runs as the user of this process.
var credential = sync.OnceValue(func() *syscall.Credential {
	if os.Geteuid() != 0 {
		return nil
	}
	for _, name := range []string{"postgres", "nobody"} {
		if u, err := user.Lookup(name); err == nil {
			uid, uidErr := strconv.ParseUint(u.Uid, 10, 32)
			gid, gidErr := strconv.ParseUint(u.Gid, 10, 32)
			if uidErr == nil && gidErr == nil {
				return &syscall.Credential{Uid: uint32(uid), Gid: uint32(gid)}
			}
		}
	}
	return &syscall.Credential{Uid: 65534, Gid: 65534}
})

// asUnprivileged makes a command run as the user of credential, in a process group that does not receive the signals of the
// test's terminal.
func asUnprivileged(c *exec.Cmd) {
	c.SysProcAttr = &syscall.SysProcAttr{Setpgid: true, Credential: credential()}
}

// giveAway makes the user of credential the owner of a folder.
func giveAway(folder string) error {
	if c := credential(); c != nil {
		return os.Chown(folder, int(c.Uid), int(c.Gid))
	}
	return nil
}
