package bedrock

import (
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	bot "github.com/truestep-io/truestep/client/bedrock"
	"github.com/truestep-io/truestep/content"
	"github.com/truestep-io/truestep/interest"
	"github.com/truestep-io/truestep/sim"
	"github.com/truestep-io/truestep/sim/combat"
	"github.com/truestep-io/truestep/sim/geom"
	"github.com/truestep-io/truestep/sim/move"
	"github.com/truestep-io/truestep/sim/reason"
)

// paddockPolicy is an interest policy with a radius that is large enough for each player to see the vehicles that it can reach.
var paddockPolicy = interest.Policy{CloseRadius: 8, FarRadius: 16, EnterRadius: 16, LeaveRadius: 18, IntervalMS: 100, MiddleEveryMS: 200}

// paddock returns the world of testdata/paddock.toml with count vehicles of a template in a grid around the point (x, z).
func paddock(t *testing.T, template string, count int, x, z float32) *content.World {
	t.Helper()
	src, err := os.ReadFile(filepath.Join("testdata", "paddock.toml"))
	if err != nil {
		t.Fatal(err)
	}
	var b strings.Builder
	b.Write(src)
	for i := range count {
		fmt.Fprintf(&b, "\n[[area.spawn]]\ntemplate = %q\nat = [%v, 0, %v]\nsize = 0\nevery = 1\n", template, x+float32(i%8)*2.5-9, z+float32(i/8)*2.5-float32(count)/8)
	}
	w, _, err := content.LoadWorld("paddock.toml", []byte(b.String()))
	if err != nil {
		t.Fatal(err)
	}
	return w
}

// stableHand is a bot behaviour that walks to a vehicle with a free seat, rides it with random keys for a while, and
// leaves it.
type stableHand struct {
	rng         *rand.Rand
	keys        bot.Keys
	turn        float32 // rotation in degrees per tick
	until       uint64  // tick at which the rider chooses other keys
	leaveTick   uint64  // tick at which the rider leaves the vehicle, 0 on foot
	walkUntil   uint64  // tick until which the rider does not mount again
	nextRequest uint64  // tick of the next request to mount
	wasDriver   bool    // the player drove in the last tick
	drove, sat  int     // number of ticks as the driver, and as a passenger
	rides       int     // number of times that the player mounted a vehicle
	promoted    int     // number of times that a passenger became the driver
}

// Act returns the keys of the next tick.
func (h *stableHand) Act(p *bot.Player) bot.Keys {
	runtime, drives := p.Riding()
	if runtime == 0 {
		h.leaveTick, h.wasDriver = 0, false
		return h.walk(p)
	}
	if h.leaveTick == 0 {
		h.leaveTick = p.Tick() + 40 + h.rng.Uint64N(300)
		h.rides++
	} else if drives && !h.wasDriver {
		h.promoted++
	}
	h.wasDriver = drives
	if drives {
		h.drove++
	} else {
		h.sat++
	}
	if p.Tick() >= h.leaveTick {
		p.Dismount()
		h.walkUntil, h.until = p.Tick()+h.rng.Uint64N(60), 0
	}
	if p.Tick() >= h.until {
		h.chooseKeys(p.Tick())
	}
	h.keys.Yaw = geom.WrapDegrees(h.keys.Yaw + h.turn)
	return h.keys
}

// walk returns the keys for walking to the nearest vehicle with a free seat. When the player is near, walk asks the server to mount it.
func (h *stableHand) walk(p *bot.Player) bot.Keys {
	a, d := p.World().Nearest(p.Pos(), func(a *bot.Actor) bool {
		return a.Vehicle() != move.NoVehicle && (a.Rider == 0 || a.Passenger == 0 && a.Vehicle() == move.Boat)
	})
	if a == nil || p.Tick() < h.walkUntil || p.Tick()%200 > 180 { // now and then the player moves otherwise, so that it does not get stuck behind an obstacle
		if p.Tick() >= h.until {
			h.chooseKeys(p.Tick())
		}
		h.keys.Yaw = geom.WrapDegrees(h.keys.Yaw + h.turn)
		return h.keys
	}
	h.until = 0
	keys := p.KeysToward(a.Pos)
	if d < 3 && p.Tick() >= h.nextRequest {
		h.nextRequest = p.Tick() + 10 + h.rng.Uint64N(20)
		p.Mount(a.RuntimeID)
	}
	return keys
}

