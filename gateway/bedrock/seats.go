package bedrock

import (
	proto "github.com/truestep-io/truestep/proto/bedrock"
	"github.com/truestep-io/truestep/sim"
)

// Riders. The world moves rider and mount together; clients of this door are told who sits on whom, and move the mount
// alone.

// Where a rider sits, as shares of the mount's height and in blocks. Source: docs/wire/bedrock.md, other packets (Link).
const (
	seatShare   = 0.7  // guess: that of a horse's seat
	personSeat  = 1.22 // how much higher a person's own point is than where it sits
	seatForward = -0.2
)

// seatOf is where a rider's point is over the feet of its mount.
func seatOf(rider, mount *face) proto.Vec3 {
	up := seatShare * mount.look.box.height * mount.look.scale
	if rider.look.person() {
		up += personSeat
	}
	return proto.Vec3{0, up, seatForward}
}

// saddle notes who rides whom, when all faces of a frame are there.
func (s *scene) saddle(f *sim.Frame) {
	for i := range s.faces {
		n := &s.faces[i]
		if n.mount == 0 && n.seat == (proto.Vec3{}) {
			continue
		}
		was := n.seat
		n.seat = proto.Vec3{}
		if m := s.face(n.mount); m != nil {
			n.seat = seatOf(n, m)
			m.rider = n.id
		}
		if n.seat != was && n.came < f.Tick {
			n.changed, n.news = f.Tick, f.Tick
		}
	}
}

// seat brings what a client knows of somebody's riding up to date. Both must be known to it, or they stay apart.
func (c *conn) seat(n *face) {
	rider := c.sight.wires[n.id]
	if rider == 0 {
		return
	}
	mount := n.mount
	if c.sight.wires[mount] == 0 {
		mount = 0
	}
	was := c.sight.seats[n.id]
	if was == mount {
		return
	}
	if was != 0 {
		c.unseat(n.id, was)
	}
	if mount != 0 {
		c.sight.seats[n.id] = mount
		c.link(n.id, mount, proto.LinkRider)
	}
}

// unseat parts a rider from its mount for a client.
func (c *conn) unseat(rider, mount sim.EntityID) {
	delete(c.sight.seats, rider)
	c.link(rider, mount, proto.LinkRemoved)
}

func (c *conn) link(rider, mount sim.EntityID, kind uint8) {
	send(c, proto.SetActorLink{Link: proto.ActorLink{
		Ridden: int64(c.sight.wires[mount]), Rider: int64(c.sight.wires[rider]), Type: kind, Immediate: true,
	}})
}

// stand parts whoever is hidden from a client from rider and mount.
func (c *conn) stand(e sim.EntityID) {
	if len(c.sight.seats) == 0 {
		return
	}
	if mount := c.sight.seats[e]; mount != 0 {
		c.unseat(e, mount)
	}
	for rider, mount := range c.sight.seats { // nobody carries two
		if mount == e {
			c.unseat(rider, e)
			return
		}
	}
}
