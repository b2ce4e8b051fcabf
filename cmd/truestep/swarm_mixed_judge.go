package main

import (
	"fmt"
	"math"
	"time"

	"github.com/HdrHistogram/hdrhistogram-go"

	"github.com/truestep-io/truestep/client/rcce"
	"github.com/truestep-io/truestep/sim"
	"github.com/truestep-io/truestep/sim/geom"
	"github.com/truestep-io/truestep/sim/terrain"
)

// What each door's protocol makes of a place, and how long it keeps who is gone.
const (
	slackRcce     = 0.001  // units: float32 both here and there
	slackBlocks   = 0.002  // units: float32 of blocks, twice converted
	slackTile     = 0.51   // tiles on each axis, of those who walk on tiles
	slackBeside   = 0.76   // of all others: they keep a tile up to a quarter beyond its edge   docs/wire/rs.md, others' motion
	rsFallen      = 5      // cycles for which the fallen are still shown
	rsSure        = 13     // tiles within which everybody must be shown who has been there all the time; the door's range is 15
	rsMany        = 240    // actors in range up to which that holds; the door shows 250
	rsRecovers    = 20_000 // ms after a greater crowd until a range that had shrunk has grown again
	bedrockSure   = 0.9    // of the radius within which all must be shown
	bedrockFallen = 2500   // ms for which clients of that door see a body fall
	rcceFar       = 0.95   // of the radius up to which places are told

	truthLead   = 120  // ms that a client may be ahead of our copy of the truth: clocks, and a tick
	judgeAfter  = 1500 // ms from a look to its judgement, so that the truth is here
	settledFor  = 3000 // ms that a viewer has been in an area before it is looked at
	lostStep    = 5    // units a tick that somebody may stray in ticks that were left out
	longestStep = 12   // units a tick that somebody goes; what is farther is a jump, and he was nowhere between
	mostListed  = 8    // mismatches of a door that a report tells in full
)

// mixedShown is somebody as a client sees him, in the client's own measure.
type mixedShown struct {
	name  string
	raw   geom.Vec // units, tiles (X, Z) or blocks
	high  bool     // raw.Y means something
	fresh bool     // he has just come into sight: raw means nothing
}

// mixedLook is what one client saw at a time.
type mixedLook struct {
	door   string
	viewer string
	at     time.Time
	shown  []mixedShown
}

// mixedMismatch is something that a client saw and that was not so.
type mixedMismatch struct {
	Second float64 `json:"second"` // since the measurement began
	Door   string  `json:"door"`
	Viewer string  `json:"viewer"`
	Actor  string  `json:"actor"`
	Kind   string  `json:"kind"` // "wrong", "late", "missing", "left"
	Text   string  `json:"text"`
}

// mixedVerdict is how the clients of one door were found to see.
type mixedVerdict struct {
	looks, skipped uint64 // looks, and those of clients that had just come
	compared       uint64 // places
	fresh          uint64 // actors that had just come into sight
	beyond         uint64 // places too far away for the door to tell
	present        uint64 // actors that had to be there, and were
	stalled        uint64 // looks when the machine had just stood still
	blurred        uint64 // places that may have been so in a tick that the live map left out
	crowded        uint64 // looks in crowds of which a client is not shown all
	wrong, late    uint64
	missing, left  uint64
	worst          float32 // units that an accepted place was off
	ages           *hdrhistogram.Histogram
	perSeen        uint64 // actors shown, over all looks
	listed         int
}

func (v *mixedVerdict) mismatches() uint64 { return v.wrong + v.late + v.missing + v.left }

// mixedJudge compares looks with the truth. It belongs to one goroutine.
type mixedJudge struct {
	world *mixedWorld
	truth *mixedTruth
	way   float64 // ms
	stall float64 // ms that the machine may have added to the look that is judged
	began time.Time
	doors map[string]*mixedVerdict
	// crowded is when a viewer of the rs door was last seen in a crowd of which it is not shown all, in ms.
	crowded map[string]float64
	first   []mixedMismatch // mostListed of each door
}

