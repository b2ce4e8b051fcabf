//go:build linux

package main

import (
	"context"
	"fmt"
	"maps"
	"math/rand/v2"
	"sync/atomic"
	"time"

	"github.com/truestep-io/truestep/client/rcce"
	"github.com/truestep-io/truestep/e2e/cluster/checker"
	"github.com/truestep-io/truestep/e2e/play"
	proto "github.com/truestep-io/truestep/proto/rcce"
	"github.com/truestep-io/truestep/sim/geom"
)

// rccePlayer is a RealmCrafter client. Only RealmCrafter clients receive items and experience.
type rccePlayer struct {
	common
	client atomic.Pointer[rcce.Client]
	end    context.CancelFunc
	over   chan error // result of Play

	// The following fields are accessed only in the client's goroutine, which calls Act and the handlers of packets, and in
	// functions that are passed to rcce.Client.Inspect.
	mixed  rcce.FightOrWander
	items  inventory
	points int // experience points
	animal animal
	area   string   // name of the area of the last ChangeArea
	party  []string // other members of the player's party that the client was last shown
}

func (p *rccePlayer) join(ctx context.Context, n *node) error {
	p.node, p.trip = n, play.Trip{}
	trades, picked := p.items.trades, p.items.picked
	p.items = newInventory(p.index)
	p.items.trades, p.items.picked = trades, picked
	p.mixed = rcce.FightOrWander{Wander: rcce.Wander{Radius: 40, Centre: &geom.Vec{}}, Fight: rcce.Fight{
		Range: 50, Reach: 7, Centre: &geom.Vec{}, Exclude: func(a rcce.Actor) bool { return isAnimal(a.Name) },
	}}
	p.animal.tried, p.party = nil, nil
	template := uint16(humanTemplate)
	if p.animal.kind == horse {
		template = riderTemplate
	}
	first, newest := p.client.Load() == nil, p.connects()
	c, err := rcce.Dial(ctx, n.Addresses["rcce"], rcce.Options{
		User: p.name, Password: password, Template: template, SameConnection: true, Seed: p.seed,
		Packet: func(packet proto.Packet) {
			if newest() {
				p.receive(packet)
			}
		},
		Chat: func(text string) {
			if newest() {
				p.listen(text)
			}
		},
	})
	if err != nil {
		return err
	}
	if err := play.EnterRcce(ctx, c, first); err != nil {
		c.Close()
		return err
	}
	c.Inspect(func(*rcce.World) { p.gain(0, "login") })
	p.client.Store(c)
	p.shows(func() uint64 { return c.Stats(nil, nil).Updates })
	playing, end := context.WithCancel(context.Background())
	p.end, p.over = end, make(chan error, 1)
	go func(over chan<- error) { over <- c.Play(playing, p) }(p.over)
	return nil
}

func (p *rccePlayer) cut() {
	if p.client.Load() != nil {
		p.end()
		p.over <- <-p.over
		go p.client.Load().Close() // a killed server does not answer, so Close waits for a second
	}
}

func (p *rccePlayer) abandon() *staleConn {
	p.end()
	p.over <- <-p.over
	p.joins.Add(1)
	c := p.client.Load()
	return newStale(p, func(ctx context.Context) error {
		defer func() { go c.Close() }()
		return c.Play(ctx, nil)
	})
}

func (*rccePlayer) door() string { return "RealmCrafter" }

func (p *rccePlayer) logout() func() {
	return func() {
		p.end()
		p.over <- <-p.over
		p.client.Load().Close()
	}
}

func (p *rccePlayer) playing() error { return play.Err(p.client.Load() != nil, p.over) }

func (p *rccePlayer) shown() (s shown) {
	if p.client.Load() == nil {
		return s
	}
	p.client.Load().Inspect(func(w *rcce.World) {
		s = shown{area: p.crowd.world.AreaNamed(w.Area), pos: w.Self.Pos, dead: w.Self.Dead()}
	})
	return s
}

// health returns the health points that the client is shown of its player, 0 if it is dead. ok is false while they are not known.
func (p *rccePlayer) health() (points int, ok bool) {
	if p.client.Load() == nil {
		return 0, false
	}
	p.client.Load().Inspect(func(w *rcce.World) { points, ok = max(0, w.Self.Health), w.Self.HealthMax > 0 })
	return points, ok
}

// receive stores the experience and the items that a packet contains.
func (p *rccePlayer) receive(packet proto.Packet) {
	switch k := packet.(type) {
	case proto.FetchCharacterSheet:
		p.points = int(k.XP) // join records it after a successful login; a login that is refused later may show old values
	case proto.FetchCharacterItems:
		p.items.set(k.Slots)
	case proto.ChangeArea:
		p.area = k.Name
		p.items.enterArea()
	case proto.PartyUpdate:
		p.party = k.Names
		p.crowd.history.RecordParty(time.Now(), p.name, p.area, k.Names)
	case proto.InventoryDropped:
		if p.items.dropped(&k) {
			p.crowd.droppers.Store(k.Drop, p.name)
		}
	case proto.InventoryGone:
		p.items.gone(k.Drop)
	case proto.InventoryReceived:
		p.items.received(&k)
	case proto.InventoryTaken:
		p.items.taken(&k)
	case proto.XPUpdate:
		if k.Sub == proto.XPGained {
			p.gain(int(k.Value), "play")
		}
	}
}

