package oracle

import (
	"fmt"
	"math"
	"time"

	"github.com/truestep-io/truestep/sim"
	"github.com/truestep-io/truestep/sim/geom"
)

// Verdict is the result of an Oracle for one actor in one observation.
type Verdict string

// Values of Verdict, which the package comment explains. Reports call Ghost "left".
const (
	Right   Verdict = "right"   // the actor was at the shown position within the allowed delay
	Late    Verdict = "late"    // the actor was at the shown position, but longer ago than the allowed delay
	Wrong   Verdict = "wrong"   // the actor was not at the shown position
	Missing Verdict = "missing" // the client does not show an actor that it must show
	Ghost   Verdict = "left"    // the client shows an actor that is not in the area
)

// Sighting is one actor as a client shows it.
type Sighting struct {
	Name      string   // name of the actor as the client shows it
	Pos       geom.Vec // position in world units, in tiles (X, Z) or in blocks, depending on the protocol
	HasHeight bool     // the client shows a height: Pos.Y is valid
	Fresh     bool     // the actor has just come into view; Pos is not valid yet
}

// Observation is the set of actors that one client (the viewer) shows at one time.
type Observation struct {
	Protocol string     // protocol of the client
	Viewer   string     // name of the client's player
	At       time.Time  // time of the observation
	Actors   []Sighting // actors that the client shows
}

// Finding is a difference between what a client shows and the server's state.
type Finding struct {
	At       time.Time // time of the observation
	Protocol string    // protocol of the client
	Viewer   string    // name of the client's player
	Actor    string    // name of the shown or missing actor
	Verdict  Verdict   // kind of the difference
	Reason   string    // explanation of the verdict
}

// Result holds how many comparisons the Oracle has made for clients of one protocol, and with which verdicts.
type Result struct {
	Observations, Newcomers      uint64                // observations, and those not compared because the viewer had just entered its area
	Compared                     uint64                // number of compared positions
	Fresh                        uint64                // number of sightings of actors that had just come into view; not compared
	Beyond                       uint64                // number of positions of actors outside the range in which the door sends updates
	Expected                     uint64                // number of actors that had to be shown and were
	Stalled                      uint64                // number of observations after a stall of the server, compared with a larger allowed delay
	Blurred                      uint64                // number of positions not compared, because the frames that could confirm them are missing
	Crowded                      uint64                // number of observations with more than Crowd.Max actors near the viewer, or soon after
	Wrong, Late, Missing, Ghosts uint64                // numbers of findings by verdict
	WorstError                   float32               // largest deviation in world units of a position that was accepted as right
	Shown                        uint64                // sum of visible actors over all compared observations
	OnAge                        func(d time.Duration) // called with the age of every position that was found in the Truth; may be nil

	findings int
	// crowdMS holds, by name of the viewer, the last server time at which more than Crowd.Max actors were near the viewer, so
	// that its client could not show all of them. The value is -Inf if there was no such time.
	crowdMS map[string]float64
}

// Mismatches returns the number of wrong, late, missing and ghost findings.
func (r *Result) Mismatches() uint64 { return r.Wrong + r.Late + r.Missing + r.Ghosts }

const (
	// Delay is how long an observation must wait before Check is called for it. By then, the Truth has received the frames
	// from the time of the observation.
	Delay       = 1500 * time.Millisecond
	MaxFindings = 8 // maximum number of findings per protocol in Oracle.Findings

	defaultLeadMS = 120  // maximum ms by which a client may be ahead of the Truth: clock difference and one tick
	settleMS      = 3000 // viewers are compared only after they have been in an area for this many ms
	maxLostStep   = 5    // maximum movement of an actor in a tick whose frame is missing, in world units
	maxStep       = 12   // maximum walking distance per tick, in world units; a longer step is a teleport and is not interpolated
)

// Oracle compares observations with the Truth. It is not safe for concurrent use.
type Oracle struct {
	truth     *Truth
	areas     []AreaUnits
	protocols []Protocol
	results   map[string]*Result
	allowMS   float64 // allowed network delay in ms, in addition to the delay of the protocol
	leadMS    float64 // ms by which a client may be ahead of the Truth
	stallMS   float64 // additional delay in ms that the current observation may have because of stalls

	// Findings lists the differences in the order in which they were found, at most MaxFindings per protocol. Later ones are only
	// counted.
	Findings []Finding
}

// New returns an oracle. The parameter allowance is added to the delay that each protocol allows, because the network and busy
// machines cause further delay.
func New(t *Truth, areas []AreaUnits, protocols []Protocol, allowance time.Duration) *Oracle {
	o := &Oracle{truth: t, areas: areas, protocols: protocols, results: map[string]*Result{}, allowMS: milliseconds(allowance), leadMS: defaultLeadMS}
	for i := range protocols {
		o.results[protocols[i].Name] = &Result{crowdMS: map[string]float64{}}
	}
	return o
}

