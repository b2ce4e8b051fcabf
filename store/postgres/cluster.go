package postgres

import (
	"context"
	"errors"
	"fmt"
	"strings"
)

// ErrOtherCluster means that the nodes of another cluster, or of another list of nodes, use the database, running or stopped.
var ErrOtherCluster = errors.New("the database is that of another cluster or list of nodes")

// Cluster names the cluster of the node whose process opens the database with Node, and all nodes of that cluster in order. The first node
// stores both in the database, and Open then fails with ErrOtherCluster for a node of another name or list: a node takes a holder of an
// account whose name is not in its list for dead. With BeginAreas the node stores its own if no node runs. Replace deletes what is stored.
func Cluster(name string, nodes []string) Option {
	return func(s *Store) { s.cluster, s.nodes = name, strings.Join(nodes, ",") }
}

// clusterID is what the database has of the cluster whose nodes use it. It is zero if no node has used the content.
type clusterID struct{ name, nodes string }

// isOf reports whether a cluster is that of this node. It is true if this process was opened without Cluster.
func (s *Store) isOf(c clusterID) bool {
	return s.cluster == "" || c == clusterID{s.cluster, s.nodes}
}

// cluster returns the cluster of the database.
func (o *owner) cluster(ctx context.Context) (c clusterID, err error) {
	err = o.conn.QueryRow(ctx, `SELECT cluster, nodes FROM store`).Scan(&c.name, &c.nodes)
	return clusterID{unescape(c.name), unescape(c.nodes)}, err
}

// joinCluster stores the cluster of this node in a database that has none. It is called with the shared lock of the areas, so that no other
// process changes the cluster at the same time. The result refused is ErrOtherCluster with a text for the operator if the database is that of
// another cluster.
func (o *owner) joinCluster(ctx context.Context) (refused, err error) {
	s := o.store
	if s.cluster == "" {
		return nil, nil
	}
	if err := checkText(s.cluster, s.nodes); err != nil {
		return nil, err
	}
	if _, err := o.conn.Exec(ctx, `UPDATE store SET cluster = $1, nodes = $2 WHERE cluster = ''`, escape(s.cluster), escape(s.nodes)); err != nil {
		return nil, err
	}
	c, err := o.cluster(ctx)
	if err != nil || s.isOf(c) {
		return nil, err
	}
	change := "stop all nodes that use it, move the folder cluster of each data folder away, and start all nodes once with --cluster-begin"
	if s.begin {
		change = "stop all nodes that use it, because --cluster-begin has no effect while one runs"
	}
	return fmt.Errorf("%s: %w: it is used by the cluster %q of the nodes %s, and this node is of the cluster %q of the nodes %s: correct --cluster or --cluster-name of this node if it is to be a node of that cluster, name the database of this cluster with --store if it has another, or, if this cluster is to use that one, %s",
		s.where, ErrOtherCluster, c.name, c.nodes, s.cluster, s.nodes, change), nil
}

// checkCluster returns ErrInUse if the database has become that of another cluster while this process was not connected to it. It stores what
// joinCluster has stored if the database lacks it, because a standby took over that had not received it.
func (o *owner) checkCluster(ctx context.Context) error {
	refused, err := o.joinCluster(ctx)
	if refused != nil {
		err = ErrInUse
	}
	return err
}
