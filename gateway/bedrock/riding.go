package bedrock

import (
	"slices"

	proto "github.com/truestep-io/truestep/proto/bedrock"
	"github.com/truestep-io/truestep/sim"
	"github.com/truestep-io/truestep/sim/geom"
	"github.com/truestep-io/truestep/sim/move"
)

// In the simulation, a rider and its mount move together. A Bedrock client is sent a link between the two (SetActorLink) and
// then only the movement of the mount.

// Position of a rider on its mount. Source: docs/wire/bedrock.md, other packets (Link).
const (
	seatShare        = 0.7  // height of the seat as a fraction of the mount's height; estimated from a horse, not measured
	playerSeatHeight = 1.22 // height above the seat, in blocks, of the position in packets about a player model
	seatForward      = -0.2 // position of the seat in blocks relative to the centre of the mount, positive forward
)

// riderOffset returns the position of a rider relative to the feet of its mount, in blocks. The parameter alone is true for
// an only rider, which sits in the middle of a boat.
func riderOffset(rider, mount *actorView, alone bool) proto.Vec3 {
	up := proto.Vec3{0, seatShare * mount.appearance.box.height * mount.appearance.scale, seatForward}
	if k := mount.appearance.kind; k != nil {
		up = toVec3(seatOf(k, rider.seat, alone))
	}
	if rider.appearance.isPlayerModel() {
		up[1] += playerSeatHeight
	}
	return up
}

// seatOf returns the position of a seat, in blocks, relative to the lowest point of the vehicle. The parameter alone is
// true if the other seats are empty.
func seatOf(k *move.VehicleKind, seat uint8, alone bool) geom.Vec {
	if alone {
		return k.SeatAlone
	}
	return k.Seats[min(int(seat), len(k.Seats)-1)]
}

// updateRiding sets the riders and seats of all actors in s.actors, which must already contain all actors of the frame.
func (s *scene) updateRiding(f *sim.Frame) {
	for i := range s.actors {
		av := &s.actors[i]
		if av.mount == 0 {
			continue
		}
		if m := s.find(av.mount); m != nil && av.seat == 0 {
			m.rider = av.id
		} else if m != nil {
			m.passenger = av.id
		}
	}
	for i := range s.actors {
		av := &s.actors[i]
		if av.mount == 0 && av.seatOffset == (proto.Vec3{}) {
			continue
		}
		was := av.seatOffset
		av.seatOffset, av.inBoat = proto.Vec3{}, false
		if m := s.find(av.mount); m != nil {
			av.seatOffset = riderOffset(av, m, m.rider == 0 || m.passenger == 0)
			av.inBoat = m.appearance.kind != nil && m.appearance.kind.Boat
		}
		if av.seatOffset != was && av.enterTick < f.Tick {
			av.dataTick, av.changeTick = f.Tick, f.Tick
		}
	}
}

// riderLink is a link between a rider and its mount (SetActorLink) that a client was sent.
type riderLink struct {
	mount sim.EntityID // actor that is ridden; 0 means no link
	seat  uint8        // number of the rider's seat; the rider on seat 0 drives
}

// syncRiderLink makes a client display an actor on its true mount. It sends the link that the client lacks, or the removal of a
// link that has ended. A link is sent only to a client that displays both actors, and after the metadata of both.
func (c *conn) syncRiderLink(s *scene, av *actorView) {
	rider := c.view.runtimeIDs[av.id]
	if rider == 0 {
		return
	}
	link := riderLink{av.mount, av.seat}
	if c.view.runtimeIDs[av.mount] == 0 {
		link = riderLink{}
	}
	was := c.view.links[av.id]
	if was == link {
		return
	}
	if was.mount != 0 {
		c.unlinkRider(av.id, was.mount)
	}
	if link.mount == 0 {
		return
	}
	c.view.links[av.id] = link
	if m := s.find(link.mount); m != nil && m.appearance.kind != nil {
		c.sendVehicle(m, nil, 0)
		send(c, metadataPacket(av))
	}
	c.sendLink(av.id, link.mount, linkType(link.seat))
}

// linkType returns the type of the entity link for a seat number.
func linkType(seat uint8) uint8 {
	if seat == 0 {
		return proto.LinkRider
	}
	return proto.LinkPassenger
}

// unlinkRider sends a client the removal of the link between a rider and its mount.
func (c *conn) unlinkRider(rider, mount sim.EntityID) {
	delete(c.view.links, rider)
	c.sendLink(rider, mount, proto.LinkRemoved)
}

// sendLink sends the client a link between two actors that the client displays. The parameter kind is the type of the link,
// for example proto.LinkRider.
func (c *conn) sendLink(rider, mount sim.EntityID, kind uint8) {
	send(c, proto.SetActorLink{Link: proto.ActorLink{
		Ridden: int64(c.view.runtimeIDs[mount]), Rider: int64(c.view.runtimeIDs[rider]), Type: kind, Immediate: true,
	}})
}

// detachRiding sends a client the removal of all links of an actor that is about to be removed from the client's display.
func (c *conn) detachRiding(e sim.EntityID) {
	if len(c.view.links) == 0 {
		return
	}
	if mount := c.view.links[e].mount; mount != 0 {
		c.unlinkRider(e, mount)
	}
	var riders [2]sim.EntityID // sorted, because map order is random; an actor has at most two riders
	n := 0
	for rider, link := range c.view.links {
		if link.mount == e && n < len(riders) {
			riders[n] = rider
			n++
		}
	}
	slices.Sort(riders[:n])
	for _, rider := range riders[:n] {
		c.unlinkRider(rider, e)
	}
}
