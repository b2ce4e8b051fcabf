package console

import (
	"fmt"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"sync"
	"testing"
	"testing/synctest"
	"time"
)

// Concurrent changes of the file by several programs are all stored.
func TestConcurrentChangesToOperatorsFileAreAllStored(t *testing.T) {
	file := filepath.Join(t.TempDir(), TokensFile)
	for i := range 6 {
		if _, err := AddOperator(file, fmt.Sprint("old", i), Viewer, 0); err != nil {
			t.Fatal(err)
		}
	}
	synctest.Test(t, func(t *testing.T) { // in virtual time a slow disk does not use up lockTimeout
		var wg sync.WaitGroup
		for i := range 6 {
			wg.Go(func() {
				if err := RevokeOperator(file, fmt.Sprint("old", i)); err != nil {
					t.Error(err)
				}
			})
			wg.Go(func() {
				if _, err := AddOperator(file, fmt.Sprint("new", i), Viewer, 0); err != nil {
					t.Error(err)
				}
			})
		}
		wg.Wait()
	})
	list, err := Operators(file)
	if err != nil || len(list) != 6 {
		t.Fatalf("%d operators, %v", len(list), err)
	}
	for _, o := range list {
		if !strings.HasPrefix(o.Name, "new") {
			t.Errorf("%s was revoked and has a token", o.Name)
		}
	}
}

func TestWorldWritableOperatorsFileIsRefused(t *testing.T) {
	if runtime.GOOS == "windows" {
		t.Skip("file modes have no meaning on this system")
	}
	file := filepath.Join(t.TempDir(), TokensFile)
	token, err := AddOperator(file, "ann", Admin, 0)
	if err != nil {
		t.Fatal(err)
	}
	tokens, err := OpenTokens(file)
	if err != nil {
		t.Fatal(err)
	}
	d := newAuthenticator(tokens, false, time.Now)
	if _, err := d.authenticateToken(token, addrFrom([4]byte{9})); err != nil {
		t.Fatal(err)
	}
	if err := os.Chmod(file, 0o606); err != nil {
		t.Fatal(err)
	}
	tokens.checked = time.Time{}
	if _, err := d.authenticateToken(token, addrFrom([4]byte{9})); err != errWrongToken || !strings.Contains(tokens.Err().Error(), "chmod 600") {
		t.Errorf("error %v, error of the operators file %v", err, tokens.Err())
	}
	if _, err := OpenTokens(file); err == nil {
		t.Error("OpenTokens accepted it")
	}
	if _, err := AddOperator(file, "bo", Admin, 0); err == nil {
		t.Error("AddOperator accepted it")
	}
}

// A symbolic link to the file is not replaced. A path that is not a regular file is refused.
func TestOperatorsFileMayBeSymlink(t *testing.T) {
	dir := t.TempDir()
	real, link := filepath.Join(dir, "real.json"), filepath.Join(dir, TokensFile)
	if _, err := AddOperator(real, "ann", Admin, 0); err != nil {
		t.Fatal(err)
	}
	if err := os.Symlink(real, link); err != nil {
		t.Skip(err) // Windows needs a privilege for symbolic links
	}
	if _, err := AddOperator(link, "bo", Admin, 0); err != nil {
		t.Fatal(err)
	}
	if list, err := Operators(real); err != nil || len(list) != 2 {
		t.Errorf("the operators are %v, error %v", list, err)
	}
	if info, err := os.Lstat(link); err != nil || info.Mode()&os.ModeSymlink == 0 {
		t.Errorf("the link is %v, %v", info.Mode(), err)
	}
	if _, err := OpenTokens(dir); err == nil || !strings.Contains(err.Error(), "not a regular file") {
		t.Errorf("a folder: %v", err)
	}
}

func TestChangeOfLockedOperatorsFileTimesOut(t *testing.T) {
	file := filepath.Join(t.TempDir(), TokensFile)
	lock, err := lockOperators(file, 0)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := lockOperators(file, 3*lockRetryInterval); err == nil || !strings.Contains(err.Error(), "another program is changing") {
		t.Errorf("a second lock: error %v", err)
	}
	if err := lock.Close(); err != nil {
		t.Fatal(err)
	}
	if lock, err = lockOperators(file, 0); err != nil {
		t.Fatalf("after the lock was released: %v", err)
	}
	lock.Close()
}

// A changed file of the same size and modification time is read again.
func TestOperatorsFileChangedWithoutNewTimeOrSizeIsReread(t *testing.T) {
	file := filepath.Join(t.TempDir(), TokensFile)
	old, err := AddOperator(file, "ann", Viewer, 0)
	if err != nil {
		t.Fatal(err)
	}
	info, err := os.Stat(file)
	if err != nil {
		t.Fatal(err)
	}
	tokens, err := OpenTokens(file)
	if err != nil {
		t.Fatal(err)
	}
	if err := RevokeOperator(file, "ann"); err != nil {
		t.Fatal(err)
	}
	if _, err := AddOperator(file, "bob", Viewer, 0); err != nil {
		t.Fatal(err)
	}
	if err := os.Chtimes(file, info.ModTime(), info.ModTime()); err != nil {
		t.Fatal(err)
	}
	tokens.checked = time.Time{}
	if _, err := newAuthenticator(tokens, false, time.Now).authenticateToken(old, addrFrom([4]byte{9})); err != errWrongToken {
		t.Errorf("the revoked token: %v", err)
	}
}
