package cluster

import (
	"slices"
	"time"

	"github.com/truestep-io/truestep/area"
	"github.com/truestep-io/truestep/sim"
	"github.com/truestep-io/truestep/sim/geom"
)

// hub models what package session keeps in a process: the records in frames, and the players that are connected through the process
// or have lost their connection through it.
type hub struct {
	sessions map[sim.CharacterID]*session
	claims   map[sim.CharacterID]*accountClaim
	byActor  map[sim.EntityID]*session
	records  map[sim.CharacterID]*sim.Character
	unsaved  [simAreas][]tickRecord // records from the frames of each area, until they are stored
	missed   [simAreas]sim.Tick     // newest tick of each area whose frame was not read
	read     [simAreas]sim.Tick
	readAt   [simAreas]time.Duration
	ground   [simAreas][]sim.GroundItem
	prey     [simAreas][]prey
	players  [simAreas][]sim.CharacterID  // players in the newest frame
	parties  map[sim.EntityID]sim.PartyID // party of each player, by the newest frame of its area
}

// tickRecord is a record in the frame of a tick.
type tickRecord struct {
	tick   sim.Tick
	record *sim.Character
}

// prey is an actor that clients attack: a cow, or another player.
type prey struct {
	id  sim.EntityID
	pos geom.Vec
}

func newHub() hub {
	return hub{sessions: map[sim.CharacterID]*session{}, claims: map[sim.CharacterID]*accountClaim{}, byActor: map[sim.EntityID]*session{}, records: map[sim.CharacterID]*sim.Character{},
		parties: map[sim.EntityID]sim.PartyID{}}
}

// session is the state that a process has for a player that entered through it, or whose body it took over.
type session struct {
	c       *client
	p       *process
	holder  mark // node and incarnation that hold the account
	claim   *accountClaim
	number  int       // number of the session; grows with each session of the character
	joined  time.Time // tick of the newest arrival that the hub has read
	before  time.Time // newest tick that the client had been shown when it began to use the session
	who     sim.EntityID
	area    sim.AreaID
	arrived bool
	state   sessionState
	over    bool
	left    bool // the client disconnected while it was entering
	shown   bool // the client was shown a frame
	pos     geom.Vec
	inv     sim.Inventory
	asked   int  // number of the newest attempt to take over the body
	sent    bool // in the newest attempt the request was sent to the area
	missing bool // after missed frames the body was not in its area; the process searches for it once the client has lost its connection
	pending int  // number of resumptions that no area has confirmed yet

	said    []*line   // accepted chat lines that are in no frame yet, oldest first
	waiting int       // number of intents of the player that wait in the inbox
	lately  int       // number of its intents in the chunks of the newest round that has some
	round   time.Time // start of that round
}

type sessionState uint8

const (
	entering  sessionState = iota // claims, looks for a body
	joining                       // the join is submitted
	resuming                      // the resumption is submitted
	connected                     // plays
	leaving                       // has asked to leave
	bodyOnly                      // has no connection
)

// dropConnection makes the hub notice that a connection is lost.
func (x *session) dropConnection() {
	if x.over || x.p.dead {
		return
	}
	switch x.state {
	case entering:
		x.left = true
	case connected, resuming:
		x.state = bodyOnly
		x.submit(sim.Intent{Kind: sim.IntentDisconnect})
		x.locateMissing()
	case joining:
		x.state = leaving
		x.submit(sim.Intent{Kind: sim.IntentLeave})
	}
}

// locateMissing searches for the body of a client without a connection, which may have left its area or the world in frames that were
// missed. If it has left the world, the session ends. The account stays with this node, because the last intents of the session may not
// be applied yet. If the body is in another area, that area is told that the body has no connection.
func (x *session) locateMissing() {
	if !x.missing {
		return
	}
	in, arrived := x.area, x.arrived
	x.find(func(now area.RestoredPlayer) {
		switch {
		case x.state != bodyOnly, x.area != in, x.arrived != arrived: // frames have told more since
		case now.Entity != x.who:
			x.end(false)
		default:
			x.area, x.arrived = now.Area, now.Arrived
			x.submit(sim.Intent{Kind: sim.IntentDisconnect})
		}
	})
}

