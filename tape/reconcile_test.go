package tape

import (
	"strings"
	"testing"
	"testing/synctest"

	"github.com/truestep-io/truestep/sim"
)

// sim.Reconcile may change an area after it was restored. Stepping the ticks from before that change gives another state, so
// the area must be restored from a snapshot that was taken after the change.
func TestAreaIsRestoredFromSnapshotTakenAfterRemovalOfDuplicatePlayer(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		o := options(newDisk())
		o.Records = true // no record is saved, so recovery prefers the oldest snapshot
		p := start(t, o, 1)
		p.run(5)
		double := enter(o.World, 9, 5)
		double.Join.Character.ID = 1 // this player has the same character as player 1
		p.step([]sim.Intent{double})
		p.run(5)
		p.stop(t, false)

		tape, err := Open(o)
		if err != nil {
			t.Fatal(err)
		}
		p.tape = tape
		p.log, p.area = tape.OpenArea(0)
		if changes := sim.Reconcile([]*sim.Area{p.area}); len(changes) != 1 {
			t.Fatalf("changes %q, want the older of two players removed", changes)
		}
		p.hash = p.area.Hash()
		p.snapshot()
		p.run(10)
		want, tick := stateOf(p.area), p.area.Now()
		p.stop(t, false)

		r, err := restore(o)
		if err != nil || r.Area == nil {
			t.Fatalf("restored %+v, %v", r, err)
		}
		if r.Area.Now() != tick || stateOf(r.Area) != want || strings.Contains(strings.Join(r.Report, "\n"), "another state") {
			t.Errorf("restored to tick %d, want %d with the same state\n%s", r.Area.Now(), tick, strings.Join(r.Report, "\n"))
		}
	})
}
