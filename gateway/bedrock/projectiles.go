package bedrock

import (
	"math"

	proto "github.com/truestep-io/truestep/proto/bedrock"
	"github.com/truestep-io/truestep/sim"
	"github.com/truestep-io/truestep/sim/combat"
	"github.com/truestep-io/truestep/sim/geom"
)

// Values for the display of projectiles. In the simulation, a shot hits immediately. For the display, clients are sent an
// entity that flies from the attacker to the target and disappears there.
const (
	maxProjectiles  = 64   // maximum number of projectiles per scene; enough for the shots of a full party at once
	projectileSpeed = 1.5  // blocks per 1/20 s at projectile speed 50 of the world; about half the speed of an arrow from a fully drawn bow
	maxFlightMS     = 1500 // maximum duration of a flight; over longer distances the projectile is faster
	arcHeight       = 0.05 // height of the middle of the path above a straight line, as a fraction of the path's length
	aimHeight       = 0.75 // height of both ends of the path, as a fraction of the actor's height
)

// projectile is an entity that clients display flying from an attacker to its target.
type projectile struct {
	runtimeID uint64
	from, to  geom.Vec     // both ends of the path, in blocks
	target    sim.EntityID // actor to which the projectile flies
	start     sim.Tick     // tick of the shot
	end       sim.Tick     // tick of the arrival, always after start
	viewers   []*conn      // clients that were sent the projectile
}

// spawnProjectile displays a projectile on the clients that display the attacker or the target.
func (s *scene) spawnProjectile(f *sim.Frame, e *sim.Event) {
	from, to := s.findRecent(e.Who), s.findRecent(e.Other)
	if from == nil || to == nil || len(s.inFlight) >= maxProjectiles {
		return
	}
	n := len(s.inFlight)
	if n < cap(s.inFlight) {
		s.inFlight = s.inFlight[:n+1] // reuse the viewers slice of a removed projectile
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
	p := pr.spawnPacket(s.w.g.appearanceTable.projectileType(e.Projectile))
	for _, c := range pr.viewers {
		send(c, p)
	}
}

// flightTicks returns the number of ticks for which clients display a projectile. The parameter blocks is the length of its
// path in blocks.
func flightTicks(blocks float32, p *combat.Projectile, ticksPerSecond int) sim.Tick {
	speed := float32(projectileSpeed)
	if p != nil && p.Speed > 0 {
		speed *= float32(p.Speed) / 50
	}
	perTick := speed * 20 / float32(ticksPerSecond)
	most := float32(maxFlightMS * ticksPerSecond / 1000)
	return sim.Tick(min(max(float32(math.Ceil(float64(blocks/perTick))), 1), most))
}

// aimPoint returns the point on an actor's body at which projectiles start and end, in blocks.
func (av *actorView) aimPoint() geom.Vec {
	v := av.pos
	v.Y += aimHeight * av.height * av.appearance.scale
	return v
}

// findRecent returns an actor of the newest frame or of the frame before, or nil. An NPC that a shot has killed is only in
// the frame before: the frame that reports the shot no longer contains it.
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

// positionAt returns the position of the projectile at the tick now, in blocks.
func (pr *projectile) positionAt(now sim.Tick) geom.Vec {
	p := min(float32(now-pr.start)/float32(pr.end-pr.start), 1)
	d := pr.to.Sub(pr.from)
	v := geom.Vec{X: pr.from.X + d.X*p, Y: pr.from.Y + d.Y*p, Z: pr.from.Z + d.Z*p}
	v.Y += 4 * arcHeight * geom.Sqrt(geom.Dist2(pr.from, pr.to)) * p * (1 - p)
	return v
}

// rotationAt returns the direction of the projectile's flight in degrees, and its velocity in blocks per tick, at the tick in the
// parameter now. Unlike for actors, yaw 90 is east and a positive pitch is upward.
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

// moveProjectiles moves all projectiles and removes those that have arrived.
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
		clear(s.inFlight[last].viewers) // release the connections for garbage collection
		s.inFlight = s.inFlight[:last]
	}
}

// sendMove sends the position of a projectile to the clients that display it. The projectile always flies toward the present
// position of its target, so its path bends if the target moves.
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
		Pitch: proto.ByteAngleOf(pitch), Yaw: proto.ByteAngleOf(yaw), HeadYaw: proto.ByteAngleOf(yaw),
	}
	for _, c := range pr.viewers {
		if c.scene == s {
			send(c, p)
		}
	}
}

// removeProjectiles removes all projectiles from the display of a client that leaves the scene.
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