// submit passes an intent to the area in which the player is.
func (x *session) submit(in sim.Intent) bool {
	ok := false
	in.Who, in.AtMS = x.who, x.p.host.NowMS()
	x.p.n.s.within(x.p, func() { ok = x.p.host.Submit(x.area, in) == nil })
	switch {
	case in.Kind == sim.IntentLeave, in.Kind == sim.IntentDisconnect:
		x.dropWaiting()
	case ok && !in.Kind.IsOfServer():
		x.waiting++
	}
	return ok
}

// end removes a session from its hub. If release is set, the process also gives up the account later (releaseClaims), so that other
// nodes can log it in.
func (x *session) end(release bool) {
	x.c.s.note("session %d of client %d ends", x.number, x.c.id)
	x.over = true
	if x.p.sessions[x.c.id] == x {
		delete(x.p.sessions, x.c.id)
	}
	if x.who != 0 && x.p.byActor[x.who] == x {
		delete(x.p.byActor, x.who)
	}
	if x.c.at == x {
		x.c.leave(x)
		x.c.at = nil
	}
	x.claim.kept, x.claim.known = !release, false
}

// loseSessions ends all sessions of a process that was declared dead, or has ended. What they have left may be lost.
func (s *simulation) loseSessions(p *process) {
	defer clear(p.claims)
	for _, c := range s.clients {
		for _, x := range c.sessions {
			if x.p == p {
				x.loseLines(func(*line) bool { return true })
			}
		}
		if x := p.sessions[c.id]; x != nil {
			x.end(false)
		}
	}
}

// isCurrent reports whether a login of the session may continue: the session has not ended, and its process is alive.
func (x *session) isCurrent() bool { return !x.over && !x.p.dead }

// barrier calls then(true) once the process has everything that any node may have shown to clients, or then(false) if that takes too
// long.
func (x *session) barrier(then func(ok bool)) {
	p, s := x.p, x.p.n.s
	replies, unheard := make([]chan sim.Tick, len(p.areas)), make([][]*line, len(p.areas))
	for i, a := range p.areas {
		replies[i] = make(chan sim.Tick, 1)
		s.after(s.between(0, time.Millisecond), func() {
			if x.isCurrent() {
				a.request(func() {
					unheard[i] = p.unheard(a.g.area)
					a.g.out.barrier(a.g, replies[i])
				})
			}
		})
	}
	began, missing := s.now, len(replies)
	lacks := func() bool {
		return slices.ContainsFunc(p.areas, func(a *simArea) bool { return p.lacksRecords(a.g.area) })
	}
	var wait func()
	wait = func() {
		if !x.isCurrent() {
			return
		}
		failed := s.now-began > 4*time.Second
		for i, r := range replies {
			select {
			case _, ok := <-r:
				missing--
				failed = failed || !ok
				replies[i] = nil
				if ok {
					s.truth.checkApplied(p, unheard[i])
				}
			default:
			}
		}
		if (missing > 0 || lacks()) && !failed {
			s.after(5*time.Millisecond, wait)
			return
		}
		p.whenRuns(func() {
			if x.isCurrent() {
				then(!failed)
			}
		})
	}
	s.after(5*time.Millisecond, wait)
}

// lookForBody takes over the body of the character, or lets the character enter if it has none.
func (x *session) lookForBody(upToDate bool) {
	if !upToDate {
		x.end(true)
		return
	}
	x.find(func(found area.RestoredPlayer) {
		switch {
		case found.Entity == 0:
			x.claim.known = true
			x.join()
		case found.Connected:
			x.c.s.fail("character %d enters through node %d, and a client controls its body: %+v", x.c.id, x.p.n.id, found)
		default:
			x.adopt(found)
		}
	})
}

