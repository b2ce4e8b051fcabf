package bedrock

import (
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	bot "github.com/truestep-io/truestep/client/bedrock"
	"github.com/truestep-io/truestep/sim"
	"github.com/truestep-io/truestep/sim/geom"
	"github.com/truestep-io/truestep/sim/reason"
)

// jumpPeakTolerance is the difference in height, in blocks, among the three highest positions of a jump. If two inputs are simulated
// in one frame, the frame contains only the second position. The highest observed position of the honest player may therefore be
// lower by this difference.
const jumpPeakTolerance = 0.09

// A cheater and an honest player press the same keys. The cheater leads the honest player by at most
// move.PredictPolicy.MaxGain, in distance and in height, and does not affect the honest player.
func TestSoakCheatersGainNoMoreThanAllowedDistance(t *testing.T) {
	skipSoakIfShort(t)
	t.Parallel()
	duration, nets := 6*time.Second, []soakNet{{RTT: 80, Loss: 0.02}}
	if soakIsFull() {
		duration, nets = time.Minute, []soakNet{{}, {RTT: 80, Loss: 0.02}, {RTT: 250, Loss: 0.05}}
	}
	for _, net := range nets {
		t.Run(net.String(), func(t *testing.T) {
			t.Parallel()
			w := courseWorld(t)
			lanes := slices.IndexFunc(w.Areas, func(a sim.AreaDef) bool { return a.Name == "Lanes" })
			person := &w.Templates[0]
			person.StartArea, person.StartPortal = sim.AreaID(lanes), 0
			person.Attr[w.Roles.Health].Value, person.Attr[w.Roles.Health].Max = 30_000, 30_000 // health for the attacked players to survive the test
			w.Rules.Combat.MeleeReach = 1000                                                    // attackers hit from a distance
			withSoakServer(t, w, 1, func(srv *soakServer) { srv.runCheats(sim.AreaID(lanes), net, duration) })
		})
	}
}

// cheatRun is one run of all cheaters, each paired with an honest player that presses the same keys.
type cheatRun struct {
	*soakServer
	lanes       sim.AreaID
	started     bool
	startedAt   time.Time // time when the field started became true
	pairs       []*cheatPair
	attackers   []*soakClient
	nextAttack  time.Time     // time of the next attack
	bestTicks   int           // ticks simulated for the honest player with the best connection
	honestPath  []geom.Vec    // element n: position of the honest players after n ticks, the same for all; zero if no frame contained it
	pathOwner   []*contestant // element n: player whose position is honestPath[n]
	divergences []divergence
	lossy       bool // the connections lose datagrams
}

// divergence describes two honest players that had the same keys but were at different positions. One of them has then left
// the path that all honest players share.
type divergence struct {
	ticks    int
	one, two *contestant
	at       geom.Vec // position of player one
	otherPos geom.Vec // position of player two after the same number of ticks
}

// samePlayers returns whether the divergences a and b are about the same two players.
func (a divergence) samePlayers(b divergence) bool { return a.one == b.one && a.two == b.two }

// cheatPair is a cheater and an honest player that press the same keys.
type cheatPair struct {
	cheatCase
	cheater, honest *contestant
}

// comparable reports whether the position of the pair's honest player can be compared with the path that all honest players share.
func (pair *cheatPair) comparable() bool { return !pair.throughPortal && !pair.isAttacked }

// contestant is one player of a cheatPair.
type contestant struct {
	*soakClient
	keys      *sprinter
	distance  float32 // distance in blocks that the player has moved on the server, except by teleports
	maxHeight float32
	maxLead   float32 // largest lead over the honest players in blocks
	lastPos   geom.Vec
	startPos  geom.Vec
	teleports int      // number of teleports so far
	frameTick sim.Tick // tick of the last evaluated frame
}

