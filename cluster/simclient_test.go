package cluster

import (
	"fmt"
	"slices"
	"time"

	"github.com/truestep-io/truestep/sim"
	"github.com/truestep-io/truestep/sim/geom"
	"github.com/truestep-io/truestep/sim/move"
)

// client is a player in front of a screen, who logs in again and again.
type client struct {
	s        *simulation
	id       sim.CharacterID
	name     string
	at       *session // session through which the client plays; nil for none
	sessions []*session
	lines    map[string]*line
	number   int // number of the client's newest line
	tries    int // number of logins so far, each through the next node
	last     *line
	waits    bool          // an operator's order about the client's character is not carried out yet
	orders   int           // number of operators' orders about the character so far
	patience time.Duration // time without a frame after which the client tries another node
	played   time.Duration // when the client last acted in the world
	until    time.Time     // newest time for which the client was shown the state of an area
}

func newClient(s *simulation, id sim.CharacterID) *client {
	return &client{s: s, id: id, name: fmt.Sprint("P", id), lines: map[string]*line{}, patience: s.between(1500*time.Millisecond, 6*time.Second)}
}

// sessionOf returns the newest session of the client through an incarnation of a node.
func (c *client) sessionOf(m mark) *session {
	for _, s := range slices.Backward(c.sessions) {
		if s.holder == m {
			return s
		}
	}
	return nil
}

// act is what a client does now: play, or log in through some node.
func (c *client) act() {
	s := c.s
	if s.now > s.lasts-afterwards {
		return // no actions at the end, so that all nodes can show the last ones
	}
	again := s.between(60*time.Millisecond, 250*time.Millisecond)
	switch x := c.at; {
	case x == nil:
		c.tries++
		if n := s.nodes[1+c.tries%(len(s.nodes)-1)]; n.p != nil && !n.p.paused {
			c.logIn(n.p)
		}
		again = s.between(200*time.Millisecond, 900*time.Millisecond)
	case x.over || x.state == bodyOnly:
		c.at = nil
	case s.now-x.p.readAt[x.area] > c.patience:
		c.goElsewhere()
	case x.state == connected && x.arrived && !c.waits && !x.p.paused:
		c.play(x)
	}
	s.after(again, c.act)
}

// goElsewhere makes a client close a connection on which it is shown nothing.
func (c *client) goElsewhere() {
	x := c.at
	c.at = nil
	c.s.note("client %d leaves node %d, which shows nothing", c.id, x.p.n.id)
	c.leave(x)
	x.p.whenRuns(func() { x.dropConnection() })
}

// enters reports to the checker that the client is shown an area from a time on; leaves reports the end. A node that was cut off
// shows a returning client earlier ticks until it learns that it was declared dead; the checker is not told of such ticks.
func (c *client) enters(x *session, at time.Time, a sim.AreaID) {
	c.checkNotBehind(x, at)
	if at.Before(c.until) {
		at = c.until
	}
	c.s.note("client %d is shown area %d from %.4f on", c.id, a, at.Sub(c.s.began).Seconds())
	c.s.history.Enter(at, c.name, c.s.def.Areas[a].Name)
}

// checkNotBehind checks that a session shows its client no earlier time than other sessions have, unless its node was declared dead: a
// login and a takeover wait until the node has everything that any node may have shown. Within a session the time may go back when the
// client changes areas, because the copy of one area may be behind that of another.
func (c *client) checkNotBehind(x *session, at time.Time) {
	if at.Before(x.before) && c.s.truth.gone[x.p.n.id] < x.holder.incarnation {
		c.s.fail("node %d shows client %d the state of %.4f, and other nodes had shown it that of %.4f", x.p.n.id, c.id, at.Sub(c.s.began).Seconds(), x.before.Sub(c.s.began).Seconds())
	}
}

func (c *client) leaves(at time.Time) {
	c.s.note("client %d is shown its area until %.4f", c.id, at.Sub(c.s.began).Seconds())
	c.s.history.Leave(at, c.name)
	if at.After(c.until) {
		c.until = at
	}
}

// leave notes that the client sees nothing of the world any more.
func (c *client) leave(x *session) {
	c.leaves(c.s.truth.time(x.area, x.p.read[x.area]))
	c.waits = false
}

// logIn brings the client's character into the world through a process, as session.Hub does in a cluster.
func (c *client) logIn(p *process) {
	s := c.s
	if x := p.sessions[c.id]; x != nil { // this process has a session with the character's body
		if x.state == bodyOnly {
			c.at, x.left, x.before = x, false, c.until
			x.resume()
		}
		return
	}
	incarnation := p.host.Serving()
	if incarnation == 0 {
		return
	}
	claim := p.claimAccount(c.id, mark{node: p.n.id, incarnation: incarnation})
	if claim == nil {
		return
	}
	x := &session{c: c, p: p, holder: claim.holder, claim: claim, number: len(c.sessions) + 1, before: c.until}
	c.sessions = append(c.sessions, x)
	c.at, p.sessions[c.id] = x, x
	s.note("client %d claims its account through node %d", c.id, p.n.id)
	if claim.known { // no other process can have changed the account
		x.join()
	} else {
		x.barrier(x.lookForBody)
	}
}

