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

// apex is how far the three highest points of a jump lie from each other, in blocks. A frame that two inputs were simulated for
// shows only the second, so the honest one may be seen that much lower than he jumped.
const jumpPeakTolerance = 0.09

// Nobody who lies is ahead of an honest player with the same keys by more than move.PredictPolicy.MaxGain, or higher, and
// the honest one beside him notices nothing.
func TestSoakOfCheats(t *testing.T) {
	t.Parallel()
	lasts, nets := 6*time.Second, []soakNet{{RTT: 80, Loss: 0.02}}
	if soakIsFull() {
		lasts, nets = time.Minute, []soakNet{{}, {RTT: 80, Loss: 0.02}, {RTT: 250, Loss: 0.05}}
	}
	for _, net := range nets {
		t.Run(net.String(), func(t *testing.T) {
			t.Parallel()
			w := courseWorld(t)
			lanes := slices.IndexFunc(w.Areas, func(a sim.AreaDef) bool { return a.Name == "Lanes" })
			person := &w.Templates[0]
			person.StartArea, person.StartPortal = sim.AreaID(lanes), 0
			person.Attr[w.Roles.Health].Value, person.Attr[w.Roles.Health].Max = 30_000, 30_000 // the struck are to live
			w.Rules.Combat.MeleeReach = 1000                                                    // and to be struck from afar
			withSoakServer(t, w, 1, func(srv *soakServer) { srv.runCheats(sim.AreaID(lanes), net, lasts) })
		})
	}
}

// race is some time of everybody who cheats, each with an honest one at his side who holds the same keys.
type cheatRun struct {
	*soakServer
	lanes       sim.AreaID
	started     bool
	startedAt   time.Time // it is on
	pairs       []*cheatPair
	attackers   []*soakClient
	nextAttack  time.Time     // blow
	bestTicks   int           // ticks for which the honest one with the best line has run
	honestPath  []geom.Vec    // of the honest: where each is after so many ticks of running; zero where nobody was seen
	pathOwner   []*contestant // who was seen there first
	divergences []divergence
	lossy       bool // the lines lose datagrams
}

// apart is two honest players, one of whom left the way of all.
type divergence struct {
	ticks    int
	one, two *contestant
	at, way  geom.Vec // of one, and where two was
}

// like tells whether two are apart who are known to be.
func (a divergence) samePlayers(b divergence) bool { return a.one == b.one && a.two == b.two }

// match is a cheat and an honest player with the same keys.
type cheatPair struct {
	cheatCase
	cheater, honest *contestant
}

// straight tells whether the way of the honest one is that of all others.
func (pair *cheatPair) comparable() bool { return !pair.throughPortal && !pair.isAttacked }

// contestant is one of a match.
type contestant struct {
	*soakClient
	keys      *sprinter
	distance  float32 // blocks that the server has let it go, teleports apart
	maxHeight float32
	maxLead   float32 // blocks, at most, of the honest
	lastPos   geom.Vec
	startPos  geom.Vec
	teleports int      // teleports so far
	frameTick sim.Tick // of the newest frame
}

func (srv *soakServer) runCheats(lanes sim.AreaID, net soakNet, lasts time.Duration) {
	run := &cheatRun{soakServer: srv, lanes: lanes, honestPath: make([]geom.Vec, inputsIn(lasts)+100), lossy: net.Loss > 0}
	run.pathOwner = make([]*contestant, len(run.honestPath))
	for i, c := range cheatCases() {
		yaw := float32(south)
		if c.throughPortal {
			yaw = east
		}
		pair := &cheatPair{cheatCase: c}
		pair.cheater = run.addContestant(fmt.Sprintf("Liar %d", i), c.tamper, net, yaw)
		pair.honest = run.addContestant(fmt.Sprintf("Honest %d", i), nil, net, yaw)
		if c.withholds {
			pair.cheater.withholds = func() bool { return run.started && time.Since(srv.started)%(3*time.Second) < 1900*time.Millisecond }
		}
		run.pairs = append(run.pairs, pair)
	}
	for i := range 2 * len(run.pairs) {
		if run.pairs[i/2].isAttacked {
			run.attackers = append(run.attackers, srv.addClient(bot.Options{Name: fmt.Sprintf("Striker %d", i)}, net, lurker{}))
		}
	}
	srv.waitForJoins()
	srv.advance(6 * time.Second) // the strikers go ahead
	run.started, run.startedAt, run.nextAttack = true, time.Now(), time.Now().Add(time.Second)
	srv.afterStep = run.observe
	srv.advance(lasts)
	run.report(lasts)
}

