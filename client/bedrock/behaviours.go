package bedrock

import (
	"github.com/truestep-io/truestep/client/keys"
	"github.com/truestep-io/truestep/sim/geom"
	"github.com/truestep-io/truestep/sim/move"
)

// Wander is a Behaviour with which the player walks to random points; see keys.Wander.
type Wander keys.Wander

// Act returns the keys of the next tick. It implements Behaviour.
func (w *Wander) Act(p *Player) Keys { return (*keys.Wander)(w).Act(p) }

// Fight is a Behaviour that walks to the nearest target, attacks it until it is dead, and then chooses the next target. If
// its attacks do not hurt a target, it ignores all actors with the target's name for 600 ticks. While it has no target, the
// field Idle controls the player.
type Fight struct {
	AttackPlayers bool                // attack players, too
	Exclude       func(a *Actor) bool // reports whether an actor is never attacked; nil excludes none
	AttackRange   float32             // maximum attack distance in blocks; 0 selects 1.9
	SearchRadius  float32             // radius in blocks in which targets are chosen; 0 selects 32
	Cooldown      uint64              // ticks between two attacks; 0 selects 11
	Idle          Wander              // behaviour while the Fight has no target

	target       uint64            // runtime id of the target, 0 if there is none
	nextAttack   uint64            // tick of the next attack
	attempts     int               // attacks since the target was chosen or last hurt
	targetHurts  uint64            // HurtCount of the target in the previous tick
	giveUp       uint64            // tick at which the target is given up
	ignoredUntil map[string]uint64 // by name: tick until which actors of that name are ignored
}

const (
	attackRange    = 1.9 // default of Fight.AttackRange, in blocks; in the embedded world bare hands reach 2 blocks
	searchRadius   = 32  // default of Fight.SearchRadius, in blocks
	attackCooldown = 11  // default of Fight.Cooldown in ticks; slightly longer than the half second for which a hit actor is invulnerable
	maxAttempts    = 4   // number of attacks without effect after which a target is given up
	chaseTicks     = 200 // ticks within which a target must be reached
	ignoreTicks    = 600 // ticks for which actors with the name of a given-up target are ignored
)

func orDefault[T float32 | uint64](v, usual T) T {
	if v > 0 {
		return v
	}
	return usual
}

// Act returns the keys of the next tick: those that walk to the target or, while there is no target, those of Idle. It also
// attacks a target in range. It implements Behaviour.
func (f *Fight) Act(p *Player) Keys {
	a, ok := p.World().Actor(f.target)
	if !ok || a.Dead || p.Tick() >= f.giveUp || f.attempts >= maxAttempts {
		if ok && !a.Dead {
			f.ignore(a.Name, p.Tick())
		}
		if a, ok = f.chooseTarget(p); !ok {
			return f.Idle.Act(p)
		}
	}
	if a.HurtCount != f.targetHurts {
		f.targetHurts, f.attempts = a.HurtCount, 0
	}
	own := p.State()
	k := Keys{}
	k.Yaw, k.Pitch = keys.ViewDirection(own.Pos, a.Pos)
	if geom.Sqrt(geom.Dist2(own.Pos, a.Pos)) > orDefault(f.AttackRange, attackRange) {
		k.Forward, k.Sprint = 1, true
		k.Jump = own.Collided&(move.AxisX|move.AxisZ) != 0
		return p.KeepAfloat(k)
	}
	if p.Tick() >= f.nextAttack {
		f.nextAttack = p.Tick() + orDefault(f.Cooldown, attackCooldown)
		f.giveUp = p.Tick() + chaseTicks
		f.attempts++
		p.Attack(a.RuntimeID)
	}
	return k
}

// HasTarget reports whether the Fight has a target.
func (f *Fight) HasTarget() bool { return f.target != 0 }

// chooseTarget chooses the nearest actor that may be attacked as the new target and returns it. It returns false if there
// is no such actor within SearchRadius.
func (f *Fight) chooseTarget(p *Player) (Actor, bool) {
	f.target = 0
	near, d := p.World().Nearest(p.Pos(), func(a *Actor) bool {
		return (f.AttackPlayers || !p.World().IsRealPlayer(a)) && f.ignoredUntil[a.Name] <= p.Tick() && (f.Exclude == nil || !f.Exclude(a))
	})
	if near == nil || d > orDefault(f.SearchRadius, searchRadius) {
		return Actor{}, false
	}
	f.target, f.attempts, f.targetHurts, f.giveUp = near.RuntimeID, 0, near.HurtCount, p.Tick()+chaseTicks
	return *near, true
}

// ignore excludes all actors with the given name from attacks for ignoreTicks. It excludes the name instead of one actor, because
// servers usually protect all actors with the same name.
func (f *Fight) ignore(name string, tick uint64) {
	if f.ignoredUntil == nil || len(f.ignoredUntil) > maxActors {
		f.ignoredUntil = map[string]uint64{}
	}
	f.ignoredUntil[name] = tick + ignoreTicks
}