func (h *stableHand) chooseKeys(tick uint64) {
	l := h.rng
	pick := func(of ...float32) float32 { return of[l.IntN(len(of))] }
	h.until = tick + 1 + l.Uint64N(40)
	h.turn = pick(0, 0, 1) * (l.Float32()*24 - 12)
	h.keys = bot.Keys{
		Yaw: h.keys.Yaw + pick(0, 0, 1)*(l.Float32()*360-180), Forward: pick(1, 1, 1, 0.6, 0, -1), Strafe: pick(0, 0, 1, -1, 0.4), Jump: l.IntN(3) == 0,
	}
	if l.IntN(5) == 0 {
		h.keys.Forward, h.keys.Strafe = 0, 0
		h.keys.PaddleLeft, h.keys.PaddleRight = l.IntN(2) == 0, l.IntN(2) == 0
	}
}

// Honest riders of horses and boats, which mount, drive with random keys, sit on the second seat, leave and mount
// again, are never corrected, over any network. The server corrects differences above a hundredth of a block.
func TestSoakRidersAreNotCorrected(t *testing.T) {
	skipSoakIfShort(t)
	for _, c := range []struct {
		template string
		x, z     float32 // position of the vehicles in world units
		share    int     // number of vehicles for the 12 clients
	}{{"Horse", -6, 0, 14}, {"Boat", 18, 0, 8}} {
		t.Run(c.template, func(t *testing.T) {
			t.Parallel()
			clients, duration, shards := 12, 40*time.Second, 1
			if soakIsFull() {
				clients, duration, shards = 90, soakDuration(), 2
			}
			nets := []soakNet{{RTT: 0}, {RTT: 100, Loss: 0.02}, {RTT: 300, Loss: 0.05}}
			withSoakPolicy(t, paddock(t, c.template, clients*c.share/12, c.x, c.z), shards, &paddockPolicy, func(srv *soakServer) {
				hands := make([]*stableHand, clients)
				for i := range clients {
					hands[i] = &stableHand{rng: rand.New(rand.NewPCG(srv.seed(uint64(i)), 0x72696465))}
					srv.addClient(bot.Options{Name: fmt.Sprintf("Rider %d", i)}, nets[i%len(nets)], hands[i])
				}
				srv.waitForJoins()
				srv.advance(duration)
				srv.assertRiders(hands, c.template == "Boat")
			})
		})
	}
}

// assertRiders fails the test for each correction. Exempt are corrections after a connection stall, and one after each
// teleport. For example, a passenger is teleported if the vehicle that it leaves is at another position on the server.
func (srv *soakServer) assertRiders(hands []*stableHand, boats bool) {
	inputs, drove, sat, rides, promoted, stalls := uint64(0), 0, 0, 0, 0, 0
	for i, c := range srv.clients {
		rec := srv.checker.record(c.name)
		if c.closed || c.err != nil || rec.expelled != reason.None {
			srv.t.Errorf("%s was disconnected: %v, %v", c.name, c.err, rec.expelled)
		}
		if total(rec.byCause) > rec.byCause[connectionStall]+min(rec.byCause["landing"], rec.teleports) {
			srv.t.Errorf("%s on %v was corrected %v, %v: %v", c.name, c.net, rec.byCause, rec.corrected, rec.notes)
		}
		for _, why := range []reason.Reason{reason.VehicleForeign, reason.VehicleFlips, reason.VehicleMissing, reason.NotFinite} {
			if rec.refused[why] > 0 {
				srv.t.Errorf("%s on %v: %d times %v", c.name, c.net, rec.refused[why], why)
			}
		}
		n, h := c.Counts(), hands[i]
		inputs += n.Inputs
		drove, sat, rides, promoted = drove+h.drove, sat+h.sat, rides+h.rides, promoted+h.promoted
		stalls += rec.byCause[connectionStall]
	}
	if stalls > max(2, len(srv.clients)/10) {
		srv.t.Errorf("%d corrections after connection stalls, more than expected", stalls)
	}
	srv.t.Logf("%d inputs, %d of drivers, %d of passengers; %d rides, %d passengers became drivers; corrections after stalls: %d", inputs, drove, sat, rides, promoted, stalls)
	if drove < int(inputs)/6 || rides < 2*len(hands) || boats && (sat < int(inputs)/50 || promoted == 0) {
		srv.t.Errorf("too few rides")
	}
}

