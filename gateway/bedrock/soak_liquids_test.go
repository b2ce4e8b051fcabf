package bedrock

import (
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"testing"
	"time"

	bot "github.com/truestep-io/truestep/client/bedrock"
	"github.com/truestep-io/truestep/content"
	"github.com/truestep-io/truestep/sim/move"
	"github.com/truestep-io/truestep/sim/reason"
	"github.com/truestep-io/truestep/sim/terrain"
)

// swimmer is a bot behaviour that presses random keys.
type swimmer struct {
	rng      *rand.Rand
	keys     bot.Keys
	turn     float32 // rotation in degrees per tick
	until    uint64  // tick at which the swimmer chooses other keys
	swimming int     // ticks in the swimming posture
	wet      int     // ticks in water
	inLava   int     // ticks in lava
}

// Act returns the keys of the next tick.
func (sw *swimmer) Act(p *bot.Player) bot.Keys {
	a := p.State()
	if a.Swimming {
		sw.swimming++
	}
	if a.TouchesWater(p.Ground().Blocks()) {
		sw.wet++
	}
	if p.Ground().Blocks().LiquidAt(a.Pos).Liquid == terrain.LavaLiquid {
		sw.inLava++
	}
	if p.Tick() >= sw.until {
		sw.chooseKeys(&a, p.Tick())
	}
	sw.keys.Yaw += sw.turn
	return sw.keys
}

func (sw *swimmer) chooseKeys(a *move.Avatar, tick uint64) {
	l := sw.rng
	pick := func(of ...float32) float32 { return of[l.IntN(len(of))] }
	sw.until = tick + 3 + l.Uint64N(50)
	sw.turn = pick(0, 0, 0, 3, -7)
	sw.keys = bot.Keys{
		Yaw: a.Yaw + pick(0, 0, 1)*(l.Float32()*360-180), Pitch: pick(0, 0, 1, 1) * (l.Float32()*120 - 60),
		Forward: pick(1, 1, 1, 1, 0.8, 0, -1), Strafe: pick(0, 0, 0, 1, -1, 0.4),
		Sprint: l.IntN(5) < 3, Jump: l.IntN(5) < 2, Sneak: l.IntN(8) == 0,
	}
}

// Honest clients with random keys in water, lava, streams and bubble columns are never corrected, over any network. The
// server corrects differences above a hundredth of a block.
func TestSoakSwimmersAreNotCorrected(t *testing.T) {
	skipSoakIfShort(t)
	t.Parallel()
	clients, duration, shards := 9, 15*time.Second, 1
	if soakIsFull() {
		clients, duration, shards = 90, soakDuration(), 2
	}
	src, err := os.ReadFile(filepath.Join("testdata", "pools.toml"))
	if err != nil {
		t.Fatal(err)
	}
	w, _, err := content.LoadWorld("pools.toml", src)
	if err != nil {
		t.Fatal(err)
	}
	nets := []soakNet{{RTT: 0}, {RTT: 100, Loss: 0.02}, {RTT: 300, Loss: 0.05}}
	withSoakServer(t, w.World, shards, func(srv *soakServer) {
		swimmers := make([]*swimmer, clients)
		for i := range clients {
			swimmers[i] = &swimmer{rng: rand.New(rand.NewPCG(srv.seed(uint64(i)), 0x77657421))}
			srv.addClient(bot.Options{Name: fmt.Sprintf("Swimmer %d", i)}, nets[i%len(nets)], swimmers[i])
		}
		srv.waitForJoins()
		srv.advance(duration)
		srv.assertSwimmers(swimmers)
	})
}

// assertSwimmers fails the test for each correction. Exempt are corrections after a connection stall, and one after
// each teleport that replaces a late correction.
func (srv *soakServer) assertSwimmers(swimmers []*swimmer) {
	inputs, swimming, wet, inLava, stalls := uint64(0), 0, 0, 0, 0
	for i, c := range srv.clients {
		rec := srv.checker.record(c.name)
		if c.closed || c.err != nil || rec.expelled != reason.None {
			srv.t.Errorf("%s was disconnected: %v, %v", c.name, c.err, rec.expelled)
		}
		if total(rec.byCause) > rec.byCause[connectionStall]+min(rec.byCause["landing"], rec.resyncs) {
			srv.t.Errorf("%s on %v was corrected %v: %v", c.name, c.net, rec.byCause, rec.notes)
		}
		n := c.Counts()
		inputs += n.Inputs
		swimming, wet, inLava = swimming+swimmers[i].swimming, wet+swimmers[i].wet, inLava+swimmers[i].inLava
		stalls += rec.byCause[connectionStall]
	}
	if stalls > max(2, len(srv.clients)/10) {
		srv.t.Errorf("%d corrections after connection stalls, more than expected", stalls)
	}
	srv.t.Logf("%d inputs, %d in water, %d swimming, %d in lava; corrections after stalls: %d", inputs, wet, swimming, inLava, stalls)
	if wet < int(inputs)/4 || swimming < int(inputs)/30 || inLava == 0 {
		srv.t.Errorf("only %d of %d inputs in water, %d swimming, %d in lava", wet, inputs, swimming, inLava)
	}
}