func (run *cheatRun) addContestant(name string, t *bot.Tamper, net soakNet, yaw float32) *contestant {
	keys := &sprinter{race: run, yaw: yaw}
	return &contestant{soakClient: run.addClient(bot.Options{Name: name, Tamper: t}, net, keys), keys: keys}
}

// inputsIn is how many inputs an honest client sends in that time.
func inputsIn(d time.Duration) int { return int(d / bot.TickInterval) }

// watch looks at the newest frame, and lets the strikers strike.
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

// look takes the newest place, if there is one.
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

// compare holds the way of an honest player against that of all others: it is the same to the bit, whoever is beside him.
// It returns for how many ticks he runs; 0 for who was corrected, which judge asks about.
func (run *cheatRun) comparePath(c *contestant) int {
	rec := run.checker.record(c.name)
	at := rec.state
	if c.keys.first == 0 || at.Tick < c.keys.first || total(rec.corrected)+rec.resyncs > 0 {
		return 0
	}
	n, pos := int(at.Tick-c.keys.first), at.Avatar.Pos
	switch way := run.honestPath[n]; {
	case way == (geom.Vec{}):
		run.honestPath[n], run.pathOwner[n] = pos, c
	case way != pos:
		if a := (divergence{n, c, run.pathOwner[n], pos, way}); !slices.ContainsFunc(run.divergences, a.samePlayers) {
			run.divergences = append(run.divergences, a)
		}
		run.honestPath[n].Z = max(pos.Z, way.Z) // whose inputs were lost is behind
	}
	return n
}

// lead measures how far the liars are ahead of the honest one whose line is the best just now, and complains about what
// is beyond the bound at any time.
func (run *cheatRun) measureLead() {
	bound := run.def.Rules.Predict.MaxGain(float32(time.Since(run.startedAt).Seconds()))
	for _, pair := range run.pairs {
		if !pair.comparable() || pair.cheater.frameTick != pair.honest.frameTick { // who was sent away has no frame
			continue
		}
		ahead := pair.cheater.lastPos.Z - run.honestPath[run.bestTicks].Z
		if ahead > bound && ahead > pair.cheater.maxLead+1 {
			run.t.Errorf("%s: %v blocks ahead after %v; %v are allowed", pair.name, ahead, time.Since(run.startedAt), bound)
		}
		pair.cheater.maxLead = max(pair.cheater.maxLead, ahead)
	}
}

// judge reports what each cheat brought, and complains of what is beyond the bound.
func (run *cheatRun) report(lasts time.Duration) {
	run.t.Helper()
	bound := run.def.Rules.Predict.MaxGain(float32(lasts.Seconds()))
	run.t.Logf("at most %.2f blocks may be gained in %v", bound, lasts)
	for _, pair := range run.pairs {
		run.reportPair(pair, bound, lasts)
		run.assertHonestUnaffected(pair, run.checker.record(pair.honest.name))
	}
	run.reportDivergences()
}

// weigh holds a liar against who is honest.
func (run *cheatRun) reportPair(pair *cheatPair, bound float32, lasts time.Duration) {
	run.t.Helper()
	liar := run.checker.record(pair.cheater.name)
	farther, higher := pair.cheater.distance-pair.honest.distance, pair.cheater.maxHeight-pair.honest.maxHeight
	if pair.comparable() { // the honest one's own line may be stuck just now
		farther = pair.cheater.distance - (run.honestPath[run.bestTicks].Z - pair.honest.startPos.Z)
	}
	run.t.Logf("%-20s ahead %5.2f at most, farther %7.2f of %.1f, higher %5.2f; corrected %3d, struck %2d, refused %s, expelled %v", pair.name,
		pair.cheater.maxLead, farther, pair.honest.distance, higher, total(liar.corrected), pair.knockbacks(run), byReason(liar.refused), liar.expelled)
	fair := pair.comparable() || !run.hadStall(pair.honest) // else there is nobody to hold the liar against
	bears, lost, luck := run.distanceBehind(pair.honest), run.distanceBehind(pair.cheater), float32(0)
	if pair.isAttacked && run.lossy { // blows find the two at different points of their ways
		luck = 0.1 * bears
	}
	if fair && farther > bound+luck {
		run.t.Errorf("%s: %v blocks farther than who is honest; %v are allowed", pair.name, farther, bound+luck)
	}
	if !pair.isAttacked {
		if higher > jumpPeakTolerance {
			run.t.Errorf("%s: %v blocks higher than who is honest", pair.name, higher)
		}
		return
	}
	run.t.Logf("%-20s was thrown back %.1f blocks, who bears it %.1f", "", lost, bears)
	if pair.knockbacks(run) < inputsIn(lasts)/60 || bears < 2*float32(pair.knockbacks(run)) || fair && lost < 0.9*bears-bound-luck {
		run.t.Errorf("%s: struck %d times and thrown back %v blocks, who bears it %v", pair.name, pair.knockbacks(run), lost, bears)
	}
}

