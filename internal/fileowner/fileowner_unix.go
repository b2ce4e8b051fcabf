//go:build unix

// Package fileowner gives files that root has created in the data folder of another user to that user. A command that an
// administrator runs as root beside a server that runs as a user of its own would otherwise leave files that the server cannot
// open.
package fileowner

import (
	"errors"
	"io/fs"
	"os"
	"syscall"
)

// Adopt gives the entry name of the folder dir, and everything below it, to the owner and the group of dir, as far as it belongs
// to root; the name "." stands for the whole content of dir. It does nothing unless the process runs as root and dir belongs to
// another user. Symbolic links are not followed, and files with several hard links are left alone, because the owner of dir can
// create both and must not be given files from elsewhere. An entry that does not exist is not an error.
func Adopt(dir, name string) error {
	if os.Geteuid() != 0 {
		return nil
	}
	root, err := os.OpenRoot(dir)
	if err != nil {
		return err
	}
	defer root.Close()
	info, err := root.Stat(".")
	if err != nil {
		return err
	}
	owner := info.Sys().(*syscall.Stat_t)
	if owner.Uid == 0 {
		return nil
	}
	return fs.WalkDir(root.FS(), name, func(path string, _ fs.DirEntry, err error) error {
		if err == nil {
			err = adoptEntry(root, path, owner)
		}
		if errors.Is(err, fs.ErrNotExist) { // removed meanwhile
			return nil
		}
		return err
	})
}

func adoptEntry(root *os.Root, path string, owner *syscall.Stat_t) error {
	info, err := root.Lstat(path)
	if err != nil {
		return err
	}
	if s := info.Sys().(*syscall.Stat_t); s.Uid != 0 || !info.IsDir() && s.Nlink > 1 {
		return nil
	}
	return root.Lchown(path, int(owner.Uid), int(owner.Gid))
}
