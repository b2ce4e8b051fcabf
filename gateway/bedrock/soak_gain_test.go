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
const apex = 0.09

// Nobody who lies is ahead of an honest player with the same keys by more than move.PredictPolicy.MaxGain, or higher, and
// the honest one beside him notices nothing.
func TestSoakOfCheats(t *testing.T) {
	t.Parallel()
	lasts, nets := 6*time.Second, []soakNet{{RTT: 80, Loss: 0.02}}
	if soakSize() {
		lasts, nets = time.Minute, []soakNet{{}, {RTT: 80, Loss: 0.02}, {RTT: 250, Loss: 0.05}}
	}
	for _, net := range nets {
		t.Run(net.String(), func(t *testing.T) {
			t.Parallel()
			w := course(t)
			lanes := slices.IndexFunc(w.Areas, func(a sim.AreaDef) bool { return a.Name == "Lanes" })
			person := &w.Templates[0]
			person.StartArea, person.StartPortal = sim.AreaID(lanes), 0
			person.Attr[w.Roles.Health].Value, person.Attr[w.Roles.Health].Max = 30_000, 30_000 // the struck are to live
			w.Rules.Combat.MeleeReach = 1000                                                    // and to be struck from afar
			soakBubble(t, w, 1, func(s *soak) { s.race(sim.AreaID(lanes), net, lasts) })
		})
	}
}

// race is some time of everybody who cheats, each with an honest one at his side who holds the same keys.
type race struct {
	*soak
	lanes    sim.AreaID
	on       bool
	since    time.Time // it is on
	pairs    []*match
	strikers []*soaker
	next     time.Time     // blow
	best     int           // ticks for which the honest one with the best line has run
	way      []geom.Vec    // of the honest: where each is after so many ticks of running; zero where nobody was seen
	led      []*contestant // who was seen there first
	apart    []apart
	loses    bool // the lines lose datagrams
}

// apart is two honest players, one of whom left the way of all.
type apart struct {
	ticks    int
	one, two *contestant
	at, way  geom.Vec // of one, and where two was
}

// like tells whether two are apart who are known to be.
func (a apart) like(b apart) bool { return a.one == b.one && a.two == b.two }

// match is a cheat and an honest player with the same keys.
type match struct {
	cheat
	liar, honest *contestant
}

// straight tells whether the way of the honest one is that of all others.
func (m *match) straight() bool { return !m.east && !m.struck }

// contestant is one of a match.
type contestant struct {
	*soaker
	keys    *racer
	path    float32 // blocks that the server has let it go, teleports apart
	highest float32
	ahead   float32 // blocks, at most, of the honest
	was     geom.Vec
	began   geom.Vec
	hops    int      // teleports so far
	tick    sim.Tick // of the newest frame
}

func (s *soak) race(lanes sim.AreaID, net soakNet, lasts time.Duration) {
	r := &race{soak: s, lanes: lanes, way: make([]geom.Vec, inputsIn(lasts)+100), loses: net.Loss > 0}
	r.led = make([]*contestant, len(r.way))
	for i, c := range cheats() {
		yaw := float32(south)
		if c.east {
			yaw = east
		}
		m := &match{cheat: c}
		m.liar = r.enlist(fmt.Sprintf("Liar %d", i), c.tamper, net, yaw)
		m.honest = r.enlist(fmt.Sprintf("Honest %d", i), nil, net, yaw)
		if c.silent {
			m.liar.silent = func() bool { return r.on && time.Since(s.started)%(3*time.Second) < 1900*time.Millisecond }
		}
		r.pairs = append(r.pairs, m)
	}
	for i := range 2 * len(r.pairs) {
		if r.pairs[i/2].struck {
			r.strikers = append(r.strikers, s.add(bot.Options{Name: fmt.Sprintf("Striker %d", i)}, net, striker{}))
		}
	}
	s.enter()
	s.run(6 * time.Second) // the strikers go ahead
	r.on, r.since, r.next = true, time.Now(), time.Now().Add(time.Second)
	s.each = r.watch
	s.run(lasts)
	r.judge(lasts)
}

func (r *race) enlist(name string, t *bot.Tamper, net soakNet, yaw float32) *contestant {
	keys := &racer{race: r, yaw: yaw}
	return &contestant{soaker: r.add(bot.Options{Name: name, Tamper: t}, net, keys), keys: keys}
}