// play does one of the things that a player can do.
func (c *client) play(x *session) {
	s := c.s
	c.played = s.now
	if s.parties && s.chance(5) {
		c.socialise(x)
		return
	}
	switch k := s.rand.IntN(100); {
	case k < 46:
		c.say(x)
		if s.chance(12) { // several lines at once, so that intents of the client must wait for the next batch after a pause of the area
			for range 4 {
				c.say(x)
			}
		}
	case k < 58:
		to := x.pos.X + float32(s.rand.IntN(9)-4)
		x.submit(sim.Intent{Kind: sim.IntentClaim, Claim: move.Claim{X: to, Z: x.pos.Z, Y: x.pos.Y, DestX: to, DestZ: x.pos.Z}})
	case k < 70:
		if c.last == nil || c.last.heard || c.last.mayBeLost { // none if a line waits: an order would overtake it
			c.travel(x)
		}
	case k < 78:
		for _, i := range s.rand.Perm(itemsEach * 2) {
			if slot := sim.SlotBackpack + i; !x.inv[slot].Empty() {
				x.submit(sim.Intent{Kind: sim.IntentDrop, SlotA: uint8(slot), Amount: 1})
				return
			}
		}
	case k < 86:
		if list := x.p.ground[x.area]; len(list) > 0 {
			for slot := sim.SlotBackpack; slot < sim.SlotCount; slot++ {
				if x.inv[slot].Empty() {
					x.submit(sim.Intent{Kind: sim.IntentPickUp, SlotA: uint8(slot), Ground: list[s.rand.IntN(len(list))].Handle})
					return
				}
			}
		}
	case k < 96:
		c.hunt(x)
	case k < 98:
		x.state = leaving
		x.submit(sim.Intent{Kind: sim.IntentLeave})
	default:
		c.leave(x)
		c.at = nil
		x.dropConnection()
	}
}

// socialise invites another player to the party of the client's character, accepts an invitation, or leaves the party.
func (c *client) socialise(x *session) {
	switch k := c.s.rand.IntN(20); {
	case k < 9:
		x.submit(sim.Intent{Kind: sim.IntentInviteParty, Text: c.s.clients[c.s.rand.IntN(simClients)].name})
	case k < 19:
		x.submit(sim.Intent{Kind: sim.IntentAcceptInvite})
	default:
		x.submit(sim.Intent{Kind: sim.IntentLeaveParty})
	}
}

// travel has an operator send the player to another area.
func (c *client) travel(x *session) {
	to := sim.AreaID(c.s.rand.IntN(simAreas))
	if to != x.area && x.submit(sim.Intent{Kind: sim.IntentTeleport, To: to, Join: &sim.Join{Portal: -1, Pos: geom.Vec{X: float32(c.s.rand.IntN(9))}}, Serial: uint32(c.number)}) {
		c.waits = true
		c.orders++
	}
}

// awaitOrder stops the wait for an order once the process has applied everything that was submitted through it. The result may never
// be shown, because the process may have missed its frames.
func (c *client) awaitOrder(x *session) {
	order := c.orders
	x.barrier(func(upToDate bool) {
		switch {
		case c.at != x || c.orders != order:
		case upToDate:
			c.waits = false
		default:
			c.awaitOrder(x)
		}
	})
}

// hunt attacks a cow or another player, or has an operator bring the player to one.
func (c *client) hunt(x *session) {
	list := x.p.prey[x.area]
	if len(list) == 0 {
		return
	}
	prey := list[c.s.rand.IntN(len(list))]
	if prey.id == x.who {
		return
	}
	if geom.Dist2XZ(prey.pos, x.pos) > 25 {
		x.submit(sim.Intent{Kind: sim.IntentTeleport, To: x.area, Join: &sim.Join{Portal: -1, Pos: prey.pos}, Serial: uint32(c.number)})
	}
	x.submit(sim.Intent{Kind: sim.IntentAttack, Target: prey.id})
}

// samplePlaces notes, once a second, where each node that is up to date shows the characters. A node that is behind in one area may show
// a character there and in the next area, until it has caught up: see watch for how long. It also checks the claims of all nodes.
func (s *simulation) samplePlaces() {
	s.after(time.Second, s.samplePlaces)
	s.checkClaims()
	behind := ""
	for _, n := range s.nodes[1:] {
		if n.p == nil || slices.ContainsFunc(n.p.areas, func(a *simArea) bool { return int(a.seen) < len(s.truth.areas[a.g.area].hashes) }) {
			behind = n.name
			s.history.Forget(n.name)
			continue
		}
		where := map[string][]string{}
		for _, a := range n.p.areas {
			for _, c := range n.p.players[a.g.area] {
				where[s.clients[c-1].name] = append(where[s.clients[c-1].name], a.g.name)
			}
		}
		s.stats.samples++
		s.history.RecordPlaces(s.began.Add(s.now), n.name, where)
	}
	if behind != "" { // a player may be under way until the node has caught up; the samples of the others in this round do not count as absence
		s.history.Forget(behind)
	}
}