// A driver dies while its connection delivers nothing to the client for six seconds, so the client continues to predict the
// ride. The inputs of these seconds do not raise the player's suspicion score, and the player is not disconnected. The player can
// continue when the client has received the death.
func TestInputsOfDriverBeforeDelayedDeathMessageDoNotCountAsCheating(t *testing.T) {
	t.Parallel()
	for _, template := range []string{"Horse", "Boat"} {
		t.Run(template, func(t *testing.T) {
			t.Parallel()
			loaded := paddock(t, template, 1, 9, 0)
			w := loaded.World
			w.Areas[0].PvP, w.Rules.Combat.MeleeReach = true, 1000
			w.Templates[0].Attr[w.Roles.Health] = combat.Attribute{Value: 1, Max: 1}
			withSoakPolicy(t, loaded, 1, &paddockPolicy, func(srv *soakServer) {
				rider := srv.addClient(bot.Options{Name: "Rider"}, soakNet{RTT: 100}, &stableHand{rng: rand.New(rand.NewPCG(1, 2))})
				srv.addClient(bot.Options{Name: "Hitter"}, soakNet{}, standing{})
				srv.waitForJoins()
				drives := func() bool { _, d := rider.Predictor().Riding(); return d }
				for end := time.Now().Add(time.Minute); !drives() && time.Now().Before(end); {
					srv.step()
				}
				srv.advance(time.Second)
				victim, hitter := srv.checker.record("Rider"), srv.checker.record("Hitter")
				rider.deaf = true
				for end := time.Now().Add(10 * time.Second); victim.deaths == 0 && time.Now().Before(end); {
					srv.must(srv.world.Submit(0, sim.Intent{Kind: sim.IntentAttack, Who: hitter.id, Target: victim.id, AtMS: srv.world.NowMS()}))
					srv.advance(200 * time.Millisecond)
				}
				inputs := rider.Counts().Inputs
				srv.advance(6 * time.Second)
				if victim.deaths != 1 || !drives() || rider.Counts().Inputs < inputs+100 {
					t.Fatalf("%d deaths, drives in its prediction: %v, %d inputs since", victim.deaths, drives(), rider.Counts().Inputs-inputs)
				}
				rider.deaf = false
				srv.advance(20 * time.Second)
				if rider.closed || rider.err != nil || victim.expelled != reason.None || victim.refused[reason.VehicleForeign] > 0 {
					t.Errorf("disconnected: %v, %v; refused %s", rider.err, victim.expelled, byReason(victim.refused))
				}
				if rider.Predictor().State().Dead || victim.state.Avatar.Dead {
					t.Error("still dead")
				}
			})
		})
	}
}

// galloper is a bot behaviour that mounts a vehicle and drives in a circle.
type galloper struct{ stableHand }

// Act returns the keys of the next tick.
func (g *galloper) Act(p *bot.Player) bot.Keys {
	if runtime, _ := p.Riding(); runtime == 0 {
		return g.walk(p)
	}
	return bot.Keys{Forward: 1, Strafe: 0.3, Yaw: geom.WrapDegrees(float32(p.Tick() * 4 % 360))}
}

// The round trip of a driver's connection is longer than the client's prediction history. If the client has a position of the
// vehicle that differs from the server's, the driver keeps its seat: the vehicle waits for the client, and client and server
// agree afterwards, as for a player on foot.
func TestDriverOnVerySlowConnectionKeepsItsSeat(t *testing.T) {
	t.Parallel()
	for _, template := range []string{"Horse", "Boat"} {
		t.Run(template, func(t *testing.T) {
			t.Parallel()
			loaded := paddock(t, template, 1, 9, 0)
			loaded.World.Rules.Predict.History = 25 // ticks: less than the round trip
			withSoakPolicy(t, loaded, 1, &paddockPolicy, func(srv *soakServer) {
				moved := false
				tamper := &bot.Tamper{AlterVehicle: func(_ move.Vehicle, after *move.Vehicle, in *move.Input) {
					if !moved && in.Tick > 700 {
						moved = true
						after.Pos.X += 2
					}
				}}
				c := srv.addClient(bot.Options{Name: "Rider", Tamper: tamper}, soakNet{RTT: 1500}, &galloper{stableHand{rng: rand.New(rand.NewPCG(1, 2))}})
				srv.waitForJoins()
				srv.advance(time.Minute)
				rec := srv.checker.record("Rider")
				if runtime, drives := c.Predictor().Riding(); runtime == 0 || !drives || c.closed || rec.expelled != reason.None {
					t.Fatalf("rides %d, drives %v; disconnected: %v, %v; refused %s", runtime, drives, c.err, rec.expelled, byReason(rec.refused))
				}
				if !moved || rec.resyncs == 0 {
					t.Errorf("moved %v, %d times told its state", moved, rec.resyncs)
				}
				client, server := c.Predictor().VehicleAt(rec.state.Prediction.Tick), rec.vehicle
				if d := geom.Sqrt(geom.Dist2(client.Pos, server.Pos)); !(d < 0.01) {
					t.Errorf("client has the vehicle at %v, server at %v", client.Pos, server.Pos)
				}
			})
		})
	}
}