// inputsIn is how many inputs an honest client sends in that time.
func inputsIn(d time.Duration) int { return int(d / bot.TickInterval) }

// watch looks at the newest frame, and lets the strikers strike.
func (r *race) watch() {
	best, fresh := 0, false
	for _, m := range r.pairs {
		fresh = m.honest.look(r)
		m.liar.look(r)
		if m.straight() {
			best = max(best, r.compare(m.honest))
		}
	}
	if fresh && best > 0 {
		r.best = best
		r.lead()
	}
	if time.Now().Before(r.next) {
		return
	}
	r.next = r.next.Add(2 * time.Second)
	n := 0
	for _, m := range r.pairs {
		if m.struck {
			r.strike(n, m.liar)
			r.strike(n+1, m.honest)
			n += 2
		}
	}
}

func (r *race) strike(n int, b *contestant) {
	by, whom := r.referee.of(r.strikers[n].name), r.referee.of(b.name)
	r.must(r.world.Submit(r.lanes, sim.Intent{Kind: sim.IntentAttack, Who: by.id, Target: whom.id, AtMS: r.world.NowMS()}))
}

// look takes the newest place, if there is one.
func (b *contestant) look(r *race) bool {
	j := r.referee.of(b.name)
	if j.seen == b.tick {
		return false
	}
	at := j.at.Avatar.Pos
	if b.tick == 0 {
		b.began = at
	} else if j.teleports == b.hops {
		b.path += geom.DistXZ(at, b.was)
	}
	b.tick, b.was, b.hops, b.highest = j.seen, at, j.teleports, max(b.highest, at.Y)
	return true
}

// compare holds the way of an honest player against that of all others: it is the same to the bit, whoever is beside him.
// It returns for how many ticks he runs; 0 for who was corrected, which judge asks about.
func (r *race) compare(b *contestant) int {
	j := r.referee.of(b.name)
	at := j.at
	if b.keys.first == 0 || at.Tick < b.keys.first || total(j.corrected)+j.reseated > 0 {
		return 0
	}
	n, pos := int(at.Tick-b.keys.first), at.Avatar.Pos
	switch way := r.way[n]; {
	case way == (geom.Vec{}):
		r.way[n], r.led[n] = pos, b
	case way != pos:
		if a := (apart{n, b, r.led[n], pos, way}); !slices.ContainsFunc(r.apart, a.like) {
			r.apart = append(r.apart, a)
		}
		r.way[n].Z = max(pos.Z, way.Z) // whose inputs were lost is behind
	}
	return n
}

// lead measures how far the liars are ahead of the honest one whose line is the best just now, and complains about what
// is beyond the bound at any time.
func (r *race) lead() {
	bound := r.def.Rules.Predict.MaxGain(float32(time.Since(r.since).Seconds()))
	for _, m := range r.pairs {
		if !m.straight() || m.liar.tick != m.honest.tick { // who was sent away has no frame
			continue
		}
		ahead := m.liar.was.Z - r.way[r.best].Z
		if ahead > bound && ahead > m.liar.ahead+1 {
			r.t.Errorf("%s: %v blocks ahead after %v; %v are allowed", m.name, ahead, time.Since(r.since), bound)
		}
		m.liar.ahead = max(m.liar.ahead, ahead)
	}
}

// judge reports what each cheat brought, and complains of what is beyond the bound.
func (r *race) judge(lasts time.Duration) {
	r.t.Helper()
	bound := r.def.Rules.Predict.MaxGain(float32(lasts.Seconds()))
	r.t.Logf("at most %.2f blocks may be gained in %v", bound, lasts)
	for _, m := range r.pairs {
		r.weigh(m, bound, lasts)
		r.unharmed(m, r.referee.of(m.honest.name))
	}
	r.strayed()
}