// find looks for the body of the character, as Host.Find does.
func (x *session) find(then func(area.RestoredPlayer)) {
	x.search(func(found area.RestoredPlayer, behind bool) {
		if found.Entity != 0 || !behind {
			then(found)
			return
		}
		x.barrier(func(upToDate bool) {
			if !upToDate {
				if x.state == entering {
					x.end(true)
				}
				return
			}
			x.search(func(found area.RestoredPlayer, _ bool) { then(found) })
		})
	})
}

func (x *session) search(then func(found area.RestoredPlayer, behind bool)) {
	p, s := x.p, x.p.n.s
	s.after(s.between(0, time.Millisecond), func() {
		if x.isCurrent() {
			p.whenRuns(func() {
				if x.isCurrent() {
					then(p.host.findNow(x.c.id))
				}
			})
		}
	})
}

// findNow looks for a character once as Find does, on a host whose areas no goroutine runs.
func (h *Host) findNow(c sim.CharacterID) (found area.RestoredPlayer, behind bool) {
	s := search{character: c}
	s.run(h.groups, func(_ *group, f func()) bool { f(); return true })
	return s.found, s.behind && s.found.Entity == 0
}

// adopt takes over a body that was found.
func (x *session) adopt(found area.RestoredPlayer) {
	x.who, x.area, x.arrived = found.Entity, found.Area, found.Arrived
	x.p.byActor[x.who] = x
	x.find(func(now area.RestoredPlayer) {
		if now.Entity != x.who {
			x.end(true)
			return
		}
		if x.area == found.Area && x.arrived == found.Arrived {
			x.area, x.arrived = now.Area, now.Arrived
		}
		x.claim.known = true
		x.c.s.note("client %d finds its body in area %d", x.c.id, x.area)
		if x.state = bodyOnly; !x.left {
			x.resume()
		}
	})
}

// resume gives the body to the client, once the process is up to date. If no area confirms that in time, the client gets no body.
func (x *session) resume() {
	s := x.p.n.s
	s.note("session %d of client %d asks for the body", x.number, x.c.id)
	x.state, x.sent = resuming, false
	x.asked++
	asked := x.asked
	giveUp := func() {
		if x.isCurrent() && x.state == resuming && x.asked == asked {
			x.dropConnection()
			if x.c.at == x {
				x.c.at = nil
			}
		}
	}
	x.barrier(func(upToDate bool) {
		switch {
		case x.state != resuming || x.asked != asked:
		case !upToDate:
			giveUp()
		default:
			x.sent = true
			x.sendResume()
			s.after(3*time.Second, func() { x.p.whenRuns(giveUp) })
		}
	})
}

func (x *session) sendResume() {
	x.pending++
	x.submit(sim.Intent{Kind: sim.IntentResume, Join: &sim.Join{Portal: -1}})
}

// join makes the character enter with its newest record.
func (x *session) join() {
	s, p := x.p.n.s, x.p
	if s.db.away || x.left {
		x.end(true)
		return
	}
	r := s.newestRecord(p, x.c.id)
	// If the process was paused here, it may have been declared dead, and another process has the account. Then no area accepts its intent.
	if want := s.truth.chars[x.c.id].version; r.Version != want && s.db.holders[x.c.id] == x.holder {
		s.fail("character %d enters through node %d with version %d of its record, and version %d was shown", x.c.id, p.n.id, r.Version, want)
	}
	x.who, x.state = sim.PlayerID(uint16(p.n.id), p.n.reserve()), joining
	x.area = sim.AreaID(slices.IndexFunc(s.def.Areas, func(d sim.AreaDef) bool { return d.Name == r.Area }))
	p.byActor[x.who] = x
	s.truth.actors[x.who] = x
	x.inv = r.Inventory
	x.submit(sim.Intent{Kind: sim.IntentJoin, Join: &sim.Join{Character: r, Portal: -1, Pos: r.Pos, Login: true}})
}

