package server

import (
	"bytes"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"github.com/truestep-io/truestep/cluster/link"
	"github.com/truestep-io/truestep/gateway/rs"
	"github.com/truestep-io/truestep/gateway/web"
	"github.com/truestep-io/truestep/internal/fsync"
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
	From    string   `help:"Data folder of a server that becomes a cluster: its clients and guests keep their keys." placeholder:"DIR"`
}

// Help returns the text that is printed below the flags of the command.
func (*ClusterKeys) Help() string {
	return `Examples:
  truestep cluster keys ./keys --cluster world --nodes a,b,c
  truestep cluster keys ./keys --cluster world --nodes a,b,c,d   adds node d; the others keep their keys
  truestep cluster keys ./keys --cluster world --nodes a,b,c --from /var/lib/truestep   for a server that becomes a cluster

The folder gets ca.crt and ca.key, the cluster's certificate authority, and for each node a folder of its name, which is copied to
the machine of that node. Nothing is overwritten: to renew the keys of a node, remove its folder and run the command again.

All nodes share two keys of doors, of which each folder has a copy: rs-key.pem, whose public half in rs-public.txt is in all
patched RuneScape clients, and web.key, which signs the guests and tickets of the web door. A server that becomes a cluster has
them in its data folder: with --from its clients need no new patch, and its guests keep their characters.

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
	added, err := c.shareDoorKeys()
	if err != nil {
		return &Problem{fmt.Errorf("create the keys of doors: %w", err)}
	}
	added = slices.DeleteFunc(added, func(n string) bool { return slices.Contains(made, n) })
	if had := slices.DeleteFunc(slices.Clone(c.Nodes), func(n string) bool { return slices.Contains(made, n) || slices.Contains(added, n) }); len(had) > 0 {
		fmt.Fprintf(to.Out, "unchanged, because their folders exist: %s\n", strings.Join(had, ", "))
	}
	if len(added) > 0 {
		fmt.Fprintf(to.Out, "added %s to the folders of %s: copy them to the machines of these nodes\n", strings.Join(doorKeys, " and "), strings.Join(added, ", "))
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
	fmt.Fprintf(to.Out, "keep %s for nodes that are added later; %s belongs on none of these machines\n", c.Dir, filepath.Join(c.Dir, "ca.key"))
	return nil
}

// doorKeys are the names of the files with the keys that the doors of all nodes share.
var doorKeys = []string{rs.KeyFile, web.KeyFile}

// shareDoorKeys creates the keys that the doors of all nodes share, or takes them from the data folder of a server. It copies them to
// the folders of the nodes, and returns the nodes whose folders lacked a key.
func (c *ClusterKeys) shareDoorKeys() (added []string, err error) {
	if c.From != "" {
		if err := c.takeDoorKeys(); err != nil {
			return nil, err
		}
	}
	if _, err := rs.LoadKey(c.Dir, c.Dir); err != nil {
		return nil, err
	}
	if err := web.EnsureKey(c.Dir); err != nil {
		return nil, err
	}
	for _, node := range c.Nodes {
		for _, name := range doorKeys {
			copied, err := copyKey(filepath.Join(c.Dir, name), filepath.Join(c.Dir, node, name))
			if err != nil {
				return nil, err
			}
			if copied && !slices.Contains(added, node) {
				added = append(added, node)
			}
		}
	}
	return added, nil
}

// takeDoorKeys copies the keys of doors from the data folder of a server. A key that the server does not have is left out.
func (c *ClusterKeys) takeDoorKeys() error {
	found := 0
	for _, name := range doorKeys {
		_, err := copyKey(filepath.Join(c.From, name), filepath.Join(c.Dir, name))
		if errors.Is(err, fs.ErrNotExist) {
			continue
		}
		if err != nil {
			return err
		}
		found++
	}
	if found == 0 {
		return fmt.Errorf("%s has neither %s: name the data folder of the server with --from", c.From, strings.Join(doorKeys, " nor "))
	}
	return nil
}

// copyKey copies a key file. If the copy exists with the same content, copyKey does nothing and returns false.
func copyKey(from, to string) (copied bool, err error) {
	key, err := os.ReadFile(from)
	if err != nil {
		return false, err
	}
	existing, err := os.ReadFile(to)
	if errors.Is(err, fs.ErrNotExist) {
		return true, fsync.WriteFile(to, key)
	}
	if err == nil && !bytes.Equal(existing, key) {
		err = fmt.Errorf("%s and %s are different keys, but all nodes share one: copy the one that clients know over the other", from, to)
	}
	return false, err
}