// weigh holds a liar against who is honest.
func (r *race) weigh(m *match, bound float32, lasts time.Duration) {
	r.t.Helper()
	liar := r.referee.of(m.liar.name)
	farther, higher := m.liar.path-m.honest.path, m.liar.highest-m.honest.highest
	if m.straight() { // the honest one's own line may be stuck just now
		farther = m.liar.path - (r.way[r.best].Z - m.honest.began.Z)
	}
	r.t.Logf("%-20s ahead %5.2f at most, farther %7.2f of %.1f, higher %5.2f; corrected %3d, struck %2d, refused %s, expelled %v", m.name,
		m.liar.ahead, farther, m.honest.path, higher, total(liar.corrected), m.knocks(r), byReason(liar.refused), liar.expelled)
	fair := m.straight() || !r.unlucky(m.honest) // else there is nobody to hold the liar against
	bears, lost, luck := r.lost(m.honest), r.lost(m.liar), float32(0)
	if m.struck && r.loses { // blows find the two at different points of their ways
		luck = 0.1 * bears
	}
	if fair && farther > bound+luck {
		r.t.Errorf("%s: %v blocks farther than who is honest; %v are allowed", m.name, farther, bound+luck)
	}
	if !m.struck {
		if higher > apex {
			r.t.Errorf("%s: %v blocks higher than who is honest", m.name, higher)
		}
		return
	}
	r.t.Logf("%-20s was thrown back %.1f blocks, who bears it %.1f", "", lost, bears)
	if m.knocks(r) < inputsIn(lasts)/60 || bears < 2*float32(m.knocks(r)) || fair && lost < 0.9*bears-bound-luck {
		r.t.Errorf("%s: struck %d times and thrown back %v blocks, who bears it %v", m.name, m.knocks(r), lost, bears)
	}
}

// strayed complains of the honest who left the way of all, and of lines that were dead too often to be bad luck.
func (r *race) strayed() {
	r.t.Helper()
	for _, a := range r.apart {
		if !r.unlucky(a.one) && !r.unlucky(a.two) {
			r.t.Errorf("%s is at %v after %d ticks, %s was at %v", a.one.name, a.at, a.ticks, a.two.name, a.way)
		}
	}
	unlucky := 0
	for _, m := range r.pairs {
		if j := r.referee.of(m.honest.name); r.unlucky(m.honest) {
			unlucky++
			r.t.Logf("the line of %s was dead: corrected %v, put %d times where he was; %s", j.name, j.caused, j.reseated, strings.Join(j.notes, "; "))
		}
	}
	if unlucky > mostUnlucky {
		r.t.Errorf("the lines of %d honest ones were dead", unlucky)
	}
}

// mostUnlucky is how many of the honest may have a line that is dead for two seconds.   measured: one in forty races of a
// minute on the worst of the networks, and never two in the same
const mostUnlucky = 2

// unlucky tells whether the line of an honest one delivered nothing for longer than both sides bear. On lines that lose
// nothing there is no such luck.
func (r *race) unlucky(b *contestant) bool {
	j := r.referee.of(b.name)
	return r.loses && j.caused[deadLine]+j.reseated > 0
}

// lost is how far one is behind an honest one whom nobody strikes.
func (r *race) lost(b *contestant) float32 { return r.way[r.best].Z - b.was.Z }

// knocks is how often the liar was struck.
func (m *match) knocks(r *race) int {
	if !m.struck {
		return 0
	}
	return r.referee.of(m.liar.name).knocks
}

// unharmed complains if the honest one of a match noticed anything.
func (r *race) unharmed(m *match, j *judged) {
	r.t.Helper()
	n := m.honest.Counts()
	dead, lost, least := 0, j.refused[reason.Frozen], float32(5) // a line may be dead for two seconds by bad luck
	if r.unlucky(m.honest) {
		dead, lost, least = j.caused[deadLine], lost+j.refused[reason.InputOverflow], least-1
	}
	if m.east {
		least-- // a journey takes its time
	}
	switch {
	case m.honest.gone || m.honest.err != nil || j.expelled != reason.None:
		r.t.Errorf("beside %s: %s is gone: %v, %v", m.name, j.name, m.honest.err, j.expelled)
	case total(j.caused)-j.caused["landing"] > dead || n.Move.Unexpected > uint64(dead):
		r.t.Errorf("beside %s: corrected %v, %+v: %s", m.name, j.caused, n.Move, strings.Join(j.notes, "; "))
	case total(j.refused) > lost:
		r.t.Errorf("beside %s: refused %s", m.name, byReason(j.refused))
	case !m.struck && m.honest.path < least*float32(time.Since(r.since).Seconds()):
		r.t.Errorf("beside %s: came only %v blocks far", m.name, m.honest.path)
	}
}