func (srv *soakServer) runCheats(lanes sim.AreaID, net soakNet, duration time.Duration) {
	run := &cheatRun{soakServer: srv, lanes: lanes, honestPath: make([]geom.Vec, inputsIn(duration)+100), lossy: net.Loss > 0}
	run.pathOwner = make([]*contestant, len(run.honestPath))
	for i, c := range cheatCases() {
		yaw := float32(south)
		if c.throughPortal {
			yaw = east
		}
		pair := &cheatPair{cheatCase: c}
		pair.cheater = run.addContestant(fmt.Sprintf("Cheater %d", i), c.tamper, net, yaw)
		pair.honest = run.addContestant(fmt.Sprintf("Honest %d", i), nil, net, yaw)
		if c.withholds {
			pair.cheater.withholds = func() bool { return run.started && time.Since(srv.started)%(3*time.Second) < 1900*time.Millisecond }
		}
		run.pairs = append(run.pairs, pair)
	}
	for i := range 2 * len(run.pairs) {
		if run.pairs[i/2].isAttacked {
			run.attackers = append(run.attackers, srv.addClient(bot.Options{Name: fmt.Sprintf("Attacker %d", i)}, net, lurker{}))
		}
	}
	srv.waitForJoins()
	srv.advance(6 * time.Second) // time for the attackers to walk to their positions
	run.started, run.startedAt, run.nextAttack = true, time.Now(), time.Now().Add(time.Second)
	srv.afterStep = run.observe
	srv.advance(duration)
	run.report(duration)
}

func (run *cheatRun) addContestant(name string, t *bot.Tamper, net soakNet, yaw float32) *contestant {
	keys := &sprinter{race: run, yaw: yaw}
	return &contestant{soakClient: run.addClient(bot.Options{Name: name, Tamper: t}, net, keys), keys: keys}
}

// inputsIn returns the number of inputs that an honest client sends in a time span.
func inputsIn(d time.Duration) int { return int(d / bot.TickInterval) }

// observe evaluates the states of the players in the newest frame, and lets the attackers attack every two seconds.
func (run *cheatRun) observe() {
	best, fresh := 0, false
	for _, pair := range run.pairs {
		fresh = pair.honest.updateState(run)
		pair.cheater.updateState(run)
		if pair.comparable() {
			best = max(best, run.comparePath(pair.honest))
		}
	}
	if fresh && best > 0 {
		run.bestTicks = best
		run.measureLead()
	}
	if time.Now().Before(run.nextAttack) {
		return
	}
	run.nextAttack = run.nextAttack.Add(2 * time.Second)
	n := 0
	for _, pair := range run.pairs {
		if pair.isAttacked {
			run.attack(n, pair.cheater)
			run.attack(n+1, pair.honest)
			n += 2
		}
	}
}

func (run *cheatRun) attack(n int, c *contestant) {
	by, whom := run.checker.record(run.attackers[n].name), run.checker.record(c.name)
	run.must(run.world.Submit(run.lanes, sim.Intent{Kind: sim.IntentAttack, Who: by.id, Target: whom.id, AtMS: run.world.NowMS()}))
}

// updateState reads the player's state from the newest frame. It returns whether there is a newer frame than at the last call.
func (c *contestant) updateState(run *cheatRun) bool {
	rec := run.checker.record(c.name)
	if rec.frameTick == c.frameTick {
		return false
	}
	at := rec.state.Avatar.Pos
	if c.frameTick == 0 {
		c.startPos = at
	} else if rec.teleports == c.teleports {
		c.distance += geom.DistXZ(at, c.lastPos)
	}
	c.frameTick, c.lastPos, c.teleports, c.maxHeight = rec.frameTick, at, rec.teleports, max(c.maxHeight, at.Y)
	return true
}

