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
	"github.com/truestep-io/truestep/sim/geom"
	"github.com/truestep-io/truestep/sim/move"
	"github.com/truestep-io/truestep/sim/reason"
)

// flyer is a bot behaviour that presses random keys, glides whenever the player is high enough, and uses fireworks.
type flyer struct {
	rng   *rand.Rand
	keys  bot.Keys
	turn  float32        // rotation in degrees per tick
	until uint64         // tick at which the flyer chooses other keys
	spent map[string]int // number of ticks that the player had each effect
}

// Act returns the keys of the next tick.
func (fl *flyer) Act(p *bot.Player) bot.Keys {
	a := p.State()
	fl.countEffects(&a)
	if p.Tick() >= fl.until {
		fl.chooseKeys(&a, p.Tick())
	}
	if a.Gliding && fl.rng.IntN(15) == 0 || fl.rng.IntN(200) == 0 {
		p.UseItem()
	}
	fl.keys.Yaw += fl.turn
	return fl.keys
}

func (fl *flyer) countEffects(a *move.Avatar) {
	for name, has := range map[string]bool{
		"gliding": a.Gliding, "firework": a.GlideBoost > 0, "faster": a.Speed > move.WalkSpeed, "slower": a.Speed < move.WalkSpeed,
		"jump boost": a.JumpBoost > 0, "levitation": a.Levitation > 0, "slow falling": a.SlowFalling > 0,
	} {
		if has {
			fl.spent[name]++
		}
	}
}

func (fl *flyer) chooseKeys(a *move.Avatar, tick uint64) {
	l := fl.rng
	pick := func(of ...float32) float32 { return of[l.IntN(len(of))] }
	fl.until = tick + 3 + l.Uint64N(40)
	fl.turn = pick(0, 0, 0, 3, -7)
	fl.keys = bot.Keys{
		Yaw: a.Yaw + pick(0, 0, 1)*(l.Float32()*360-180), Pitch: pick(0, 1, 1) * (l.Float32()*110 - 60),
		Forward: pick(1, 1, 1, 1, 0.8, 0, -1), Strafe: pick(0, 0, 0, 1, -1, 0.4),
		Sprint: l.IntN(5) < 3, Jump: l.IntN(5) < 2, Sneak: l.IntN(8) == 0, Glide: l.IntN(4) > 0,
	}
	if geom.DistXZ(a.Pos, geom.Vec{}) > 18 || l.IntN(4) == 0 {
		fl.keys.Yaw = yawTo(a.Pos, geom.Vec{X: l.Float32()*24 - 12, Z: l.Float32()*24 - 12})
	}
}

// effectsWorld returns the world of testdata/effects.toml.
func effectsWorld(t *testing.T) *content.World {
	t.Helper()
	src, err := os.ReadFile(filepath.Join("testdata", "effects.toml"))
	if err != nil {
		t.Fatal(err)
	}
	w, _, err := content.LoadWorld("effects.toml", src)
	if err != nil {
		t.Fatal(err)
	}
	return w
}

// Honest clients with random keys that get every effect, glide and use fireworks are never corrected, over any network.
// The server corrects differences above a hundredth of a block.
func TestSoakPlayersWithEffectsAreNotCorrected(t *testing.T) {
	skipSoakIfShort(t)
	t.Parallel()
	clients, duration, shards := 9, 20*time.Second, 1
	if soakIsFull() {
		clients, duration, shards = 90, soakDuration(), 2
	}
	nets := []soakNet{{RTT: 0}, {RTT: 100, Loss: 0.02}, {RTT: 300, Loss: 0.05}}
	withSoakModels(t, effectsWorld(t), shards, func(srv *soakServer) {
		flyers := make([]*flyer, clients)
		for i := range clients {
			flyers[i] = &flyer{rng: rand.New(rand.NewPCG(srv.seed(uint64(i)), 0x666c7921)), spent: map[string]int{}}
			srv.addClient(bot.Options{Name: fmt.Sprintf("Flyer %d", i)}, nets[i%len(nets)], flyers[i])
		}
		srv.waitForJoins()
		srv.advance(duration)
		srv.assertFlyers(flyers)
	})
}

// assertFlyers fails the test for each correction that a connection stall did not cause.
func (srv *soakServer) assertFlyers(flyers []*flyer) {
	inputs, stalls, spent := uint64(0), 0, map[string]int{}
	for i, c := range srv.clients {
		rec := srv.checker.record(c.name)
		if c.closed || c.err != nil || rec.expelled != reason.None {
			srv.t.Errorf("%s was disconnected: %v, %v", c.name, c.err, rec.expelled)
		}
		if total(rec.byCause) > rec.byCause[connectionStall]+rec.byCause["landing"] { // a stall may end in a teleport, which causes a correction
			srv.t.Errorf("%s on %v was corrected %v: %v", c.name, c.net, rec.byCause, rec.notes)
		}
		n := c.Counts()
		inputs += n.Inputs
		merge(spent, flyers[i].spent)
		stalls += rec.byCause[connectionStall]
	}
	if stalls > 2+int(inputs)/10_000 { // with 5 % packet loss a connection sometimes stalls for two seconds, and effects change constantly
		srv.t.Errorf("%d corrections after connection stalls, more than expected", stalls)
	}
	srv.t.Logf("%d inputs, of them with effects %v; corrections after stalls: %d", inputs, spent, stalls)
	for _, name := range []string{"gliding", "firework", "faster", "slower", "jump boost", "levitation", "slow falling"} {
		if spent[name] < int(inputs)/200 {
			srv.t.Errorf("only %d of %d inputs with %s", spent[name], inputs, name)
		}
	}
}