// strayed complains of the honest who left the way of all, and of lines that were dead too often to be bad luck.
func (run *cheatRun) reportDivergences() {
	run.t.Helper()
	for _, a := range run.divergences {
		if !run.hadStall(a.one) && !run.hadStall(a.two) {
			run.t.Errorf("%s is at %v after %d ticks, %s was at %v", a.one.name, a.at, a.ticks, a.two.name, a.way)
		}
	}
	unlucky := 0
	for _, pair := range run.pairs {
		if rec := run.checker.record(pair.honest.name); run.hadStall(pair.honest) {
			unlucky++
			run.t.Logf("the line of %s was dead: corrected %v, put %d times where he was; %s", rec.name, rec.byCause, rec.resyncs, strings.Join(rec.notes, "; "))
		}
	}
	if unlucky > maxStalls {
		run.t.Errorf("the lines of %d honest ones were dead", unlucky)
	}
}

// mostUnlucky is how many of the honest may have a line that is dead for two seconds.   measured: one in forty races of a
// minute on the worst of the networks, and never two in the same
const maxStalls = 2

// unlucky tells whether the line of an honest one delivered nothing for longer than both sides bear. On lines that lose
// nothing there is no such luck.
func (run *cheatRun) hadStall(c *contestant) bool {
	rec := run.checker.record(c.name)
	return run.lossy && rec.byCause[connectionStall]+rec.resyncs > 0
}

// lost is how far one is behind an honest one whom nobody strikes.
func (run *cheatRun) distanceBehind(c *contestant) float32 {
	return run.honestPath[run.bestTicks].Z - c.lastPos.Z
}

// knocks is how often the liar was struck.
func (pair *cheatPair) knockbacks(run *cheatRun) int {
	if !pair.isAttacked {
		return 0
	}
	return run.checker.record(pair.cheater.name).knockbacks
}

// unharmed complains if the honest one of a match noticed anything.
func (run *cheatRun) assertHonestUnaffected(pair *cheatPair, rec *playerRecord) {
	run.t.Helper()
	n := pair.honest.Counts()
	dead, lost, least := 0, rec.refused[reason.Frozen], float32(5) // a line may be dead for two seconds by bad luck
	if run.hadStall(pair.honest) {
		dead, lost, least = rec.byCause[connectionStall], lost+rec.refused[reason.InputOverflow], least-1
	}
	if pair.throughPortal {
		least-- // a journey takes its time
	}
	switch {
	case pair.honest.closed || pair.honest.err != nil || rec.expelled != reason.None:
		run.t.Errorf("beside %s: %s is gone: %v, %v", pair.name, rec.name, pair.honest.err, rec.expelled)
	case total(rec.byCause)-rec.byCause["landing"] > dead || n.Move.Unexpected > uint64(dead):
		run.t.Errorf("beside %s: corrected %v, %+v: %s", pair.name, rec.byCause, n.Move, strings.Join(rec.notes, "; "))
	case total(rec.refused) > lost:
		run.t.Errorf("beside %s: refused %s", pair.name, byReason(rec.refused))
	case !pair.isAttacked && pair.honest.distance < least*float32(time.Since(run.startedAt).Seconds()):
		run.t.Errorf("beside %s: came only %v blocks far", pair.name, pair.honest.distance)
	}
}
