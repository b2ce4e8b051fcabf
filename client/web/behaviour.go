package web

import (
	"github.com/truestep-io/truestep/client/keys"
	"github.com/truestep-io/truestep/sim/geom"
	"github.com/truestep-io/truestep/sim/move"
)

const (
	attackRange    = 1.9 // minimum of Fight.Range, in blocks; in the embedded world bare hands reach 2 blocks
	searchRadius   = 32  // radius in blocks in which targets are chosen
	attackCooldown = 11  // minimum of Fight.Cooldown in ticks; slightly longer than the time for which a hit actor is invulnerable
	maxAttempts    = 4   // number of successive attacks without effect after which a target is given up
	chaseTicks     = 200 // ticks within which a target must be reached
	ignoreTicks    = 600 // ticks for which actors with the name of a given-up target are ignored
	wakeTicks      = 40  // ticks between two requests of a dead player to respawn
)

// Fight is a behaviour that walks to the nearest target, attacks it until it is dead, and then chooses the next target. While it
// has no target, it walks as Idle does. Pass Fight.Act to Client.Play.
type Fight struct {
	AttackPlayers bool                // attack players too
	Exclude       func(a *Actor) bool // reports whether an actor is never attacked; nil excludes none
	Range         float32             // maximum attack distance in blocks, at least 1.9
	Cooldown      uint64              // ticks between two attacks, at least 11
	Idle          keys.Wander         // behaviour while there is no target

	target     uint16            // handle of the target; valid if chosen is true
	chosen     bool              // there is a target
	health     float32           // health of the target at the last Act, 0..1
	attempts   int               // attacks since the target was chosen or last hurt
	nextAttack uint64            // tick of the next attack
	giveUp     uint64            // tick at which the target is given up
	ignored    map[string]uint64 // by name: tick until which actors of that name are ignored
	wakeAt     uint64            // tick of the next request to respawn
}

// Wander returns a behaviour for Client.Play. It walks as w does, and requests a respawn while the player is dead.
func Wander(w keys.Wander) func(*World) keys.Keys {
	var wakeAt uint64
	return func(p *World) keys.Keys {
		if p.respawn(&wakeAt) {
			return keys.Keys{}
		}
		return w.Act(p)
	}
}

// respawn reports whether the own player is dead, and requests a respawn if it is. The parameter at points to the tick before
// which no request is sent. After a request, respawn sets it to a later tick.
func (w *World) respawn(at *uint64) bool {
	if !w.Dead() {
		return false
	}
	if w.Tick() >= *at {
		*at = w.Tick() + wakeTicks
		w.Wake()
	}
	return true
}

// Act returns the keys that the player holds in the next tick. It also requests attacks, and a respawn if the player is dead.
func (f *Fight) Act(w *World) keys.Keys {
	if w.respawn(&f.wakeAt) {
		return keys.Keys{}
	}
	a := w.Actors[f.target]
	if !f.chosen || a == nil || a.Dead() || w.Tick() >= f.giveUp || f.attempts >= maxAttempts {
		if f.chosen && a != nil && !a.Dead() {
			f.ignore(a.Name, w.Tick())
		}
		if a = f.choose(w); a == nil {
			return f.Idle.Act(w)
		}
	}
	if a.Health() < f.health {
		f.attempts = 0
	}
	f.health = a.Health()
	own := w.State()
	var k keys.Keys
	k.Yaw, k.Pitch = keys.ViewDirection(own.Pos, a.Pos())
	if geom.Sqrt(geom.Dist2(own.Pos, a.Pos())) > max(f.Range, attackRange) {
		k.Forward, k.Sprint = 1, true
		k.Jump = own.Collided&(move.AxisX|move.AxisZ) != 0
		return keys.KeepAfloat(w, k)
	}
	if w.Tick() >= f.nextAttack {
		f.nextAttack = w.Tick() + max(f.Cooldown, attackCooldown)
		f.giveUp = w.Tick() + chaseTicks
		f.attempts++
		w.Attack(a)
	}
	return k
}

// HasTarget reports whether Fight is attacking, or walking to, an actor.
func (f *Fight) HasTarget() bool { return f.chosen }

// choose selects the nearest actor that may be attacked as the target and returns it. It returns nil if there is none within
// searchRadius.
func (f *Fight) choose(w *World) *Actor {
	var near *Actor
	best := float32(searchRadius * searchRadius)
	at := w.State().Pos
	for handle, a := range w.Actors {
		if handle == w.Own || a.Dead() || a.Door != "" && !f.AttackPlayers || f.ignored[a.Name] > w.Tick() || f.Exclude != nil && f.Exclude(a) {
			continue
		}
		if d := geom.Dist2(at, a.Pos()); d < best || d == best && near != nil && handle < near.Handle {
			near, best = a, d
		}
	}
	if f.chosen = near != nil; f.chosen {
		f.target, f.attempts, f.health, f.giveUp = near.Handle, 0, near.Health(), w.Tick()+chaseTicks
	}
	return near
}

// ignore excludes all actors with the given name from attacks for ignoreTicks. It excludes the name instead of one actor, because
// actors that cannot be hurt usually share a name.
func (f *Fight) ignore(name string, tick uint64) {
	if f.ignored == nil || len(f.ignored) > maxIgnored {
		f.ignored = map[string]uint64{}
	}
	f.ignored[name] = tick + ignoreTicks
}

// maxIgnored is the maximum number of names in Fight.ignored. If there are more, the next call of ignore forgets all of them.
const maxIgnored = 1000
