package link

import (
	"bytes"
	"crypto/ed25519"
	"crypto/rand"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"testing"
	"testing/synctest"
	"time"
)

func createKeys(t *testing.T, dir, cluster string, nodes ...string) {
	t.Helper()
	made, err := CreateKeys(dir, cluster, nodes)
	if err != nil || !slices.Equal(made, nodes) {
		t.Fatalf("made %v, %v", made, err)
	}
}

func TestKeysOfNodesAreCreatedAndLoaded(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "keys")
	createKeys(t, dir, "world", "a", "b-2")
	for _, name := range []string{"a", "b-2"} {
		k, err := LoadKeys(filepath.Join(dir, name))
		if err != nil {
			t.Fatal(err)
		}
		if k.Cluster != "world" || k.Node != name || time.Until(k.Expires) < validity-time.Hour {
			t.Errorf("keys %+v", k)
		}
	}
	if runtime.GOOS == "windows" {
		return
	}
	err := filepath.WalkDir(dir, func(path string, d os.DirEntry, err error) error {
		if err != nil {
			return err
		}
		info, err := d.Info()
		if mode := info.Mode().Perm(); mode != 0o600 && !d.IsDir() || d.IsDir() && mode != 0o700 {
			t.Errorf("%s has mode %#o", path, mode)
		}
		return err
	})
	if err != nil {
		t.Error(err)
	}
}

func TestSecondCreateKeysCallAddsNodesAndOverwritesNothing(t *testing.T) {
	dir := t.TempDir()
	createKeys(t, dir, "world", "a")
	before, err := os.ReadFile(filepath.Join(dir, "a", nodeKeyFile))
	if err != nil {
		t.Fatal(err)
	}
	made, err := CreateKeys(dir, "world", []string{"a", "b"})
	if err != nil || !slices.Equal(made, []string{"b"}) {
		t.Errorf("made %v, %v", made, err)
	}
	after, _ := os.ReadFile(filepath.Join(dir, "a", nodeKeyFile))
	if !bytes.Equal(before, after) {
		t.Error("the key of node a was overwritten")
	}
	old, _ := os.ReadFile(filepath.Join(dir, "a", caFile))
	young, _ := os.ReadFile(filepath.Join(dir, "b", caFile))
	if !bytes.Equal(old, young) {
		t.Error("nodes a and b have different certificate authorities")
	}
	if list, _ := filepath.Glob(filepath.Join(dir, ".*")); len(list) > 0 {
		t.Errorf("temporary files %v", list)
	}
}

func TestCreateKeysRefusesInvalidNamesAndUnusableFolders(t *testing.T) {
	dir := t.TempDir()
	createKeys(t, dir, "world", "a")
	half, odd := t.TempDir(), t.TempDir()
	createKeys(t, half, "world", "a")
	createKeys(t, odd, "world", "a")
	remove(t, half, caFile)
	for _, c := range []struct {
		dir, cluster string
		nodes        []string
		want         string
	}{
		{dir, "other", []string{"a"}, `is of cluster "world", not of cluster "other"`},
		{dir, "World", []string{"a"}, `cluster "World": must be 1..32 characters of a-z, 0-9 and -`},
		{dir, "world", []string{"a", "../b", "a"}, "node \"../b\": must be 1..32 characters of a-z, 0-9 and -, and begin and end with a letter or digit\nnode \"a\" is named twice"},
		{dir, "world", []string{"a-"}, `node "a-"`},
		{dir, "world", []string{""}, `node ""`},
		{dir, "world", []string{strings.Repeat("a", 33)}, `node "aaa`},
		{dir, "world", nil, "0 nodes"},
		{dir, "world", make([]string, 17), "17 nodes"},
		{half, "world", []string{"b"}, "ca.crt is missing, and"},
		{filepath.Join(dir, caFile), "world", []string{"b"}, "not a directory"},
	} {
		if made, err := CreateKeys(c.dir, c.cluster, c.nodes); err == nil || !strings.Contains(err.Error(), c.want) || len(made) > 0 {
			t.Errorf("made %v, %v, want %q", made, err, c.want)
		}
	}
	remove(t, odd, caKeyFile)
	if _, err := CreateKeys(odd, "world", []string{"b"}); err == nil || !strings.Contains(err.Error(), "ca.key is missing") {
		t.Error(err)
	}
	_, key, err := ed25519.GenerateKey(rand.Reader)
	if err != nil {
		t.Fatal(err)
	}
	if err := writeKey(filepath.Join(odd, caKeyFile), key); err != nil {
		t.Fatal(err)
	}
	if _, err := CreateKeys(odd, "world", []string{"b"}); err == nil || !strings.Contains(err.Error(), "ca.key does not belong to the certificate") {
		t.Error(err)
	}
}

func remove(t *testing.T, path ...string) {
	t.Helper()
	if err := os.Remove(filepath.Join(path...)); err != nil {
		t.Fatal(err)
	}
}