// SetLead sets by how much a client may appear to be ahead of the server: by up to d, a shown position may be newer than the server time
// that the Truth computes for the observation. The default is 120 ms. A larger value is needed if frames reach the Truth late, because the
// computed time is then too early.
func (o *Oracle) SetLead(d time.Duration) { o.leadMS = milliseconds(d) }

// Result returns the counts of a protocol so far.
func (o *Oracle) Result(protocol string) *Result { return o.results[protocol] }

// Protocol returns the rules by which clients of the named protocol are compared.
func (o *Oracle) Protocol(name string) *Protocol {
	for i := range o.protocols {
		if o.protocols[i].Name == name {
			return &o.protocols[i]
		}
	}
	return &Protocol{}
}

// Check compares one observation with the Truth: every shown position, and the set of shown actors.
func (o *Oracle) Check(obs *Observation) {
	r, p := o.results[obs.Protocol], o.Protocol(obs.Protocol)
	r.Observations++
	at := o.truth.serverMS(obs.At)
	o.truth.mu.Lock()
	defer o.truth.mu.Unlock()
	if o.stallMS = o.truth.stalls.delayAt(at); o.stallMS > 0 {
		r.Stalled++
	}
	area, self := o.truth.player(obs.Viewer)
	if self == nil || !self.presentThroughout(at-settleMS, at) {
		r.Newcomers++
		return
	}
	eye, _ := self.at(at)
	r.Shown += uint64(len(obs.Actors))
	for i := range obs.Actors {
		if obs.Actors[i].Fresh {
			r.Fresh++
			continue
		}
		o.checkPosition(r, p, obs, &obs.Actors[i], area, eye, at)
	}
	o.checkPresence(r, p, obs, area, self, at)
}

// checkPosition compares the position s, at which a client shows an actor, with the actor's recorded positions. If several actors
// have the shown name, one of them must have been there. The parameter eye is the position of the viewer. The parameter at is the
// server time of the observation.
func (o *Oracle) checkPosition(r *Result, p *Protocol, obs *Observation, s *Sighting, area sim.AreaID, eye geom.Vec, at float64) {
	pos := p.toWorld(&o.areas[area], s.Pos)
	delay, told := p.delayMS(area, geom.DistXZ(pos, eye))
	if !told {
		r.Beyond++
		return
	}
	limit := delay + o.allowMS + o.stallMS
	m := o.match(p, area, s, pos, at, limit)
	switch {
	case m.found && m.ageMS <= limit:
		r.Compared++
		r.WorstError = max(r.WorstError, m.off)
		r.age(m.ageMS)
	case m.blurred:
		r.Blurred++
	case m.found:
		r.Compared++
		r.Late++
		r.age(m.ageMS)
		o.report(r, obs, s.Name, Late, fmt.Sprintf("shown at its position of %.0f ms ago; %.0f ms are allowed", m.ageMS, limit))
	case math.IsInf(float64(m.nearest), 1):
		// No actor with that name was in the area. The method checkPresence reports this.
	default:
		r.Compared++
		r.Wrong++
		o.report(r, obs, s.Name, Wrong, fmt.Sprintf("shown at %.2f, %.2f, %.2f, at least %.3f units from all its positions in the last %.0f ms", pos.X, pos.Y, pos.Z, m.nearest, limit))
	}
}

func (p *Protocol) toWorld(a *AreaUnits, shown geom.Vec) geom.Vec {
	if p.ToWorld == nil {
		return shown
	}
	return p.ToWorld(a, shown)
}

func (r *Result) age(ms float64) {
	if r.OnAge != nil {
		r.OnAge(time.Duration(ms * float64(time.Millisecond)))
	}
}

// positionMatch is the result of comparing a shown position with the tracks of all actors with the shown name.
type positionMatch struct {
	found   bool    // an actor was at the position at a recorded time
	ageMS   float64 // ms since the actor was there
	off     float32 // distance from the shown to the recorded position, in world units
	nearest float32 // smallest distance to a position recorded within the allowed delay, in world units; +Inf if there is none
	blurred bool    // an actor may have been at the position in a tick whose frame is missing
}

