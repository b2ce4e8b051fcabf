//go:build linux

package main

import (
	"context"
	"fmt"
	"maps"
	"sync/atomic"
	"time"

	"github.com/truestep-io/truestep/client/rcce"
	"github.com/truestep-io/truestep/e2e/play"
	proto "github.com/truestep-io/truestep/proto/rcce"
	"github.com/truestep-io/truestep/sim/geom"
)

// rccePlayer is a RealmCrafter client. Only these clients are shown items and experience.
type rccePlayer struct {
	common
	number int
	client atomic.Pointer[rcce.Client]
	end    context.CancelFunc
	over   chan error // result of Play

	// Guarded by the client: packets and Act run in its goroutine, everything else inside Inspect.
	mixed  rcce.FightOrWander
	items  inventory
	points int // experience
}

func (p *rccePlayer) join(ctx context.Context, n *node) error {
	p.node, p.trip = n, play.Trip{}
	trades := p.items.trades
	p.items = newInventory(p.number)
	p.items.trades = trades
	p.mixed = rcce.FightOrWander{Wander: rcce.Wander{Radius: 40, Centre: &geom.Vec{}}, Fight: rcce.Fight{Range: 50, Reach: 7, Centre: &geom.Vec{}}}
	first := p.client.Load() == nil
	c, err := rcce.Dial(ctx, n.Addresses["rcce"], rcce.Options{
		User: p.name, Password: password, SameConnection: true, Seed: p.seed, Packet: p.receive, Chat: p.listen,
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

// receive stores what a packet says of experience and items.
func (p *rccePlayer) receive(packet proto.Packet) {
	switch k := packet.(type) {
	case proto.FetchCharacterSheet:
		p.points = int(k.XP) // recorded when the login works: the sheet of one that is refused may be older
	case proto.FetchCharacterItems:
		p.items.set(k.Slots)
	case proto.ChangeArea:
		p.items.enterArea()
	case proto.InventoryDropped:
		p.items.dropped(&k)
	case proto.InventoryGone:
		p.items.gone(k.Drop)
	case proto.InventoryReceived:
		p.items.received(&k)
	case proto.XPUpdate:
		if k.Sub == proto.XPGained {
			p.gain(int(k.Value), "play")
		}
	}
}

// goods are what a client is shown of Tokens and experience.
type goods struct {
	slots          map[uint8]int  // amounts by slot
	ground         map[uint32]int // amounts by handle
	trades, points int
}

func (p *rccePlayer) goods() (g goods) {
	if p.client.Load() == nil {
		return g
	}
	p.client.Load().Inspect(func(*rcce.World) {
		g = goods{slots: maps.Clone(p.items.slots), ground: map[uint32]int{}, trades: p.items.trades, points: p.points}
		for handle, item := range p.items.ground {
			g.ground[handle] = item.amount
		}
	})
	return g
}

// gain adds experience points that the client was shown on an occasion.
func (p *rccePlayer) gain(points int, occasion string) {
	p.points += points
	p.crowd.history.Experience(p.name, fmt.Sprintf("%s through node %s", occasion, p.node.name), p.points)
}

// Act implements rcce.Behaviour.
func (p *rccePlayer) Act(a *rcce.Player) {
	if p.still() {
		a.Stop()
		return
	}
	if text, ok := p.lineDue(a.Now(), a.Rand()); ok {
		a.Say(text)
	}
	if p.items.trade(a) {
		return
	}
	if goal, ok := p.goalIn(p.crowd.world.AreaNamed(a.World().Area), a.Now(), a.Rand()); ok {
		if !a.Walking() {
			a.WalkTo(goal.X, goal.Z, true)
		}
		return
	}
	p.mixed.Act(a)
}

// inventory is what a client was shown of Tokens. The size of a stack identifies it: player n drops n+1 pieces of its kitAmount once, and
// after that all stacks are dropped and picked up as a whole and never merged.
type inventory struct {
	number int // of the player
	slots  map[uint8]int
	ground map[uint32]lying
	asked  map[uint32]bool // handles that the player asked to pick up
	next   time.Time
	until  time.Time // time at which the player gives up its walk to goal; zero if it walks to none
	goal   uint32
	trades int // stacks dropped and picked up over all connections
}

// lying is a stack on the ground.
type lying struct {
	amount int
	pos    geom.Vec
}

const (
	tokenID    = 1
	firstSlot  = 14 // of the backpack
	slotCount  = 46
	tradePause = 3 * time.Second
	tradeWalk  = 4 * time.Second
	pickReach  = 12 // distance from which an item is picked up; the server allows 20 units
)

func newInventory(number int) inventory {
	return inventory{number: number, slots: map[uint8]int{}, ground: map[uint32]lying{}, asked: map[uint32]bool{}}
}

// set stores a part of the inventory, which the client is sent before it enters the world.
func (v *inventory) set(slots []proto.SlotItem) {
	for _, s := range slots {
		if s.Amount > 0 && s.Item.ID == tokenID {
			v.slots[s.Slot] = int(s.Amount)
		}
	}
}

// enterArea clears the list of items on the ground, because the client is sent those of its new area.
func (v *inventory) enterArea() {
	clear(v.ground)
	clear(v.asked)
}

// dropped stores a stack on the ground. If the player had it, it no longer has it.
func (v *inventory) dropped(k *proto.InventoryDropped) {
	amount := int(k.Amount)
	v.ground[k.Drop] = lying{amount, geom.Vec{X: k.X, Y: k.Y, Z: k.Z}}
	for slot, have := range v.slots {
		switch {
		case have == amount:
			delete(v.slots, slot)
		case have == kitAmount && amount == v.number+1:
			v.slots[slot] = kitAmount - amount
		default:
			continue
		}
		v.trades++
		return
	}
}

func (v *inventory) gone(handle uint32) { delete(v.ground, handle) }

// received stores a stack that the player picked up.
func (v *inventory) received(k *proto.InventoryReceived) {
	v.trades++
	v.slots[k.Slot] = v.ground[k.Drop].amount
	delete(v.ground, k.Drop)
}

// trade drops a stack or picks one up from time to time. It returns whether the player walks to one.
func (v *inventory) trade(a *rcce.Player) (walks bool) {
	now := a.Now()
	if !v.until.IsZero() {
		return v.fetch(a)
	}
	if now.Before(v.next) {
		return false
	}
	first := v.next.IsZero()
	v.next = now.Add(tradePause/2 + time.Duration(a.Rand().Int64N(int64(tradePause))))
	if first {
		return false
	}
	if a.Rand().IntN(2) == 0 {
		for slot, amount := range v.slots {
			if amount == kitAmount {
				amount = v.number + 1
			}
			a.Drop(slot, uint16(amount))
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

// fetch continues the walk to a stack, and picks it up when it is near.
func (v *inventory) fetch(a *rcce.Player) (walks bool) {
	item, ok := v.ground[v.goal]
	slot, free := v.freeSlot()
	switch {
	case !ok || !free || a.Now().After(v.until):
	case geom.DistXZ(item.pos, a.Pos()) < pickReach:
		a.PickUp(v.goal, slot)
		v.asked[v.goal] = true
	default:
		return true
	}
	v.until = time.Time{}
	return false
}

// freeSlot returns an empty slot of the backpack.
func (v *inventory) freeSlot() (slot uint8, ok bool) {
	for slot := uint8(firstSlot); slot < slotCount; slot++ {
		if _, used := v.slots[slot]; !used {
			return slot, true
		}
	}
	return 0, false
}
