package bedrock

import (
	"testing"
	"time"

	proto "github.com/truestep-io/truestep/proto/bedrock"
	"github.com/truestep-io/truestep/sim/move"
)

// Two packets can request a respawn: Respawn and PlayerAction. A dead player respawns after either of them, but not after such a
// packet with a state or an action that does not request the respawn.
func TestDeadPlayerRespawnsOnlyOnRequest(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		says proto.Packet
		want int
	}{
		"requests the respawn":           {proto.Respawn{State: proto.RespawnClientReady}, 1},
		"requests the respawn by action": {proto.PlayerAction{Action: proto.ActionRespawn}, 1},
		"says searching":                 {proto.Respawn{State: proto.RespawnSearching}, 0},
		"says server ready":              {proto.Respawn{State: proto.RespawnServerReady}, 0},
		"has another action":             {proto.PlayerAction{Action: proto.ActionRespawn + 1}, 0},
	} {
		withServer(t, twoFields(), Options{}, func(srv *testServer) {
			b, a := srv.join("bob"), srv.join("ann")
			srv.advance(300 * time.Millisecond)
			w := a.walker()
			attackUntil(srv, w, runtimeIDOf(t, a, "bob"), func() bool { return countOf[proto.DeathInfo](b) > 0 })
			w.walk(40, move.Input{}) // 40 ticks are longer than the world's respawn delay
			b.takePackets()
			b.send(c.says)
			srv.advance(500 * time.Millisecond)
			if n := countOf[proto.MovePlayer](b); n != c.want {
				t.Errorf("packet that %s: %d respawns, want %d", name, n, c.want)
			}
		})
	}
}
