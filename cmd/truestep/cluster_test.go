package main

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/truestep-io/truestep/cluster/link"
	"github.com/truestep-io/truestep/gateway/rs"
)

func TestClusterKeysAreCreatedOncePerNode(t *testing.T) {
	here(t)
	made := "made keys of cluster world, valid until [0-9]{4}-[0-9]{2}-[0-9]{2}; copy each folder to the machine of its node:\n"
	keep := "keep keys for nodes that are added later; keys/ca.key belongs on none of these machines\n"
	command := []string{"cluster", "keys", "keys", "--cluster", "world", "--nodes"}
	expectOutput(t, 0, made+"  a: keys/a\n  b: keys/b\n"+keep, append(command, "a,b")...)
	expectOutput(t, 0, "unchanged, because their folders exist: a, b\n"+made+"  c: keys/c\n"+keep, append(command, "a,b,c")...)
	expectOutput(t, 0, "unchanged, because their folders exist: a\n", append(command, "a")...)
	for _, name := range []string{"a", "b", "c"} {
		if k, err := link.LoadKeys("keys/" + name); err != nil || k.Node != name || k.Cluster != "world" {
			t.Errorf("%+v, %v", k, err)
		}
	}
	expectOutput(t, 2, "truestep: create the cluster keys: node \"B\": must be .*\ntruestep: node \"a\" is named twice\n", append(command, "a,B,a")...)
	expectOutput(t, 2, "truestep: create the cluster keys: the certificate keys/ca.crt is of cluster \"world\", not of cluster \"other\": name another folder\n",
		"cluster", "keys", "keys", "--cluster", "other", "--nodes", "a")
	expectOutput(t, 2, "truestep: missing flags: --cluster=NAME, --nodes=NAME,...; see truestep cluster keys --help\n", "cluster", "keys", "keys")
	if err := os.Remove("keys/ca.key"); err != nil {
		t.Fatal(err)
	}
	expectOutput(t, 2, "truestep: create the cluster keys: keys/ca.key is missing \\(it signs the keys of nodes\\), .*\n", append(command, "d")...)
}

// All nodes get the same keys of doors. The command also adds these keys to existing folders of nodes that lack them.
func TestClusterKeysCommandGivesAllNodesSameDoorKeys(t *testing.T) {
	here(t)
	command := []string{"cluster", "keys", "keys", "--cluster", "world", "--nodes"}
	if code, _, errs := truestep(append(command, "a,b")...); code != 0 {
		t.Fatal(errs)
	}
	for _, name := range []string{"rs-key.pem", "web.key"} {
		if err := os.Remove(filepath.Join("keys/b", name)); err != nil {
			t.Fatal(err)
		}
	}
	if code, out, errs := truestep(append(command, "a,b,c")...); code != 0 || !strings.HasPrefix(out, "unchanged, because their folders exist: a\n"+
		"added rs-key.pem and web.key to the folders of b: copy them to the machines of these nodes\nmade keys of cluster world") {
		t.Errorf("exit status %d, %s%s", code, out, errs)
	}
	for _, name := range []string{"rs-key.pem", "web.key"} {
		want := textOf(t, filepath.Join("keys", name))
		for _, node := range []string{"a", "b", "c"} {
			if got := textOf(t, filepath.Join("keys", node, name)); want == "" || got != want {
				t.Errorf("node %s has another %s than the rest", node, name)
			}
		}
	}
	write(t, "keys/a/web.key", textOf(t, "keys/ca.crt"))
	expectOutput(t, 2, "truestep: create the keys of doors: keys/web.key and keys/a/web.key are different keys, .*\n", append(command, "a,b")...)
}

func TestClusterKeysCommandCopiesDoorKeysOfExistingServer(t *testing.T) {
	here(t)
	if _, err := rs.LoadKey(".", "."); err != nil {
		t.Fatal(err)
	}
	command := []string{"cluster", "keys", "keys", "--cluster", "world", "--nodes", "a,b", "--from"}
	if code, _, errs := truestep(append(command, ".")...); code != 0 {
		t.Fatal(errs)
	}
	for _, name := range []string{"rs-key.pem", "rs-public.txt"} {
		if textOf(t, filepath.Join("keys", name)) != textOf(t, name) {
			t.Errorf("the cluster has another %s than the server had", name)
		}
	}
	if textOf(t, "keys/b/rs-key.pem") != textOf(t, "rs-key.pem") {
		t.Error("node b has another key than the server had")
	}
	if err := os.Mkdir("other", 0o700); err != nil {
		t.Fatal(err)
	}
	write(t, "other/web.key", "0")
	expectOutput(t, 2, "truestep: create the keys of doors: other/web.key and keys/web.key are different keys, .*\n", append(command, "other")...)
	expectOutput(t, 2, "truestep: create the keys of doors: nowhere has neither rs-key.pem nor web.key: .*\n", append(command, "nowhere")...)
}

// If there is no server, or if the server is not in a cluster, each command prints one line.
func TestClusterCommandsFailWithoutServerOrCluster(t *testing.T) {
	t.Parallel()
	_, data := serveForAdmin(t)
	for _, args := range [][]string{{"status"}, {"status", "--json"}, {"drain"}, {"undrain"}, {"move", "0", "b"}} {
		code, out, errs := truestep(append(append([]string{"cluster"}, args...), "--data-dir", data)...)
		if code != 2 || out != "" || errs != "truestep: this server is not a node of a cluster\n" {
			t.Errorf("%v: exit status %d, %q %q", args, code, out, errs)
		}
	}
	code, _, errs := truestep("cluster", "status", "--data-dir", "nowhere")
	if code != 2 || errs != "truestep: there is no folder nowhere: name the folder of a server's data with --data-dir DIR\n" {
		t.Errorf("exit status %d, %q", code, errs)
	}
}

// textOf returns the content of a file.
func textOf(t *testing.T, path string) string {
	t.Helper()
	b, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	return string(b)
}