// goods holds what a RealmCrafter client was last shown: its player's experience points, and the Tokens (an item of the test) in
// its player's inventory and on the ground.
type goods struct {
	slots          map[uint8]int  // numbers of Tokens by inventory slot
	ground         map[uint32]int // numbers of Tokens on the ground, by handle
	trades, points int            // stacks dropped and picked up; experience points
	picked         int            // stacks picked up
}

func (p *rccePlayer) goods() (g goods) {
	if p.client.Load() == nil {
		return g
	}
	p.client.Load().Inspect(func(*rcce.World) {
		g = goods{slots: maps.Clone(p.items.slots), ground: map[uint32]int{}, trades: p.items.trades, picked: p.items.picked, points: p.points}
		for handle, item := range p.items.ground {
			g.ground[handle] = item.amount
		}
	})
	return g
}

// stacks returns the stacks of Tokens that the client is shown, except whole kits, of which there are several.
func (p *rccePlayer) stacks() checker.Stacks {
	list, g := checker.Stacks{}, p.goods()
	for slot, amount := range g.slots {
		if amount != kitAmount {
			list[fmt.Sprintf("slot %d of %s", slot, p.name)] = amount
		}
	}
	for handle, amount := range g.ground {
		list[fmt.Sprintf("the ground, handle %d", handle)] = amount
	}
	return list
}

// gain adds experience points that the client has received, and records the sum in the history. The parameter occasion is "login"
// or "play".
func (p *rccePlayer) gain(points int, occasion string) {
	p.points += points
	p.crowd.history.RecordExperience(p.name, fmt.Sprintf("%s through node %s", occasion, p.node.name), p.points)
}

// Act implements rcce.Behaviour. It says chat lines, mounts, drops and picks up items, walks to other areas, fights and wanders.
func (p *rccePlayer) Act(a *rcce.Player) {
	if text, ok := p.commands.next(); ok {
		a.Say(text)
	}
	walks := p.animal.mount(a, p.still())
	if p.still() {
		a.Stop()
		return
	}
	if text, ok := p.lineDue(a.Now(), a.Rand()); ok {
		a.Say(text)
	}
	if walks || !p.crowd.keepsAll && !p.crowd.keeping.Load() && p.items.trade(a) {
		return
	}
	if goal, ok := p.goalIn(p.crowd.world.AreaNamed(a.World().Area), a.Now(), a.Rand()); ok {
		if !a.Walking() {
			a.WalkTo(goal.X, goal.Z, true)
		}
		return
	}
	if p.animal.kind == horse {
		p.mixed.Wander.Act(a)
		return
	}
	p.mixed.Act(a)
}

// inventory is the state of Tokens that a client has received. The size of a stack identifies it: player n splits n+1 pieces
// off its first stack of kitAmount once. After that all stacks are dropped and picked up as a whole and never merged.
type inventory struct {
	number int              // number of the player, from 0
	slots  map[uint8]int    // numbers of Tokens by inventory slot
	ground map[uint32]lying // stacks on the ground of the area, by handle
	asked  map[uint32]bool  // handles of the stacks that the player asked to pick up
	next   time.Time        // time of the next drop or walk to a stack
	until  time.Time        // time at which the player abandons its walk to goal; zero while it does not walk to one
	goal   uint32           // handle of the stack that the player walks to
	drop   *dropping        // the last drop that the player asked for; nil after it has happened
	pick   uint32           // handle of the stack that the player has asked to pick up and waits for; 0 if it waits for a drop or for nothing
	waits  time.Time        // time until which the player waits for the answer to its last request; past or zero if it need not wait
	trades int              // stacks dropped and picked up over all connections
	picked int              // stacks picked up over all connections
}

// dropping is a stack that the player wants to drop: a number of Tokens in an inventory slot.
type dropping struct {
	slot   uint8
	amount int
}

// lying is a stack of Tokens on the ground.
type lying struct {
	amount int
	pos    geom.Vec
}

const (
	tokenID    = 1
	firstSlot  = 14              // first inventory slot of the backpack
	slotCount  = 46              // number of inventory slots; the backpack is the last part
	tradePause = 3 * time.Second // average time between two trades of a player
	tradeWalk  = 4 * time.Second // maximum time of a walk to a stack
	pickReach  = 12              // distance in units from which a player picks up a stack; the server allows 20

	// answerLimit is the time after which a request without an answer counts as refused. No area may stop for longer, also in the short
	// form of the test: the server puts a stack into the slot that the player asked for even if that slot has got another stack meanwhile,
	// and merges them.
	answerLimit = 30 * time.Second
)

