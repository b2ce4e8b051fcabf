package server

import (
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"os"
	"path/filepath"
	"time"

	"golang.org/x/sys/unix"

	"github.com/truestep-io/truestep/session"
)

// proofFile returns the path of the file that keeps verified passwords over a restart (session.Options.ProofFile), and
// creates its folder. The file is on a file system in memory; each data folder has its own file. proofFile returns ""
// if the system has no suitable folder.
func proofFile(dataDir string) string {
	abs, err := filepath.Abs(dataDir)
	if err != nil {
		return ""
	}
	sum := sha256.Sum256([]byte(abs))
	name := fmt.Sprintf("truestep-%d", os.Geteuid())
	// systemd sets RUNTIME_DIRECTORY for a service with RuntimeDirectory=, and XDG_RUNTIME_DIR for the session of a user.
	for _, base := range []string{os.Getenv("RUNTIME_DIRECTORY"), os.Getenv("XDG_RUNTIME_DIR"), "/dev/shm"} {
		if dir := filepath.Join(base, name); filepath.IsAbs(base) && isInMemory(base) && makePrivateDir(dir) {
			removeOld(dir)
			return filepath.Join(dir, hex.EncodeToString(sum[:8])+".json")
		}
	}
	return ""
}

// removeOld removes from dir the files with verified passwords that are too old to be used. Servers that were not started again
// have left them there.
func removeOld(dir string) {
	files, _ := os.ReadDir(dir) // after an error, files is empty
	for _, f := range files {
		if info, err := f.Info(); err == nil && time.Since(info.ModTime()) > session.DefaultSecretCacheTime {
			_ = os.Remove(filepath.Join(dir, f.Name())) // if the removal fails, the next start tries again
		}
	}
}

// isInMemory reports whether a folder is on a file system in memory (tmpfs or ramfs).
func isInMemory(dir string) bool {
	var s unix.Statfs_t
	return unix.Statfs(dir, &s) == nil && (s.Type == unix.TMPFS_MAGIC || s.Type == unix.RAMFS_MAGIC)
}

// makePrivateDir creates a folder, unless it exists, and reports whether the folder belongs to this user and no one
// else may access it. In a shared folder such as /dev/shm, another user may have created it.
func makePrivateDir(dir string) bool {
	_ = os.Mkdir(dir, 0o700) // Lstat below fails if the folder does not exist
	var s unix.Stat_t
	return unix.Lstat(dir, &s) == nil && s.Mode&unix.S_IFMT == unix.S_IFDIR && s.Mode&0o077 == 0 && int(s.Uid) == os.Geteuid()
}