func TestLoadKeysReportsEachUnusableFileOnOneLine(t *testing.T) {
	for name, c := range map[string]struct {
		harm func(t *testing.T, dir, other string) // damages dir, the folder of node a; other is the folder of a node a of another cluster
		want []string
	}{
		"no folder": {func(t *testing.T, dir, _ string) {
			if err := os.RemoveAll(dir); err != nil {
				t.Fatal(err)
			}
		}, []string{"there is no folder "}},
		"no key": {func(t *testing.T, dir, _ string) { remove(t, dir, nodeKeyFile) }, []string{" has no node.key: truestep cluster keys makes "}},
		"only authority": {func(t *testing.T, dir, _ string) { remove(t, dir, nodeKeyFile); remove(t, dir, certFile) },
			[]string{" has no node.crt, node.key: truestep cluster keys makes "}},
		"empty file": {func(t *testing.T, dir, _ string) { write(t, nil, dir, certFile) }, []string{"node.crt is damaged: it has no CERTIFICATE"}},
		"certificate instead of key": {func(t *testing.T, dir, _ string) { write(t, read(t, dir, certFile), dir, nodeKeyFile) },
			[]string{"node.key is damaged: it has no PRIVATE KEY"}},
		"damaged certificate": {func(t *testing.T, dir, _ string) {
			write(t, []byte("-----BEGIN CERTIFICATE-----\nAAAA\n-----END CERTIFICATE-----\n"), dir, caFile)
		}, []string{"ca.crt is damaged: x509"}},
		"damaged key": {func(t *testing.T, dir, _ string) {
			write(t, []byte("-----BEGIN PRIVATE KEY-----\nAAAA\n-----END PRIVATE KEY-----\n"), dir, nodeKeyFile)
		}, []string{"node.key is damaged: "}},
		"other authority": {func(t *testing.T, dir, other string) { write(t, read(t, other, caFile), dir, caFile) },
			[]string{"node.crt is not signed by"}},
		"key of another node": {func(t *testing.T, dir, other string) { write(t, read(t, other, nodeKeyFile), dir, nodeKeyFile) },
			[]string{"node.key does not belong to the certificate"}},
		"certificate of the authority": {func(t *testing.T, dir, _ string) {
			write(t, read(t, dir, caFile), dir, certFile)
			write(t, read(t, filepath.Dir(dir), caKeyFile), dir, nodeKeyFile)
		}, []string{"node.crt: the certificate of a node must have exactly one DNS name, but has 0"}},
		"open key": {func(t *testing.T, dir, _ string) {
			if err := os.Chmod(filepath.Join(dir, nodeKeyFile), 0o644); err != nil {
				t.Fatal(err)
			}
		}, []string{"node.key may be used by other users of this machine (mode 0644): chmod 600 "}},
	} {
		t.Run(name, func(t *testing.T) {
			if name == "open key" && runtime.GOOS == "windows" {
				t.Skip("LoadKeys checks no modes where files have access control lists")
			}
			dir, other := t.TempDir(), t.TempDir()
			createKeys(t, dir, "world", "a")
			createKeys(t, other, "other", "a")
			c.harm(t, filepath.Join(dir, "a"), filepath.Join(other, "a"))
			_, err := LoadKeys(filepath.Join(dir, "a"))
			if err == nil {
				t.Fatal("no error")
			}
			lines := strings.Split(err.Error(), "\n")
			if len(lines) != len(c.want) {
				t.Fatalf("%d lines, want %d:\n%v", len(lines), len(c.want), err)
			}
			for i, want := range c.want {
				if !strings.Contains(lines[i], want) || !strings.Contains(lines[i], dir) {
					t.Errorf("%q, want %q", lines[i], want)
				}
			}
		})
	}
}

func read(t *testing.T, path ...string) []byte {
	t.Helper()
	b, err := os.ReadFile(filepath.Join(path...))
	if err != nil {
		t.Fatal(err)
	}
	return b
}

func write(t *testing.T, b []byte, path ...string) {
	t.Helper()
	if err := os.WriteFile(filepath.Join(path...), b, 0o600); err != nil {
		t.Fatal(err)
	}
}

func TestExpiredKeysAreRefused(t *testing.T) {
	dir := t.TempDir()
	synctest.Test(t, func(t *testing.T) {
		createKeys(t, dir, "world", "a")
		time.Sleep(validity - time.Hour)
		if _, err := LoadKeys(filepath.Join(dir, "a")); err != nil {
			t.Error(err)
		}
		createKeys(t, dir, "world", "b") // the certificate of b expires when that of the authority does
		time.Sleep(2 * time.Hour)
		for _, name := range []string{"a", "b"} {
			_, err := LoadKeys(filepath.Join(dir, name))
			if err == nil || strings.Count(err.Error(), "has expired on 2009-12-29: ") != 2 {
				t.Error(err)
			}
		}
		if _, err := CreateKeys(dir, "world", []string{"c"}); err == nil || !strings.Contains(err.Error(), "ca.crt has expired") {
			t.Error(err)
		}
	})
	future := t.TempDir()
	createKeys(t, future, "world", "a")
	synctest.Test(t, func(t *testing.T) { // in the year 2000
		if _, err := LoadKeys(filepath.Join(future, "a")); err == nil || !strings.Contains(err.Error(), "set the clock of this machine, which is behind") {
			t.Error(err)
		}
	})
}

// A node logs at its start that its certificate expires soon, because the other nodes refuse connections with an expired
// certificate.
func TestKeysNearExpiryAreLoggedAtStart(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		r := newRig(t)
		time.Sleep(validity - 10*time.Second)
		b := r.start(2, nil)
		a := r.start(1, nil)
		a.logged("expires soon")
		a.expect(time.Second, "up 2")
		time.Sleep(10 * time.Second)
		r.cut()
		time.Sleep(time.Second)
		synctest.Wait()
		if s := a.Status()[0]; s.Connected || !strings.Contains(s.Problem, "the peer's certificate has expired or is not valid yet") {
			t.Errorf("status %+v", s)
		}
		b.Close()
	})
}
