package main

import (
	"os"
	"testing"

	"github.com/truestep-io/truestep/cluster/link"
)

func TestClusterKeysAreCreatedOncePerNode(t *testing.T) {
	here(t)
	made := "made keys of cluster world, valid until [0-9]{4}-[0-9]{2}-[0-9]{2}; copy each folder to the machine of its node:\n"
	keep := "keep keys/ca.key for nodes that are added later, and on none of these machines\n"
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
	expectOutput(t, 2, "truestep: create the cluster keys: keys/ca.key is missing, .*\n", append(command, "d")...)
}

// A server that is not in a cluster answers the commands with one line.
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