func newMixedJudge(w *mixedWorld, t *mixedTruth, way time.Duration) *mixedJudge {
	j := &mixedJudge{
		world: w, truth: t, way: way.Seconds() * 1000, began: time.Now(), doors: map[string]*mixedVerdict{}, crowded: map[string]float64{},
	}
	for _, door := range []string{"rcce", "rs", "bedrock"} {
		j.doors[door] = &mixedVerdict{ages: rcce.NewHistogram()}
	}
	return j
}

// door is how the server says that a door tells.
func (j *mixedJudge) door(name string) *mixedDoor {
	for i := range j.world.Doors {
		if j.world.Doors[i].Name == name {
			return &j.world.Doors[i]
		}
	}
	return &mixedDoor{}
}

// delay is how long a door waits before it tells of somebody at that distance, in ms; ok is false if it does not tell.
func (d *mixedDoor) delay(area sim.AreaID, distance float32) (ms float64, ok bool) {
	if len(d.Bands) == 0 {
		return float64(d.CycleMS), true
	}
	for i := range d.Bands {
		if distance <= d.radius(i, area) {
			return float64(d.Bands[i].EveryMS), true
		}
	}
	return 0, false
}

// far is the greatest distance at which a door tells, 0 if it has no end.
func (d *mixedDoor) far(area sim.AreaID) float32 {
	if len(d.Bands) == 0 {
		return 0
	}
	return d.radius(len(d.Bands)-1, area)
}

// falls is how long, in ms, a door shows those who died.
func (d *mixedDoor) falls() float64 {
	switch d.Name {
	case "rs":
		return rsFallen * float64(d.CycleMS)
	case "bedrock":
		return bedrockFallen
	}
	return 0
}

// slowest is the longest that a door waits, in ms.
func (d *mixedDoor) slowest() float64 {
	most := d.CycleMS
	for i := range d.Bands {
		most = max(most, d.Bands[i].EveryMS)
	}
	return float64(most)
}

func (d *mixedDoor) radius(band int, area sim.AreaID) float32 {
	b := &d.Bands[band]
	if int(area) < len(b.Radii) {
		return b.Radii[area]
	}
	return b.Radius
}

// inWorld is where a client of a door has somebody, in world units.
func inWorld(door string, a *mixedArea, s *mixedShown) geom.Vec {
	switch door {
	case "rs":
		return a.tiles().Centre(terrain.Tile{X: uint16(s.raw.X), Z: uint16(s.raw.Z)})
	case "bedrock":
		return a.blocks().ToWorld(s.raw)
	}
	return s.raw
}

// slack is how far, on each axis, the protocol of a viewer's door may round the place of an actor.
func slack(door string, a *mixedArea, of *mixedTrack) float32 {
	switch {
	case door == "rs" && of.door == "rs":
		return slackTile * a.Tiles.UnitsPerTile
	case door == "rs":
		return slackBeside * a.Tiles.UnitsPerTile
	case door == "bedrock":
		return slackBlocks
	}
	return slackRcce
}

// judge compares one look with the truth.
func (j *mixedJudge) judge(look *mixedLook) {
	v := j.doors[look.door]
	v.looks++
	at := j.truth.server(look.at)
	j.truth.mu.Lock()
	defer j.truth.mu.Unlock()
	if j.stall = j.truth.stalls.felt(at); j.stall > 0 {
		v.stalled++
	}
	where, self := j.truth.player(look.viewer)
	if self == nil || !self.throughout(at-settledFor, at) {
		v.skipped++
		return
	}
	eye, _ := self.at(at)
	v.perSeen += uint64(len(look.shown))
	for i := range look.shown {
		if look.shown[i].fresh {
			v.fresh++
			continue
		}
		j.place(v, look, &look.shown[i], where, eye, at)
	}
	j.presence(v, look, where, self, at)
}

