package cluster

import (
	"errors"
	"log/slog"
	"slices"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/truestep-io/truestep/area"
	"github.com/truestep-io/truestep/sim"
)

// Node 3 has the first incarnation, and its players the serial numbers 2 to 4. A database that gives it one of these numbers again is older
// than its logs, whether these show the number with a player in a snapshot, with the login of a player, or with the node's own chunks.
func TestNodeDoesNotStartIfDatabaseIsOlderThanItsLogs(t *testing.T) {
	for name, c := range map[string]struct {
		players int
		lasts   time.Duration // time for which the nodes run after the players have entered
		newest  uint64        // greatest number that node 3 has used
	}{
		"chunks in the log":     {0, time.Second, 1},
		"logins in the log":     {3, time.Second, 4},
		"players in a snapshot": {3, 70 * time.Second, 4},
		"chunks in a snapshot":  {0, 70 * time.Second, 1},
	} {
		t.Run(name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				all := newCluster(t, fields(2), 3, 1)
				for _, n := range all.nodes[1:] {
					n.start()
				}
				time.Sleep(2 * time.Second)
				n := all.nodes[3]
				for i := range c.players {
					n.enter(sim.CharacterID(i+1), 1)
				}
				time.Sleep(c.lasts)
				if hasSnapshot := n.disks[1].snapshot.Index > 0; hasSnapshot != (c.lasts > time.Minute) {
					t.Fatalf("the log has a snapshot: %t", hasSnapshot)
				}
				all.stopAll()
				reopen := func(incarnation uint64) error {
					_, err := New(Options{
						World: all.def, Seed: 1, Nodes: all.list(), Self: 3, Incarnation: incarnation,
						Open: func(a sim.AreaID) (Kept, error) {
							d := n.disks[a]
							return Kept{d.state, d.snapshot, slices.Clone(d.entries), d, d.lost}, nil
						},
						Area: area.Options{Log: slog.New(slog.DiscardHandler)},
					})
					return err
				}
				if err := reopen(c.newest); !errors.Is(err, ErrDatabaseOlder) || !strings.Contains(err.Error(), "node n3 has the number") {
					t.Errorf("the node has used numbers up to %d and gets %d from the database: %v", c.newest, c.newest, err)
				}
				if err := reopen(c.newest + 1); err != nil {
					t.Errorf("the node has used numbers up to %d and gets %d from the database: %v", c.newest, c.newest+1, err)
				}
			})
		})
	}
}