// match searches for the newest time at which an actor named s.Name was at pos. The parameter at is the server time of the observation.
// The parameter limit is the allowed delay in ms. A found time may be older than limit. Only two things depend on limit: actors that left
// the area earlier are excluded, and the results nearest and blurred refer to this period.
func (o *Oracle) match(p *Protocol, area sim.AreaID, s *Sighting, pos geom.Vec, at, limit float64) positionMatch {
	m := positionMatch{nearest: float32(math.Inf(1))}
	for _, t := range o.truth.areas[area].byName[s.Name] {
		if t.n == 0 || !t.presentDuring(at-limit-p.DeadMS, at+o.leadMS) {
			continue
		}
		q := query{
			pos: pos, slack: p.Slack(&o.areas[area], pos, t.Protocol), atMS: at, leadMS: o.leadMS, stepwise: p.Stepwise,
			height: s.HasHeight && p.HeightOf != nil && p.HeightOf(t.Protocol),
		}
		age, off, found := t.find(q, limit)
		m.nearest = min(m.nearest, off)
		m.blurred = m.blurred || !p.Stepwise && t.blurs(q, limit)
		if found && (!m.found || age < m.ageMS) {
			m.found, m.ageMS, m.off = true, age, off
		}
	}
	return m
}

// Age returns the age of a shown position: the time since the actor was last there. The parameter "at" is the time of the
// observation, up to which the age is measured. ok is false if the actor was not there within the time that the Truth
// remembers.
func (o *Oracle) Age(protocol string, area sim.AreaID, s Sighting, at time.Time) (age time.Duration, ok bool) {
	p, now := o.Protocol(protocol), o.truth.serverMS(at)
	o.truth.mu.Lock()
	defer o.truth.mu.Unlock()
	m := o.match(p, area, &s, p.toWorld(&o.areas[area], s.Pos), now, o.truth.keepMS)
	return time.Duration(m.ageMS * float64(time.Millisecond)), m.found
}

// query describes a search in the recorded positions of an actor: when was the actor at the shown position pos?
type query struct {
	pos      geom.Vec
	slack    float32 // maximum deviation from the track on each axis, in world units
	height   bool    // compare Y, too
	stepwise bool    // Protocol.Stepwise
	atMS     float64 // server time of the observation
	leadMS   float64 // Oracle.leadMS
}

// find searches a track for the newest time at which the actor was at q.pos, apart from rounding. The result ageMS is the time in
// ms from then to the observation. The result off is the remaining distance to q.pos, on the axis on which it is larger. For a
// stepwise protocol the actor counts as being at a position until its next step. If ok is false, the actor was not at q.pos, and
// off is its smallest distance from q.pos within the last limitMS.
func (t *track) find(q query, limitMS float64) (ageMS float64, off float32, ok bool) {
	off = float32(math.Inf(1))
	now := q.atMS
	if t.goneMS != 0 {
		now = min(now, t.goneMS) // a dead actor stays visible at its last position
	}
	until := now // end of the interval in which the position was valid: the time of the next step
	for k := range t.len() {
		s := t.step(k)
		if s.atMS > q.atMS+q.leadMS {
			continue
		}
		d, when := distance(q, s, s)
		if q.stepwise {
			when, until = until, s.atMS
		} else if k+1 < t.len() {
			if before := t.step(k + 1); isWalk(before, s) {
				d, when = distance(q, before, s)
			}
		}
		if d <= q.slack {
			return max(0, now-when), d, true
		}
		if s.atMS >= now-limitMS {
			off = min(off, d)
		}
	}
	return 0, off, false
}

// blurs reports whether missing frames prevent a verdict about q.pos. This is so if a frame of the last limitMS is missing
// and the actor may have been at q.pos in the tick of that frame.
func (t *track) blurs(q query, limitMS float64) bool {
	for k := range t.len() - 1 {
		s, before := t.step(k), t.step(k+1)
		if s.atMS < q.atMS-limitMS {
			return false
		}
		if lost := float32(s.tick - before.tick - 1); lost > 0 && before.atMS <= q.atMS+q.leadMS {
			flat := q
			flat.height = false
			if off, _ := distance(flat, before, s); off <= lost*maxLostStep+maxStep {
				return true
			}
		}
	}
	return false
}

// isWalk reports whether an actor walked from one step to the next, rather than being teleported.
func isWalk(a, b *step) bool {
	ticks := float32(b.tick - a.tick)
	return geom.Dist2(a.pos, b.pos) <= maxStep*maxStep*ticks*ticks
}

// distance returns how far q.pos is from an actor that moves along the line from step a to step b. The result off is the distance
// of q.pos from that line in world units, on the axis on which it is largest. The result atMS is the server time at which the
// actor was nearest to q.pos.
func distance(q query, a, b *step) (off float32, atMS float64) {
	p, d := q.pos, b.pos.Sub(a.pos)
	share := float32(1) // fraction of the line between the steps that the actor has walked, 0..1; 1 for an actor that stands still
	if n := d.X*d.X + d.Z*d.Z; n > 0 {
		share = min(max((d.X*(p.X-a.pos.X)+d.Z*(p.Z-a.pos.Z))/n, 0), 1)
	}
	off = max(geom.Abs(p.X-a.pos.X-d.X*share), geom.Abs(p.Z-a.pos.Z-d.Z*share))
	if q.height {
		off = max(off, geom.Abs(p.Y-a.pos.Y-d.Y*share))
	}
	return off, a.atMS + (b.atMS-a.atMS)*float64(share)
}