// place compares where somebody is shown with where he was.
func (j *mixedJudge) place(v *mixedVerdict, look *mixedLook, s *mixedShown, where sim.AreaID, eye geom.Vec, at float64) {
	area, door := &j.world.Areas[where], j.door(look.door)
	pos := inWorld(look.door, area, s)
	distance := geom.DistXZ(pos, eye)
	if look.door == "rs" {
		distance = 0 // whoever is shown at all is moved in every packet
	}
	wait, told := door.delay(where, distance)
	if !told || look.door == "rcce" && distance > rcceFar*door.far(where) {
		v.beyond++
		return
	}
	limit := wait + j.way + j.stall
	nearest, age, found, blurred := float32(math.Inf(1)), 0.0, false, false
	for _, t := range j.truth.named(where, s.name) {
		if t.n == 0 || !t.within(at-limit-door.falls(), at+truthLead) {
			continue
		}
		high := s.high && t.door == "bedrock"
		a, err, ok := t.meets(pos, slack(look.door, area, t), high, at, limit)
		nearest = min(nearest, err)
		blurred = blurred || t.blurs(pos, at, limit)
		if ok && (!found || a < age) {
			age, found = a, true
			if a <= limit {
				v.worst = max(v.worst, err)
			}
		}
	}
	switch {
	case found && age <= limit:
		v.compared++
		_ = v.ages.RecordValue(max(1, int64(age*1e6)/int64(rcce.HistogramUnit))) // below truthKept, so in range
	case blurred:
		v.blurred++
	case found:
		v.compared++
		v.late++
		j.note(look, s.name, "late", fmt.Sprintf("shown where he was %.0f ms ago; %.0f are allowed", age, limit))
	case math.IsInf(float64(nearest), 1):
		// Who is not there at all is told by presence.
	default:
		v.compared++
		v.wrong++
		j.note(look, s.name, "wrong", fmt.Sprintf("shown at %.2f, %.2f, %.2f, which is %.3f units off where he was in the last %.0f ms", pos.X, pos.Y, pos.Z, nearest, limit))
	}
}

// meets looks for the newest time at which the way led through a place, as far back as it is remembered. age is how long
// ago that was, in ms, and err how far off it was, on the worse axis. Without one, err is how near it came within limit.
func (t *mixedTrack) meets(p geom.Vec, slack float32, high bool, at, limit float64) (age float64, err float32, ok bool) {
	err = float32(math.Inf(1))
	now := at
	if t.gone != 0 {
		now = min(now, t.gone) // clients of some doors see the fallen for a while: where they fell
	}
	for k := range t.len() {
		s := t.spot(k)
		if s.at > at+truthLead {
			continue
		}
		off, when := apart(p, s, s, high)
		if k+1 < t.len() {
			if before := t.spot(k + 1); near(before, s) {
				off, when = apart(p, before, s, high)
			}
		}
		if off <= slack {
			return max(0, now-when), off, true
		}
		if s.at >= now-limit {
			err = min(err, off)
		}
	}
	return 0, err, false
}

// blurs tells whether the place may have been on the way in ticks that the live map has left out, which nobody can say
// then.
func (t *mixedTrack) blurs(p geom.Vec, at, limit float64) bool {
	for k := range t.len() - 1 {
		s, before := t.spot(k), t.spot(k+1)
		if s.at < at-limit {
			return false
		}
		if lost := float32(s.tick - before.tick - 1); lost > 0 && before.at <= at+truthLead {
			if off, _ := apart(p, before, s, false); off <= lost*lostStep+longestStep {
				return true
			}
		}
	}
	return false
}

// near tells whether somebody walked from one place to the next.
func near(a, b *mixedSpot) bool {
	ticks := float32(b.tick - a.tick)
	return geom.Dist2(a.pos, b.pos) <= longestStep*longestStep*ticks*ticks
}

// apart is how far a place is from the way between two others, on the axis on which it is farther, and when the way
// came nearest to it.
func apart(p geom.Vec, a, b *mixedSpot, high bool) (off float32, at float64) {
	d := b.pos.Sub(a.pos)
	share := float32(1) // of the way; who stands was there just now
	if n := d.X*d.X + d.Z*d.Z; n > 0 {
		share = min(max((d.X*(p.X-a.pos.X)+d.Z*(p.Z-a.pos.Z))/n, 0), 1)
	}
	off = max(geom.Abs(p.X-a.pos.X-d.X*share), geom.Abs(p.Z-a.pos.Z-d.Z*share))
	if high {
		off = max(off, geom.Abs(p.Y-a.pos.Y-d.Y*share))
	}
	return off, a.at + (b.at-a.at)*float64(share)
}

