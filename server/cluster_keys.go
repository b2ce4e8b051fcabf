package server

import (
	"fmt"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"github.com/truestep-io/truestep/cluster/link"
)

// Cluster contains the commands about the nodes of a cluster.
type Cluster struct {
	Keys ClusterKeys `cmd:"" help:"Make the keys with which the nodes of a cluster know each other."`
}

// ClusterKeys is the command that creates the keys of the nodes of a cluster.
type ClusterKeys struct {
	Dir     string   `arg:"" help:"Folder of the keys; made if it does not exist."`
	Cluster string   `help:"Name of the cluster, such as world." placeholder:"NAME" required:""`
	Nodes   []string `help:"Names of the nodes, such as a,b,c." placeholder:"NAME" required:""`
}

// Help returns the text that is printed below the flags of the command.
func (*ClusterKeys) Help() string {
	return `Examples:
  truestep cluster keys ./keys --cluster world --nodes a,b,c
  truestep cluster keys ./keys --cluster world --nodes a,b,c,d   adds node d; the others keep their keys

The folder gets ca.crt and ca.key, the cluster's certificate authority, and for each node a folder of its name, which is copied to
the machine of that node. Nothing is overwritten: to renew the keys of a node, remove its folder and run the command again.

Nodes connect by TLS 1.3 and accept only certificates of their own cluster. Names are of a-z, 0-9 and -, at most 32 characters.
ca.key belongs on no node: with it anybody can make the keys of a node. If it or the key of a node is stolen, make all keys again
in another folder.`
}

// Run creates the keys that do not exist yet and prints which folder to copy to which machine.
func (c *ClusterKeys) Run(to Output) error {
	made, err := link.CreateKeys(c.Dir, c.Cluster, c.Nodes)
	if err != nil {
		return &Problem{fmt.Errorf("create the cluster keys: %w", err)}
	}
	if had := slices.DeleteFunc(slices.Clone(c.Nodes), func(n string) bool { return slices.Contains(made, n) }); len(had) > 0 {
		fmt.Fprintf(to.Out, "unchanged, because their folders exist: %s\n", strings.Join(had, ", "))
	}
	if len(made) == 0 {
		return nil
	}
	keys, err := link.LoadKeys(filepath.Join(c.Dir, made[0]))
	if err != nil {
		return &Problem{fmt.Errorf("read the new cluster keys: %w", err)}
	}
	fmt.Fprintf(to.Out, "made keys of cluster %s, valid until %s; copy each folder to the machine of its node:\n", c.Cluster, keys.Expires.UTC().Format(time.DateOnly))
	for _, name := range made {
		fmt.Fprintf(to.Out, "  %s: %s\n", name, filepath.Join(c.Dir, name))
	}
	fmt.Fprintf(to.Out, "keep %s for nodes that are added later, and on none of these machines\n", filepath.Join(c.Dir, "ca.key"))
	return nil
}
