package web

import (
	"github.com/truestep-io/truestep/client/keys"
	"github.com/truestep-io/truestep/sim/geom"
	"github.com/truestep-io/truestep/sim/move"
)

const (
	attackRange    = 1.9 // default of Fight.Range, in blocks; bare hands reach 2 blocks in the embedded world
	searchRadius   = 32  // radius in blocks in which targets are chosen
	attackCooldown = 11  // default of Fight.Cooldown in ticks: slightly more than half a second
	maxAttempts    = 4   // attacks in a row without effect after which a target is given up
	chaseTicks     = 200 // ticks within which a target must be reached
	ignoreTicks    = 600 // ticks for which actors with the name of a given-up target are ignored
	wakeTicks      = 40  // ticks between two requests of a dead player to respawn
)

// Fight is a behaviour that walks to the nearest target, attacks it until it is dead, and chooses the next one. Without a target it wanders
// as Idle says. Pass Fight.Act to Client.Play.
type Fight struct {
	AttackPlayers bool                // attack players too
	Exclude       func(a *Actor) bool // reports actors that are never attacked; nil excludes none
	Range         float32             // maximum attack distance in blocks; 0 selects 1.9
	Cooldown      uint64              // ticks between two attacks; 0 selects 11
	Idle          keys.Wander         // behaviour without a target

	target     uint16 // handle; valid if chosen
	chosen     bool
	health     float32 // of the target when it was last looked at
	attempts   int     // attacks since the target was chosen or last hurt
	nextAttack uint64
	giveUp     uint64            // tick at which the target is given up
	ignored    map[string]uint64 // tick until which actors of a name are ignored
	wakeAt     uint64
}

// Wander returns a behaviour for Client.Play that walks around as w says, and requests a respawn while the player is dead.
func Wander(w keys.Wander) func(*World) keys.Keys {
	var wakeAt uint64
	return func(p *World) keys.Keys {
		if p.respawn(&wakeAt) {
			return keys.Keys{}
		}
		return w.Act(p)
	}
}

// respawn requests a respawn every wakeTicks ticks while the own player is dead. It returns whether the player is dead. at is the tick of
// the next request.
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

// Act returns the keys of the next tick.
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

// HasTarget reports whether the Fight has a target.
func (f *Fight) HasTarget() bool { return f.chosen }

// choose returns the nearest actor that may be attacked, or nil if there is none.
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

// ignore excludes all actors of a name from attacks for ignoreTicks, because invulnerable actors usually have the same name.
func (f *Fight) ignore(name string, tick uint64) {
	if f.ignored == nil || len(f.ignored) > maxIgnored {
		f.ignored = map[string]uint64{}
	}
	f.ignored[name] = tick + ignoreTicks
}

// maxIgnored is the maximum number of names that are ignored at the same time.
const maxIgnored = 1000