// presence compares who is shown with who had to be and who could be, by names: NPCs share theirs.
func (j *mixedJudge) presence(v *mixedVerdict, look *mixedLook, where sim.AreaID, self *mixedTrack, at float64) {
	shown := map[string]int{}
	for i := range look.shown {
		shown[look.shown[i].name]++
	}
	door := j.door(look.door)
	wait := door.slowest() + j.way + j.stall
	keeps := wait + door.falls()
	sure := j.sure(v, look.door, where, self, at-wait, at)
	for name, tracks := range j.truth.areas[where].byName {
		must, may := 0, 0
		for _, t := range tracks {
			if t == self || t.n == 0 {
				continue
			}
			if t.within(at-keeps, at+truthLead) {
				may++
			}
			if sure > 0 && t.throughout(at-wait, at+truthLead) && together(t, self, sure, look.door == "rs", at-wait, at) {
				must++
			}
		}
		have := shown[name]
		delete(shown, name)
		v.present += uint64(min(must, have))
		switch {
		case have < must:
			v.missing += uint64(must - have)
			j.note(look, name, "missing", fmt.Sprintf("%d of that name shown, at least %d are near", have, must))
		case have > may:
			v.left += uint64(have - may)
			j.note(look, name, "left", fmt.Sprintf("%d of that name shown, %d have been here in the last %.0f ms", have, may, keeps))
		}
	}
	delete(shown, self.name)
	for name, n := range shown {
		v.left += uint64(n)
		j.note(look, name, "left", fmt.Sprintf("shown, and nobody of that name was here in the last %d s", truthKept/1000))
	}
}

// sure is the distance, in units, within which a viewer must be shown everybody who was so near all the time between
// two; 0 if it cannot be said.
func (j *mixedJudge) sure(v *mixedVerdict, door string, where sim.AreaID, self *mixedTrack, from, to float64) float32 {
	switch door {
	case "rs":
		size := j.world.Areas[where].Tiles.UnitsPerTile
		ground := &j.truth.areas[where]
		_, known := j.crowded[self.name]
		if near := ground.near(self, 18*size, to); near > rsMany || !known && len(ground.byID) > rsMany {
			j.crowded[self.name] = to // nobody knows what it was shown before we looked
		} else if !known {
			j.crowded[self.name] = math.Inf(-1)
		}
		if to-j.crowded[self.name] < rsRecovers {
			v.crowded++
			return 0
		}
		return rsSure * size
	case "bedrock":
		return bedrockSure * j.door(door).far(where)
	}
	return float32(math.Inf(1)) // the whole area
}

// near is how many are within a distance of somebody, on each axis.
func (g *mixedGround) near(self *mixedTrack, within float32, at float64) (n int) {
	for _, t := range g.byID {
		if t.n > 0 && together(t, self, within, true, at, at) {
			n++
		}
	}
	return n
}

// together tells whether two were within a distance of each other all the time between two; square: on each axis.
func together(a, b *mixedTrack, within float32, square bool, from, to float64) bool {
	if math.IsInf(float64(within), 1) {
		return true
	}
	const step = 200 // ms
	for at := to; at >= from; at -= step {
		p, ok := a.at(at)
		q, also := b.at(at)
		far := geom.DistXZ(p, q)
		if square {
			far = max(geom.Abs(p.X-q.X), geom.Abs(p.Z-q.Z))
		}
		if !ok || !also || far > within {
			return false
		}
	}
	return true
}

func (j *mixedJudge) note(look *mixedLook, actor, kind, text string) {
	if v := j.doors[look.door]; v.listed < mostListed {
		v.listed++
		j.first = append(j.first, mixedMismatch{
			Second: round(max(0, look.at.Sub(j.began).Seconds()), 100), Door: look.door, Viewer: look.viewer, Actor: actor, Kind: kind, Text: text,
		})
	}
}
