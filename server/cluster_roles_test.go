package server

import (
	"strings"
	"testing"

	webcl "github.com/truestep-io/truestep/client/web"
	"github.com/truestep-io/truestep/gateway"
	"github.com/truestep-io/truestep/gateway/rs"
	"github.com/truestep-io/truestep/gateway/web"
)

// leaders returns the names of the nodes that lead areas, as a server sees them. The name is "" if an area has no leader.
func leaders(s *Server) map[string]bool {
	names := map[string]bool{}
	for _, a := range s.cluster.host.Status().Areas {
		names[a.Lead] = true
	}
	return names
}

// snapshots returns the number of snapshots that a client has received.
func snapshots(c *webcl.Client) (n uint64) {
	c.Inspect(func(w *webcl.World) { n = w.Counts.Snapshots })
	return n
}

// Node a has doors and leads no areas; nodes b and c have no doors.
func TestClusterOfNodeWithDoorsOnlyAndNodesWithAreasOnly(t *testing.T) {
	nodes := startCluster(t, func(name string, cfg *Config) {
		cfg.World = loadWith(t, smallTOML()+moreAreas) // so that both nodes lead an area
		if name == "a" {
			cfg.Doors, cfg.ClusterLead = webAndRS(), false
			return
		}
		w, r := web.NewDoor(), rs.NewDoor()
		w.Web, r.Rs = gateway.Off, gateway.Off
		cfg.Doors = []gateway.Door{w, r}
	})
	onlyBAndC := func(s *Server) func() bool {
		return func() bool { l := leaders(s); return len(l) == 2 && l["b"] && l["c"] }
	}
	for _, s := range nodes {
		eventually(t, "nodes b and c lead all areas, as node "+s.cluster.name+" sees it", onlyBAndC(s))
	}
	guest, account := joinAsGuest(t, nodes[0], "")
	if account == "" {
		t.Error("the guest is not in the world through node a")
	}
	before := snapshots(guest)
	eventually(t, "the guest gets snapshots of an area that another node leads", func() bool { return snapshots(guest) >= before+20 })
	requireTicks(t, nodes...)

	cfg := nodes[0].cfg
	if err := nodes[0].Close(); err != nil {
		t.Fatal(err)
	}
	cfg.Doors = webAndRS()
	nodes[0] = start(t, cfg)
	eventually(t, "node a is connected again", func() bool { n := nodes[1].cluster.host.Status().Nodes[0]; return n.Up && n.NeverLeads })
	joinAsGuest(t, nodes[0], "")
	if err := nodes[2].Close(); err != nil {
		t.Fatal(err)
	}
	eventually(t, "node b leads all areas", func() bool { l := leaders(nodes[1]); return len(l) == 1 && l["b"] })
	requireTicks(t, nodes[:2]...)
	if l := leaders(nodes[0]); l["a"] {
		t.Errorf("node a leads areas: %v", l)
	}
	if err := nodes[0].cluster.host.Undrain(); err == nil || strings.Contains(err.Error(), "\n") {
		t.Errorf("undrained: %v", err)
	}
}