// comparePath checks that an honest player's position is bit for bit on the common path. It returns the number of ticks
// simulated for the player, or 0 if the player was corrected; the method report checks corrections.
func (run *cheatRun) comparePath(c *contestant) int {
	rec := run.checker.record(c.name)
	at := rec.state
	if c.keys.first == 0 || at.Prediction.Tick < c.keys.first || total(rec.corrected)+rec.resyncs > 0 {
		return 0
	}
	n, pos := int(at.Prediction.Tick-c.keys.first), at.Avatar.Pos
	switch way := run.honestPath[n]; {
	case way == (geom.Vec{}):
		run.honestPath[n], run.pathOwner[n] = pos, c
	case way != pos:
		if a := (divergence{n, c, run.pathOwner[n], pos, way}); !slices.ContainsFunc(run.divergences, a.samePlayers) {
			run.divergences = append(run.divergences, a)
		}
		run.honestPath[n].Z = max(pos.Z, way.Z) // use the position farther ahead, because a player whose inputs were lost is behind
	}
	return n
}

// measureLead measures the lead of each cheater over the honest player with the best connection, and fails if it
// exceeds the bound.
func (run *cheatRun) measureLead() {
	bound := run.def.Rules.Predict.MaxGain(float32(time.Since(run.startedAt).Seconds()))
	for _, pair := range run.pairs {
		if !pair.comparable() || pair.cheater.frameTick != pair.honest.frameTick { // the last frame of a disconnected player is older
			continue
		}
		ahead := pair.cheater.lastPos.Z - run.honestPath[run.bestTicks].Z
		if ahead > bound && ahead > pair.cheater.maxLead+1 {
			run.t.Errorf("%s: %v blocks ahead after %v, allowed %v", pair.name, ahead, time.Since(run.startedAt), bound)
		}
		pair.cheater.maxLead = max(pair.cheater.maxLead, ahead)
	}
}

// report logs how much each cheat gained, and fails the test if a gain exceeds the bound.
func (run *cheatRun) report(duration time.Duration) {
	run.t.Helper()
	bound := run.def.Rules.Predict.MaxGain(float32(duration.Seconds()))
	run.t.Logf("bound: %.2f blocks gained in %v", bound, duration)
	for _, pair := range run.pairs {
		run.reportPair(pair, bound, duration)
		run.assertHonestUnaffected(pair, run.checker.record(pair.honest.name))
	}
	run.reportDivergences()
}

// reportPair compares a cheater with the honest player of its pair.
func (run *cheatRun) reportPair(pair *cheatPair, bound float32, duration time.Duration) {
	run.t.Helper()
	liar := run.checker.record(pair.cheater.name)
	farther, higher := pair.cheater.distance-pair.honest.distance, pair.cheater.maxHeight-pair.honest.maxHeight
	if pair.comparable() { // compare with honestPath, the common path, which the honest player of this pair follows
		farther = pair.cheater.distance - (run.honestPath[run.bestTicks].Z - pair.honest.startPos.Z)
	}
	run.t.Logf("%-20s lead at most %5.2f, farther by %7.2f of %.1f, higher by %5.2f; corrected %3d, knocked back %2d, refused %s, expelled %v", pair.name,
		pair.cheater.maxLead, farther, pair.honest.distance, higher, total(liar.corrected), pair.knockbacks(run), byReason(liar.refused), liar.expelled)
	valid := pair.comparable() || !run.hadStall(pair.honest) // an honest player whose connection stalled cannot be compared
	honestLoss, lost, tolerance := run.distanceBehind(pair.honest), run.distanceBehind(pair.cheater), float32(0)
	if pair.isAttacked && run.lossy { // with lost datagrams, the two players are hit at different points of their paths
		tolerance = 0.1 * honestLoss
	}
	if valid && farther > bound+tolerance {
		run.t.Errorf("%s: %v blocks farther than the honest player, allowed %v", pair.name, farther, bound+tolerance)
	}
	if !pair.isAttacked {
		if higher > jumpPeakTolerance {
			run.t.Errorf("%s: %v blocks higher than the honest player", pair.name, higher)
		}
		return
	}
	run.t.Logf("%-20s knocked back by %.1f blocks, the honest player by %.1f", "", lost, honestLoss)
	if pair.knockbacks(run) < inputsIn(duration)/60 || honestLoss < 2*float32(pair.knockbacks(run)) || valid && lost < 0.9*honestLoss-bound-tolerance {
		run.t.Errorf("%s: knocked back %d times by %v blocks, the honest player by %v", pair.name, pair.knockbacks(run), lost, honestLoss)
	}
}

