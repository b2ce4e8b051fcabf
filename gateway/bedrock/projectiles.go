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
	maxProjectiles  = 64   // in the air of a scene; more are not shown   guess: a volley of a full party
	projectileSpeed = 1.5  // blocks a tick of a projectile of speed 50   guess: about half of a drawn bow's
	maxFlightMS     = 1500 // ms; longer ways are flown faster
	arcHeight       = 0.05 // how high the middle of the way is, as a share of it
	aimHeight       = 0.75 // where shots begin and end, as a share of the height
)

// shot is one projectile on its way.
type projectile struct {
	runtimeID uint64
	from, to  geom.Vec // blocks
	target    sim.EntityID
	start     sim.Tick
	end       sim.Tick // > began
	viewers   []*conn  // who was shown it
}

// shoot shows a projectile to whoever sees one of the two.
func (s *scene) spawnProjectile(f *sim.Frame, e *sim.Event) {
	from, to := s.findRecent(e.Who), s.findRecent(e.Other)
	if from == nil || to == nil || len(s.inFlight) >= maxProjectiles {
		return
	}
	n := len(s.inFlight)
	if n < cap(s.inFlight) {
		s.inFlight = s.inFlight[:n+1] // with the viewers' memory of one that has landed
	} else {
		s.inFlight = append(s.inFlight, projectile{})
	}
	pr := &s.inFlight[n]
	*pr = projectile{from: from.aimPoint(), to: to.aimPoint(), target: e.Other, start: f.Tick, viewers: pr.viewers[:0]}
	pr.end = f.Tick + flightTicks(geom.Sqrt(geom.Dist2(pr.from, pr.to)), e.Projectile, s.w.g.world.Def().TicksPerSecond)
	for _, c := range s.clients {
		if s.runtimeIDFor(c, e.Who) != 0 || s.runtimeIDFor(c, e.Other) != 0 {
			pr.viewers = append(pr.viewers, c)
		}
	}
	if len(pr.viewers) == 0 {
		s.inFlight = s.inFlight[:n]
		return
	}
	pr.runtimeID = s.w.ids.newUnowned()
	p := pr.spawnPacket(projectileKind(e.Projectile))
	for _, c := range pr.viewers {
		send(c, p)
	}
}

// flight is how many ticks a projectile flies.
func flightTicks(blocks float32, p *combat.Projectile, ticksPerSecond int) sim.Tick {
	speed := float32(projectileSpeed)
	if p != nil && p.Speed > 0 {
		speed *= float32(p.Speed) / 50
	}
	perTick := speed * 20 / float32(ticksPerSecond)
	most := float32(maxFlightMS * ticksPerSecond / 1000)
	return sim.Tick(min(max(float32(math.Ceil(float64(blocks/perTick))), 1), most))
}

// middle is where an actor is hit.
func (av *actorView) aimPoint() geom.Vec {
	v := av.pos
	v.Y += aimHeight * av.height * av.appearance.scale
	return v
}

// lastFace is that of an actor of this frame, or of the one before: who dies of a shot is gone from the frame that tells
// of it.
func (s *scene) findRecent(e sim.EntityID) *actorView {
	if av := s.find(e); av != nil {
		return av
	}
	for i := range s.previous {
		if s.previous[i].id == e {
			return &s.previous[i]
		}
	}
	return nil
}

// where is the point of the way that is reached at a tick.
func (pr *projectile) positionAt(now sim.Tick) geom.Vec {
	p := min(float32(now-pr.start)/float32(pr.end-pr.start), 1)
	d := pr.to.Sub(pr.from)
	v := geom.Vec{X: pr.from.X + d.X*p, Y: pr.from.Y + d.Y*p, Z: pr.from.Z + d.Z*p}
	v.Y += 4 * arcHeight * geom.Sqrt(geom.Dist2(pr.from, pr.to)) * p * (1 - p)
	return v
}

// heading is how a projectile at a tick is turned: unlike bodies, by where it flies from the south to the east, and up.
func (pr *projectile) rotationAt(now sim.Tick) (yaw, pitch float32, velocity geom.Vec) {
	v := pr.positionAt(now + 1).Sub(pr.positionAt(now))
	if now >= pr.end {
		v = pr.positionAt(pr.end).Sub(pr.positionAt(pr.end - 1))
	}
	level := math.Hypot(float64(v.X), float64(v.Z))
	yaw = float32(math.Atan2(float64(v.X), float64(v.Z)) * 180 / math.Pi)
	pitch = float32(math.Atan2(float64(v.Y), level) * 180 / math.Pi)
	return yaw, pitch, v
}

func (pr *projectile) spawnPacket(kind string) proto.AddActor {
	yaw, pitch, v := pr.rotationAt(pr.start)
	return proto.AddActor{
		Unique: int64(pr.runtimeID), Runtime: pr.runtimeID, Type: kind, Position: toVec3(pr.from), Velocity: toVec3(v),
		Pitch: pitch, Yaw: yaw, HeadYaw: yaw, BodyYaw: yaw,
	}
}

// fly moves what is in the air, and takes away what has arrived.
func (s *scene) moveProjectiles(now sim.Tick) {
	for i := 0; i < len(s.inFlight); {
		pr := &s.inFlight[i]
		if now < pr.end {
			pr.sendMove(s, now)
			i++
			continue
		}
		for _, c := range pr.viewers {
			if c.scene == s {
				send(c, proto.RemoveActor{Unique: int64(pr.runtimeID)})
			}
		}
		last := len(s.inFlight) - 1
		s.inFlight[i], s.inFlight[last] = s.inFlight[last], s.inFlight[i]
		clear(s.inFlight[last].viewers) // or they would be kept alive
		s.inFlight = s.inFlight[:last]
	}
}

// move tells where a projectile is. It follows whom it is to hit.
func (pr *projectile) sendMove(s *scene, now sim.Tick) {
	if now <= pr.start {
		return
	}
	if av := s.find(pr.target); av != nil {
		pr.to = av.aimPoint()
	}
	yaw, pitch, _ := pr.rotationAt(now)
	p := proto.MoveActorAbsolute{
		Runtime: pr.runtimeID, Position: toVec3(pr.positionAt(now)),
		Pitch: proto.AngleOf(pitch), Yaw: proto.AngleOf(yaw), HeadYaw: proto.AngleOf(yaw),
	}
	for _, c := range pr.viewers {
		if c.scene == s {
			send(c, p)
		}
	}
}

// disarm takes what is in the air out of the world of a client that leaves the scene.
func (s *scene) removeProjectiles(c *conn) {
	for i := range s.inFlight {
		pr := &s.inFlight[i]
		for j, v := range pr.viewers {
			if v == c {
				send(c, proto.RemoveActor{Unique: int64(pr.runtimeID)})
				pr.viewers = append(pr.viewers[:j], pr.viewers[j+1:]...)
				break
			}
		}
	}
}
