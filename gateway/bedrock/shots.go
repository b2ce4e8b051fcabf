package bedrock

import (
	"math"

	proto "github.com/truestep-io/truestep/proto/bedrock"
	"github.com/truestep-io/truestep/sim"
	"github.com/truestep-io/truestep/sim/combat"
	"github.com/truestep-io/truestep/sim/geom"
)

// Projectiles. In the world a shot strikes at once; clients see an entity fly from who shot to whom he shot at, and
// vanish there.
const (
	mostShots  = 64   // in the air of a scene; more are not shown   guess: a volley of a full party
	shotReach  = 1.5  // blocks a tick of a projectile of speed 50   guess: about half of a drawn bow's
	longestFly = 1500 // ms; longer ways are flown faster
	shotRise   = 0.05 // how high the middle of the way is, as a share of it
	chest      = 0.75 // where shots begin and end, as a share of the height
)

// shot is one projectile on its way.
type shot struct {
	wire     uint64
	from, to geom.Vec // blocks
	at       sim.EntityID
	began    sim.Tick
	lands    sim.Tick // > began
	viewers  []*conn  // who was shown it
}

// shoot shows a projectile to whoever sees one of the two.
func (s *scene) shoot(f *sim.Frame, e *sim.Event) {
	from, to := s.lastFace(e.Who), s.lastFace(e.Other)
	if from == nil || to == nil || len(s.shots) >= mostShots {
		return
	}
	n := len(s.shots)
	if n < cap(s.shots) {
		s.shots = s.shots[:n+1] // with the viewers' memory of one that has landed
	} else {
		s.shots = append(s.shots, shot{})
	}
	x := &s.shots[n]
	*x = shot{from: from.middle(), to: to.middle(), at: e.Other, began: f.Tick, viewers: x.viewers[:0]}
	x.lands = f.Tick + flight(geom.Sqrt(geom.Dist2(x.from, x.to)), e.Projectile, s.w.g.world.Def().TicksPerSecond)
	for _, c := range s.members {
		if s.knows(c, e.Who) != 0 || s.knows(c, e.Other) != 0 {
			x.viewers = append(x.viewers, c)
		}
	}
	if len(x.viewers) == 0 {
		s.shots = s.shots[:n]
		return
	}
	x.wire = s.w.ids.fresh()
	p := x.packet(missileOf(e.Projectile))
	for _, c := range x.viewers {
		send(c, p)
	}
}

// flight is how many ticks a projectile flies.
func flight(blocks float32, p *combat.Projectile, ticksPerSecond int) sim.Tick {
	speed := float32(shotReach)
	if p != nil && p.Speed > 0 {
		speed *= float32(p.Speed) / 50
	}
	perTick := speed * 20 / float32(ticksPerSecond)
	most := float32(longestFly * ticksPerSecond / 1000)
	return sim.Tick(min(max(float32(math.Ceil(float64(blocks/perTick))), 1), most))
}

// middle is where an actor is hit.
func (n *face) middle() geom.Vec {
	v := n.at
	v.Y += chest * n.height * n.look.scale
	return v
}

// lastFace is that of an actor of this frame, or of the one before: who dies of a shot is gone from the frame that tells
// of it.
func (s *scene) lastFace(e sim.EntityID) *face {
	if n := s.face(e); n != nil {
		return n
	}
	for i := range s.prev {
		if s.prev[i].id == e {
			return &s.prev[i]
		}
	}
	return nil
}

// where is the point of the way that is reached at a tick.
func (x *shot) where(now sim.Tick) geom.Vec {
	p := min(float32(now-x.began)/float32(x.lands-x.began), 1)
	d := x.to.Sub(x.from)
	v := geom.Vec{X: x.from.X + d.X*p, Y: x.from.Y + d.Y*p, Z: x.from.Z + d.Z*p}
	v.Y += 4 * shotRise * geom.Sqrt(geom.Dist2(x.from, x.to)) * p * (1 - p)
	return v
}

// heading is how a projectile at a tick is turned: unlike bodies, by where it flies from the south to the east, and up.
func (x *shot) heading(now sim.Tick) (yaw, pitch float32, velocity geom.Vec) {
	v := x.where(now + 1).Sub(x.where(now))
	if now >= x.lands {
		v = x.where(x.lands).Sub(x.where(x.lands - 1))
	}
	level := math.Hypot(float64(v.X), float64(v.Z))
	yaw = float32(math.Atan2(float64(v.X), float64(v.Z)) * 180 / math.Pi)
	pitch = float32(math.Atan2(float64(v.Y), level) * 180 / math.Pi)
	return yaw, pitch, v
}

func (x *shot) packet(kind string) proto.AddActor {
	yaw, pitch, v := x.heading(x.began)
	return proto.AddActor{
		Unique: int64(x.wire), Runtime: x.wire, Type: kind, Position: toVec3(x.from), Velocity: toVec3(v),
		Pitch: pitch, Yaw: yaw, HeadYaw: yaw, BodyYaw: yaw,
	}
}

// fly moves what is in the air, and takes away what has arrived.
func (s *scene) fly(now sim.Tick) {
	for i := 0; i < len(s.shots); {
		x := &s.shots[i]
		if now < x.lands {
			x.move(s, now)
			i++
			continue
		}
		for _, c := range x.viewers {
			if c.scene == s {
				send(c, proto.RemoveActor{Unique: int64(x.wire)})
			}
		}
		last := len(s.shots) - 1
		s.shots[i], s.shots[last] = s.shots[last], s.shots[i]
		clear(s.shots[last].viewers) // or they would be kept alive
		s.shots = s.shots[:last]
	}
}

// move tells where a projectile is. It follows whom it is to hit.
func (x *shot) move(s *scene, now sim.Tick) {
	if now <= x.began {
		return
	}
	if n := s.face(x.at); n != nil {
		x.to = n.middle()
	}
	yaw, pitch, _ := x.heading(now)
	p := proto.MoveActorAbsolute{
		Runtime: x.wire, Position: toVec3(x.where(now)),
		Pitch: proto.AngleOf(pitch), Yaw: proto.AngleOf(yaw), HeadYaw: proto.AngleOf(yaw),
	}
	for _, c := range x.viewers {
		if c.scene == s {
			send(c, p)
		}
	}
}

// disarm takes what is in the air out of the world of a client that leaves the scene.
func (s *scene) disarm(c *conn) {
	for i := range s.shots {
		x := &s.shots[i]
		for j, v := range x.viewers {
			if v == c {
				send(c, proto.RemoveActor{Unique: int64(x.wire)})
				x.viewers = append(x.viewers[:j], x.viewers[j+1:]...)
				break
			}
		}
	}
}