// reportDivergences fails the test if an honest player left the common path without a connection stall, or if too many
// connections stalled.
func (run *cheatRun) reportDivergences() {
	run.t.Helper()
	for _, a := range run.divergences {
		if !run.hadStall(a.one) && !run.hadStall(a.two) {
			run.t.Errorf("%s is at %v after %d ticks, %s was at %v", a.one.name, a.at, a.ticks, a.two.name, a.otherPos)
		}
	}
	stalled := 0
	for _, pair := range run.pairs {
		if rec := run.checker.record(pair.honest.name); run.hadStall(pair.honest) {
			stalled++
			run.t.Logf("%s had a connection stall: corrected %v, resynchronized %d times; %s", rec.name, rec.byCause, rec.resyncs, strings.Join(rec.notes, "; "))
		}
	}
	if stalled > maxStalls {
		run.t.Errorf("%d honest players had a connection stall", stalled)
	}
}

// maxStalls is the maximum number of honest players whose connection may stall for two seconds. Measured on the worst
// network in runs of one minute: one stall in forty runs, and never two in the same run.
const maxStalls = 2

// hadStall reports whether an honest player's connection delivered nothing for so long that the server corrected the player
// or sent it its whole state. This happens only on networks that lose datagrams.
func (run *cheatRun) hadStall(c *contestant) bool {
	rec := run.checker.record(c.name)
	return run.lossy && rec.byCause[connectionStall]+rec.resyncs > 0
}

// distanceBehind returns how far, in blocks, a player is behind the honest players (honestPath).
func (run *cheatRun) distanceBehind(c *contestant) float32 {
	return run.honestPath[run.bestTicks].Z - c.lastPos.Z
}

// knockbacks returns the number of knockbacks that the cheater received.
func (pair *cheatPair) knockbacks(run *cheatRun) int {
	if !pair.isAttacked {
		return 0
	}
	return run.checker.record(pair.cheater.name).knockbacks
}

// assertHonestUnaffected fails if the cheats affected the honest player of a pair.
func (run *cheatRun) assertHonestUnaffected(pair *cheatPair, rec *playerRecord) {
	run.t.Helper()
	n := pair.honest.Counts()
	stalls, lost, minSpeed := 0, rec.refused[reason.Frozen], float32(5) // a connection that loses datagrams may stall for two seconds
	if run.hadStall(pair.honest) {
		stalls, lost, minSpeed = rec.byCause[connectionStall], lost+rec.refused[reason.InputOverflow], minSpeed-1
	}
	if pair.throughPortal {
		minSpeed-- // changing the area takes time, which lowers the average speed
	}
	switch {
	case pair.honest.closed || pair.honest.err != nil || rec.expelled != reason.None:
		run.t.Errorf("beside %s: %s was disconnected: %v, %v", pair.name, rec.name, pair.honest.err, rec.expelled)
	case total(rec.byCause)-rec.byCause["landing"] > stalls || n.Move.Unexpected > uint64(stalls):
		run.t.Errorf("beside %s: corrected %v, %+v: %s", pair.name, rec.byCause, n.Move, strings.Join(rec.notes, "; "))
	case total(rec.refused) > lost:
		run.t.Errorf("beside %s: refused %s", pair.name, byReason(rec.refused))
	case !pair.isAttacked && pair.honest.distance < minSpeed*float32(time.Since(run.startedAt).Seconds()):
		run.t.Errorf("beside %s: moved only %v blocks", pair.name, pair.honest.distance)
	}
}
