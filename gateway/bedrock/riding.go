package bedrock

import (
	proto "github.com/truestep-io/truestep/proto/bedrock"
	"github.com/truestep-io/truestep/sim"
)

// The world moves rider and mount together. Clients are sent the link between the two and the movement of the mount alone.

// Position of a rider on its mount. Source: docs/wire/bedrock.md, other packets (Link).
const (
	seatShare        = 0.7  // height of the seat as a share of the mount's height; a guess: as for a horse
	playerSeatHeight = 1.22 // height of a player model's position above the seat, in blocks
	seatForward      = -0.2 // distance of the seat in front of the mount's centre, in blocks
)

// riderOffset is the rider's position relative to the feet of its mount.
func riderOffset(rider, mount *actorView) proto.Vec3 {
	up := seatShare * mount.appearance.box.height * mount.appearance.scale
	if rider.appearance.isPlayerModel() {
		up += playerSeatHeight
	}
	return proto.Vec3{0, up, seatForward}
}

// updateRiding updates riders and seats. It needs all actors of the frame in s.actors.
func (s *scene) updateRiding(f *sim.Frame) {
	for i := range s.actors {
		av := &s.actors[i]
		if av.mount == 0 && av.seatOffset == (proto.Vec3{}) {
			continue
		}
		was := av.seatOffset
		av.seatOffset = proto.Vec3{}
		if m := s.find(av.mount); m != nil {
			av.seatOffset = riderOffset(av, m)
			m.rider = av.id
		}
		if av.seatOffset != was && av.enterTick < f.Tick {
			av.dataTick, av.changeTick = f.Tick, f.Tick
		}
	}
}

// syncRiderLink updates the link of a rider on a client. There is a link only if the client has both actors.
func (c *conn) syncRiderLink(av *actorView) {
	rider := c.view.runtimeIDs[av.id]
	if rider == 0 {
		return
	}
	mount := av.mount
	if c.view.runtimeIDs[mount] == 0 {
		mount = 0
	}
	was := c.view.mountOf[av.id]
	if was == mount {
		return
	}
	if was != 0 {
		c.unlinkRider(av.id, was)
	}
	if mount != 0 {
		c.view.mountOf[av.id] = mount
		c.sendLink(av.id, mount, proto.LinkRider)
	}
}

// unlinkRider removes the link of a rider on a client.
func (c *conn) unlinkRider(rider, mount sim.EntityID) {
	delete(c.view.mountOf, rider)
	c.sendLink(rider, mount, proto.LinkRemoved)
}

func (c *conn) sendLink(rider, mount sim.EntityID, kind uint8) {
	send(c, proto.SetActorLink{Link: proto.ActorLink{
		Ridden: int64(c.view.runtimeIDs[mount]), Rider: int64(c.view.runtimeIDs[rider]), Type: kind, Immediate: true,
	}})
}

// detachRiding removes the links of an actor that is about to be hidden from a client.
func (c *conn) detachRiding(e sim.EntityID) {
	if len(c.view.mountOf) == 0 {
		return
	}
	if mount := c.view.mountOf[e]; mount != 0 {
		c.unlinkRider(e, mount)
	}
	for rider, mount := range c.view.mountOf { // an actor carries at most one rider
		if mount == e {
			c.unlinkRider(rider, e)
			return
		}
	}
}
