//go:build linux

package main

import (
	"context"
	"fmt"
	"strings"
	"time"

	"github.com/truestep-io/truestep/client/rcce"
	"github.com/truestep-io/truestep/e2e/play"
	"github.com/truestep-io/truestep/e2e/truth"
	proto "github.com/truestep-io/truestep/proto/rcce"
	"github.com/truestep-io/truestep/sim/geom"
)

const (
	partySize     = 4               // number of players in a group whose members invite each other
	partyPause    = 3 * time.Second // average time between two requests of a player about its party is 1.5 times this
	leaveParty    = 20              // one in this many of these requests is to leave the party
	requestUnsure = 5 * time.Second // an unanswered request younger than this may have been executed by the server; older ones are forgotten
)

// rccePlayer is a RealmCrafter client. Only RealmCrafter clients receive items, experience, parties and the health of NPCs.
type rccePlayer struct {
	crowd  *crowd
	number int
	warden *truth.Area // if set, the player goes to this area and stays, so that the area's items always have an observer; nil for most

	client *rcce.Client
	end    context.CancelFunc
	over   chan error // result of Play

	// The following fields are accessed only in the client's goroutine, which calls Act and the handlers of packets, and in
	// functions that are passed to rcce.Client.Inspect.
	view      rcceView
	mixed     rcce.FightOrWander
	trip      play.Trip
	trade     trade
	nextParty time.Time

	trades, parties, points int // totals of all connections: items picked up; non-empty party lists received; experience points
}

// rcceView is the state that the client has received and that the client library's rcce.World does not contain.
type rcceView struct {
	items inventory
	npcs  map[string]npc    // state of each NPC of the area, by name
	rids  map[uint16]string // names of NPCs by runtime id

	xp     int       // experience points
	party  []string  // other members of the party, as the client lists them
	asked  time.Time // time of the player's unanswered request about a party; zero if there is none
	leaves bool      // the unanswered request is to leave the party
	left   bool      // the player has left its party and is in no other
}

// npc is the last state of an NPC that a client has received.
type npc struct {
	health float64 // health as a share of the maximum
	dead   bool
	at     time.Time // time at which the client received this state
}

func rcceName(number int) string   { return fmt.Sprintf("Rc%04d", number) }
func (p *rccePlayer) name() string { return rcceName(p.number) }

func (p *rccePlayer) join(ctx context.Context) error {
	p.view = rcceView{items: newInventory(p.number), npcs: map[string]npc{}, rids: map[uint16]string{}}
	p.trip, p.trade = play.Trip{}, trade{}
	p.mixed = rcce.FightOrWander{Wander: rcce.Wander{Radius: 60}, Fight: rcce.Fight{Players: true, Range: 60, Reach: 7}}
	first := p.client == nil
	c, err := rcce.Dial(ctx, p.crowd.server.Addresses["rcce"], rcce.Options{
		User: p.name(), Password: password, SameConnection: true, Seed: p.crowd.seedOf(0, p.number), Packet: p.receive,
	})
	if err != nil {
		return err
	}
	if err := play.EnterRcce(ctx, c, first); err != nil {
		c.Close()
		return err
	}
	p.client = c
	playing, end := context.WithCancel(context.Background())
	p.end, p.over = end, make(chan error, 1)
	go func(over chan<- error) { over <- c.Play(playing, p) }(p.over)
	return nil
}

func (p *rccePlayer) cut() {
	if p.client != nil {
		p.end()
		p.over <- <-p.over
		go p.client.Close() // the killed server does not answer, so Close waits for a second
	}
}

func (p *rccePlayer) playing() error { return play.Err(p.client != nil, p.over) }

func (p *rccePlayer) shown() (s shown) {
	if p.client == nil {
		return s
	}
	p.client.Inspect(func(w *rcce.World) {
		s = shown{area: p.crowd.world.AreaNamed(w.Area), pos: w.Self.Pos, health: -1, dead: w.Self.Dead()}
		if w.Self.HealthMax > 0 {
			s.health = float64(w.Self.Health) / float64(w.Self.HealthMax)
		}
	})
	return s
}

func (p *rccePlayer) updates() uint64 {
	if p.client == nil {
		return 0
	}
	return p.client.Stats(nil, nil).Updates
}

// seen returns the area and the last position of a named actor that the client has received. ok is false if the client does not
// see the actor.
func (p *rccePlayer) seen(name string) (area *truth.Area, pos geom.Vec, ok bool) {
	if p.client == nil {
		return nil, pos, false
	}
	p.client.Inspect(func(w *rcce.World) {
		var a rcce.Actor
		a, ok = w.FindByName(name)
		area, pos = p.crowd.world.AreaNamed(w.Area), a.Pos
	})
	return area, pos, ok && area != nil
}