func newInventory(number int) inventory {
	return inventory{number: number, slots: map[uint8]int{}, ground: map[uint32]lying{}, asked: map[uint32]bool{}}
}

// set stores some of the inventory's slots. The server sends them before the player enters the world.
func (v *inventory) set(slots []proto.SlotItem) {
	for _, s := range slots {
		if s.Amount > 0 && s.Item.ID == tokenID {
			v.slots[s.Slot] = int(s.Amount)
		}
	}
}

// enterArea clears the list of items on the ground. The server sends the items of the new area next.
func (v *inventory) enterArea() {
	clear(v.ground)
	clear(v.asked)
	v.pick, v.waits = 0, time.Time{}
}

// dropped records a stack that lies on the ground. If this client's own player has dropped it, the function also removes the
// stack from the player's slots. The result own tells whether it has.
func (v *inventory) dropped(k *proto.InventoryDropped) (own bool) {
	amount := int(k.Amount)
	v.ground[k.Drop] = lying{amount, geom.Vec{X: k.X, Y: k.Y, Z: k.Z}}
	if own = v.drop != nil && v.drop.amount == amount; own { // no other stack has this size
		v.remove(v.drop.slot, amount)
		if v.drop = nil; v.pick == 0 { // otherwise the player waits for the answer to a later request
			v.waits = time.Time{}
		}
		v.trades++
	}
	return own
}

// taken removes Tokens from a slot at the server's request, which it sends after a login if it had sent the client an older inventory.
func (v *inventory) taken(k *proto.InventoryTaken) { v.remove(k.Slot, int(k.Amount)) }

func (v *inventory) remove(slot uint8, amount int) {
	if v.slots[slot] -= amount; v.slots[slot] <= 0 {
		delete(v.slots, slot)
	}
}

// gone removes a stack from the ground. If it is the one that the player asked for, another player has picked it up.
func (v *inventory) gone(handle uint32) {
	delete(v.ground, handle)
	v.answered(handle)
}

// answered ends the wait for the stack that the player asked for, if handle is that stack.
func (v *inventory) answered(handle uint32) {
	if handle == v.pick && v.pick != 0 {
		v.pick, v.waits = 0, time.Time{}
	}
}

// received stores a stack that the player picked up.
func (v *inventory) received(k *proto.InventoryReceived) {
	v.trades++
	v.picked++
	v.answered(k.Drop)
	v.slots[k.Slot] = v.ground[k.Drop].amount
	delete(v.ground, k.Drop)
}

// trade makes the player trade about once every tradePause: the player drops a stack, or walks to one and picks it up. The result
// walks is true during such a walk.
func (v *inventory) trade(a *rcce.Player) (walks bool) {
	now := a.Now()
	if !v.until.IsZero() {
		return v.fetch(a)
	}
	if !v.due(now, a.Rand()) {
		return false
	}
	if a.Rand().IntN(2) == 0 {
		for slot, amount := range v.slots {
			if amount == kitAmount {
				amount = v.number + 1
			}
			a.Drop(slot, uint16(amount))
			v.drop, v.pick, v.waits = &dropping{slot, amount}, 0, now.Add(answerLimit)
			return false
		}
	}
	for handle, item := range v.ground {
		if !v.asked[handle] {
			v.goal, v.until = handle, now.Add(tradeWalk)
			a.WalkTo(item.pos.X, item.pos.Z, true)
			return true
		}
	}
	return false
}

// due reports whether it is time for the next trade, and then schedules the one after it. It is not while the player waits for the answer
// to its last request.
func (v *inventory) due(now time.Time, random *rand.Rand) bool {
	if now.Before(v.next) || now.Before(v.waits) {
		return false
	}
	first := v.next.IsZero()
	v.next = now.Add(tradePause/2 + time.Duration(random.Int64N(int64(tradePause))))
	return !first
}

// fetch continues the player's walk to the stack that it wants, and makes the player pick up the stack once it is near. The
// result walks is true until then. The player gives up if the stack is gone, the backpack is full, or the walk takes too long.
func (v *inventory) fetch(a *rcce.Player) (walks bool) {
	item, ok := v.ground[v.goal]
	slot, free := v.freeSlot()
	switch {
	case !ok || !free || a.Now().After(v.until):
	case geom.DistXZ(item.pos, a.Pos()) < pickReach:
		a.PickUp(v.goal, slot)
		v.asked[v.goal], v.pick, v.waits = true, v.goal, a.Now().Add(answerLimit)
	default:
		return true
	}
	v.until = time.Time{}
	return false
}

// freeSlot returns an empty slot of the backpack. ok is false if the backpack is full.
func (v *inventory) freeSlot() (slot uint8, ok bool) {
	for slot := uint8(firstSlot); slot < slotCount; slot++ {
		if _, used := v.slots[slot]; !used {
			return slot, true
		}
	}
	return 0, false
}
