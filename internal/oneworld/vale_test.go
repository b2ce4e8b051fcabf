package oneworld

import (
	"slices"
	"testing"
	"time"

	"github.com/truestep-io/truestep/chatlog"
	"github.com/truestep-io/truestep/content"
	"github.com/truestep-io/truestep/sim"
)

// New players of all doors, without accounts, meet where new characters start in the embedded world: they see each other and
// NPCs, chat, and attack one of the rats.
func TestNewPlayersOfAllProtocolsMeetInDefaultWorld(t *testing.T) {
	overAllLines(t, func(testing.TB) *content.World { return content.DefaultWorld() }, func(t *testing.T, r *rig) {
		var all []*player
		for _, door := range doors {
			p, err := r.dial(t.Context(), door, "New"+door)
			if err != nil {
				t.Fatal(err)
			}
			t.Cleanup(p.leave)
			all = append(all, p)
		}
		for _, p := range all {
			waitFor(t, p.name+" is in the world", func() bool { _, _, ok := r.truth.player(p.name); return ok })
		}
		r.waitForPositions(t, "Truestep Vale", all, all)
		for _, p := range all {
			waitFor(t, p.name+" sees a rat", func() bool { return slices.Contains(p.names(), "Rat") })
			p.say("Hail from " + p.name)
		}
		for _, p := range all {
			for _, o := range all {
				if p != o {
					waitFor(t, p.name+" hears "+o.name, func() bool { return p.heard(o.name, "Hail from "+o.name) })
				}
			}
		}
		time.Sleep(time.Second)
		for _, p := range all {
			list, err := r.chat.Search(t.Context(), chatlog.Query{Who: p.name, Words: "hail"})
			if err != nil || len(list) != 1 || list[0].Door != p.door || list[0].Player != p.name || list[0].Account == "" || list[0].Area != "Truestep Vale" || list[0].Text != "Hail from "+p.name {
				t.Errorf("%s: the chat log has %+v, %v", p.name, list, err)
			}
		}
		for _, door := range [...]string{rs, rcce, bedrock, web} { // RuneScape players are the slowest, so they attack first
			p := playersOf(door, all)[0]
			p.startFight("Rat")
			waitFor(t, p.name+" attacks a rat", func() bool { return len(r.truth.eventsOf(sim.EventAttacked, p.name, "Rat")) > 0 })
			p.stopFight()
		}
		checkHonest(t, all...)
	})
}