// receive stores the state that a packet contains.
func (p *rccePlayer) receive(packet proto.Packet) {
	v, now := &p.view, time.Now()
	switch k := packet.(type) {
	case proto.FetchCharacterSheet:
		v.xp = int(k.XP)
	case proto.FetchCharacterItems:
		v.items.set(k.Slots)
	case proto.ChangeArea:
		v.npcs, v.rids = map[string]npc{}, map[uint16]string{}
		v.items.enterArea()
	case proto.InventoryDropped:
		v.items.dropped(&k)
	case proto.InventoryGone:
		v.items.gone(k.Drop)
	case proto.InventoryReceived:
		v.items.received(&k)
		p.trades++
	case proto.InventoryTaken:
		v.items.taken(&k)
	case proto.XPUpdate:
		if k.Sub == proto.XPGained {
			v.xp += int(k.Value)
			p.points += int(k.Value)
		}
	case proto.PartyUpdate:
		v.left = len(k.Names) == 0 && (v.leaves && !v.asked.IsZero() || v.left)
		v.party, v.asked = k.Names, time.Time{}
		p.parties += min(len(k.Names), 1)
	case proto.ChatMessage:
		if strings.Contains(k.Text, "invites you to a party") {
			p.nextParty = time.Time{}
		}
	default:
		p.receiveActor(packet, now)
	}
}

// receiveActor stores the state of NPCs that a packet contains.
func (p *rccePlayer) receiveActor(packet proto.Packet, now time.Time) {
	v := &p.view
	switch k := packet.(type) {
	case proto.NewActor:
		if k.IsPlayer == 0 && k.HealthMax > 0 {
			v.rids[k.RuntimeID] = k.Name
			v.npcs[k.Name] = npc{health: float64(k.Health) / float64(k.HealthMax), at: now}
		}
	case proto.ActorDead:
		if name, ok := v.rids[k.Dead]; ok {
			v.npcs[name] = npc{dead: true, at: now}
		}
	case proto.StatUpdate:
		if name, ok := v.rids[k.RuntimeID]; ok && k.Sub == proto.StatValue && k.Attribute == 0 {
			if n := v.npcs[name]; !n.dead {
				v.npcs[name] = npc{health: float64(k.Value) / npcHealth, at: now}
			}
		}
	}
}

// Act implements rcce.Behaviour. It sends requests about the party and about items, walks to other areas, fights and wanders.
func (p *rccePlayer) Act(a *rcce.Player) {
	if p.crowd.holding.Load() {
		a.Stop()
		return
	}
	area := p.crowd.world.AreaNamed(a.World().Area)
	p.manageParty(a)
	if strays := p.warden != nil && area != p.warden; !strays && p.trade.act(a, &p.view.items) {
		return
	}
	if goal, ok := p.goalIn(area, a); ok {
		if !a.Walking() {
			a.WalkTo(goal.X, goal.Z, true)
		}
		return
	}
	p.mixed.Wander.Centre = &geom.Vec{}
	if p.number%2 == 0 { // every second player fights whenever there is a target
		if p.mixed.Fight.Act(a); p.mixed.Fight.HasTarget() {
			return
		}
	}
	p.mixed.Act(a)
}

// goalIn returns the entrance to walk to, if the player is on its way to another area.
func (p *rccePlayer) goalIn(area *truth.Area, a *rcce.Player) (goal geom.Vec, ok bool) {
	if p.warden == nil || area == nil {
		return p.trip.GoalIn(area, tripPause, a.Now(), a.Rand())
	}
	if area == p.warden {
		return geom.Vec{}, false
	}
	return area.EntranceTo(p.warden)
}

// manageParty sends one request about the party from time to time. Players with consecutive numbers form groups of partySize: the
// first player of a group invites the others, these accept, and sometimes a player leaves.
func (p *rccePlayer) manageParty(a *rcce.Player) {
	v, now := &p.view, a.Now()
	if now.Before(p.nextParty) {
		return
	}
	p.nextParty = now.Add(partyPause + time.Duration(a.Rand().Int64N(int64(partyPause))))
	leader := p.number - p.number%partySize
	v.leaves = false
	switch {
	case len(v.party) > 0 && a.Rand().IntN(leaveParty) == 0:
		a.Say("/leave")
		v.leaves = true
	case p.number == leader:
		a.Say("/invite " + rcceName(leader+1+a.Rand().IntN(partySize-1)))
	case len(v.party) == 0:
		a.Say("/accept")
	default:
		return
	}
	v.asked = now
}