// readFrame is what the hub and the doors of a process do with a frame.
func (p *process) readFrame(f *sim.Frame) {
	s := p.n.s
	if f.Tick > p.read[f.Area]+1 {
		p.misses(f.Area, f.Tick-1)
	}
	p.read[f.Area], p.readAt[f.Area] = f.Tick, s.now
	p.ground[f.Area] = append(p.ground[f.Area][:0], f.Ground...)
	p.prey[f.Area], p.players[f.Area] = p.prey[f.Area][:0], p.players[f.Area][:0]
	for i := range f.Actors {
		a := &f.Actors[i]
		p.prey[f.Area] = append(p.prey[f.Area], prey{a.ID, a.Pos})
		if !a.Is(sim.FlagPlayer) {
			continue
		}
		p.parties[a.ID] = a.Party
		p.players[f.Area] = append(p.players[f.Area], a.Body.Character)
		if x := p.byActor[a.ID]; x != nil {
			x.pos = a.Pos
			if x.plays() && x.arrived && x.area == f.Area && a.Is(sim.FlagLingering) {
				x.losesBody(f)
			}
		}
	}
	at := s.truth.time(f.Area, f.Tick)
	for i := range f.Events {
		e := &f.Events[i]
		if r := e.Record; r != nil {
			p.unsaved[f.Area] = append(p.unsaved[f.Area], tickRecord{f.Tick, r})
			if p.records[r.ID] == nil || p.records[r.ID].Version < r.Version {
				p.records[r.ID] = r
			}
		}
		switch e.Kind {
		case sim.EventChat:
			p.showLine(f, e, at)
		case sim.EventAttacked:
			p.recordBlow(f, e, at)
		}
		if x := p.byActor[e.Who]; x != nil {
			x.readEvent(f, e, at)
		}
	}
	p.recordFrame(f, at)
}

// losesBody is called when a session plays and its body is reported without a connection. That is right only if the client has
// disconnected and resumed several times while the area did not run: the area then applies all these intents one after the other.
func (x *session) losesBody(f *sim.Frame) {
	s, c := x.p.n.s, x.c
	if x.pending <= 0 {
		s.fail("character %d plays through node %d, and its body in area %d counts as without a connection", c.id, x.p.n.id, f.Area)
		return
	}
	if c.at == x {
		c.leave(x)
	}
	x.state, x.sent = resuming, true
}

// showLine shows a line to the clients in the area.
func (p *process) showLine(f *sim.Frame, e *sim.Event, at time.Time) {
	s := p.n.s
	speaker := s.truth.actors[e.Who]
	if speaker == nil {
		return
	}
	l := speaker.c.lines[e.Text]
	for _, c := range s.clients {
		if x := c.at; x != nil && x.p == p && l != nil && c.watches(x, f, at) {
			s.history.RecordLine(at, c.name, speaker.c.name, l.number)
		}
	}
}

// plays reports whether the client controls its body, as far as the process knows.
func (x *session) plays() bool { return x.state == connected && !x.p.host.fencing.Load() }

// isShown reports whether the connection of a session is shown an area. The client may have gone elsewhere, and its node, which was
// paused, does not know yet.
func (x *session) isShown(a sim.AreaID) bool {
	return (x.state == connected || x.state == leaving) && x.arrived && x.area == a
}

// sees reports whether the client of a session is shown an area.
func (x *session) sees(a sim.AreaID) bool { return x.isShown(a) && x.c.at == x }