// checkPresence compares how many actors of each name the client shows with how many it must show at least and may show at most.
// It counts actors by name because several NPCs may have the same name.
func (o *Oracle) checkPresence(r *Result, p *Protocol, obs *Observation, area sim.AreaID, self *track, at float64) {
	shown := map[string]int{}
	for i := range obs.Actors {
		shown[obs.Actors[i].Name]++
	}
	wait := p.slowestMS() + o.allowMS + o.stallMS
	keep := wait + p.DeadMS
	sure := o.sureRange(r, p, area, self, at-wait, at)
	for name, tracks := range o.truth.areas[area].byName {
		must, may := 0, 0
		for _, t := range tracks {
			if t == self || t.n == 0 {
				continue
			}
			if t.presentDuring(at-keep, at+o.leadMS) {
				may++
			}
			if sure > 0 && t.presentThroughout(at-wait, at+o.leadMS) && together(t, self, sure, p.Square, at-wait, at) {
				must++
			}
		}
		have := shown[name]
		delete(shown, name)
		r.Expected += uint64(min(must, have))
		switch {
		case have < must:
			r.Missing += uint64(must - have)
			o.report(r, obs, name, Missing, fmt.Sprintf("%d actors with that name are shown, but at least %d are near", have, must))
		case have > may:
			r.Ghosts += uint64(have - may)
			o.report(r, obs, name, Ghost, fmt.Sprintf("%d actors with that name are shown, but only %d were in the area in the last %.0f ms", have, may, keep))
		}
	}
	delete(shown, self.Name)
	for name, n := range shown {
		r.Ghosts += uint64(n)
		o.report(r, obs, name, Ghost, fmt.Sprintf("shown, but no actor with that name was in the area in the last %.0f s", o.truth.keepMS/1000))
	}
}

// sureRange returns the distance in world units within which the client must show all actors: those that were nearer to its
// player during the whole interval. The distance is 0 if so many actors are near, or were near shortly before, that the client
// may not show all of them.
func (o *Oracle) sureRange(r *Result, p *Protocol, area sim.AreaID, self *track, from, to float64) float32 {
	a := &o.areas[area]
	if c := p.Crowd; c != nil {
		g := &o.truth.areas[area]
		_, known := r.crowdMS[self.Name]
		if near := g.countNear(self, c.Range(a), to); near > c.Max || !known && len(g.byID) > c.Max {
			r.crowdMS[self.Name] = to // also for a new viewer, because the actors that its client already shows are unknown
		} else if !known {
			r.crowdMS[self.Name] = math.Inf(-1)
		}
		if to-r.crowdMS[self.Name] < c.RecoverMS {
			r.Crowded++
			return 0
		}
	}
	return p.sureRange(area, a)
}

// countNear returns the number of actors, self included, whose distance from the actor self is at most limit on each axis at
// the server time in the parameter "at".
func (g *areaTruth) countNear(self *track, limit float32, at float64) (n int) {
	for _, t := range g.byID {
		if t.n > 0 && together(t, self, limit, true, at, at) {
			n++
		}
	}
	return n
}

// together reports whether the distance of two actors was at most limit, in world units, during the whole interval. The
// parameters from and to are its beginning and end, server times in ms. If square is set, the limit applies on each axis
// separately.
func together(a, b *track, limit float32, square bool, from, to float64) bool {
	if math.IsInf(float64(limit), 1) {
		return true
	}
	const sampleMS = 200
	for at := to; at >= from; at -= sampleMS {
		p, ok := a.at(at)
		q, also := b.at(at)
		far := geom.DistXZ(p, q)
		if square {
			far = max(geom.Abs(p.X-q.X), geom.Abs(p.Z-q.Z))
		}
		if !ok || !also || far > limit {
			return false
		}
	}
	return true
}

// report adds a finding to Findings, unless these already contain MaxFindings findings of the protocol.
func (o *Oracle) report(r *Result, obs *Observation, actor string, v Verdict, reason string) {
	if r.findings < MaxFindings {
		r.findings++
		o.Findings = append(o.Findings, Finding{At: obs.At, Protocol: obs.Protocol, Viewer: obs.Viewer, Actor: actor, Verdict: v, Reason: reason})
	}
}