func (x *session) readEvent(f *sim.Frame, e *sim.Event, at time.Time) {
	s, c := x.p.n.s, x.c
	switch e.Kind {
	case sim.EventJoined:
		if at.Before(x.joined) {
			break // this node's copy of the area is behind: the hub has read a later arrival of the player (session.Hub.arrivesEarly)
		}
		x.joined = at
		if x.sees(x.area) { // this node's copy of the other area is behind, so it steps the departure later
			c.leaves(s.truth.time(x.area, x.p.read[x.area]))
		}
		x.area, x.arrived = f.Area, true
		switch x.state {
		case joining:
			x.state = connected
		case resuming:
			if x.sent {
				x.sendResume()
			}
			return
		case leaving: // the earlier leave did not reach the player, who was between two areas
			x.submit(sim.Intent{Kind: sim.IntentLeave})
		case bodyOnly, entering:
			return
		}
		c.waits = false
		if c.at == x {
			c.enters(x, at, f.Area)
		}
	case sim.EventDeparted:
		if x.area != f.Area || !x.arrived || at.Before(x.joined) {
			break // this node has already shown the arrival in the other area
		}
		if x.sees(f.Area) {
			c.leaves(at)
		}
		x.area, x.arrived = e.To, false
	case sim.EventLeft:
		if x.plays() {
			s.fail("the body of character %d, who plays through node %d, left the world", c.id, x.p.n.id)
		}
		x.end(true)
		x.claim.known = true // no other process can change the account before it is released
	case sim.EventResumed:
		x.pending = max(0, x.pending-1) // while this node is behind, it may count takeovers by other nodes, too
		if x.state != resuming || !x.sent {
			break
		}
		x.area, x.arrived, x.state, x.inv = f.Area, true, connected, e.Record.Inventory
		c.waits = false
		s.note("client %d plays on through node %d", c.id, x.p.n.id)
		if c.at == x { // the client is still at this node after a pause of its process
			c.enters(x, at, f.Area)
		}
	case sim.EventDropped:
		for i := range x.inv {
			if x.inv[i].Amount > 0 && x.inv[i].Item == e.Ground.Stack.Item {
				x.inv[i] = sim.ItemStack{}
			}
		}
	case sim.EventPickedUp:
		x.inv[e.N] = e.Ground.Stack
	case sim.EventOrderDone:
		if e.Reason != 0 {
			c.waits = false
		}
	}
}

// skipped tells the hub that it has missed frames of an area. The hub checks which of its players are still there. The history records
// that their clients did not see the area meanwhile.
func (p *process) skipped(a sim.AreaID, last time.Time) {
	s := p.n.s
	p.read[a], p.readAt[a] = p.areas[a].g.state.Now(), s.now
	p.misses(a, p.read[a])
	p.players[a] = p.players[a][:0]
	p.areas[a].g.state.Players(func(_ sim.EntityID, c sim.CharacterID) { p.players[a] = append(p.players[a], c) })
	for _, c := range s.clients {
		x := p.sessions[c.id]
		if x == nil || x.who == 0 {
			continue
		}
		if x.sees(a) {
			c.leaves(last)
		}
		here := false
		p.areas[a].g.state.Players(func(who sim.EntityID, _ sim.CharacterID) { here = here || who == x.who })
		if at := s.truth.time(a, p.read[a]); here && at.Before(x.joined) {
			continue // the state is older than the player's arrival in another area
		} else if here {
			x.joined = at
		}
		switch {
		case here && x.state == joining:
			x.state = connected
		case !here && x.state == leaving && x.area == a: // the missed frame contained the player's last record
			x.end(true)
			continue
		case !here && x.state == bodyOnly && x.arrived && x.area == a:
			x.missing = true
			x.locateMissing()
			continue
		}
		if !here && x.area != a {
			continue
		}
		if x.area != a && x.sees(x.area) {
			c.leaves(s.truth.time(x.area, p.read[x.area]))
		}
		if !here { // the player arrives in another area later, or has left the world
			x.arrived, x.missing = false, true
			continue
		}
		x.missing = false
		if x.area, x.arrived = a, true; x.sees(a) {
			if c.waits {
				c.awaitOrder(x)
			}
			c.enters(x, s.truth.time(x.area, p.read[x.area]), x.area)
		}
	}
}

// misses tells the host that the hub of this process has missed the frames of an area up to a tick.
func (p *process) misses(a sim.AreaID, tick sim.Tick) {
	p.missed[a] = tick
	p.host.Missed(a, tick)
}

// lacksRecords reports whether the hub has missed a tick of an area whose records are not stored, as far as the process knows.
func (p *process) lacksRecords(a sim.AreaID) bool { return p.missed[a] > p.host.SavedTick(a) }

// whenRuns calls f now, or when the process is scheduled again.
func (p *process) whenRuns(f func()) {
	if p.paused {
		p.onResume = append(p.onResume, f)
	} else {
		f()
	}
}
