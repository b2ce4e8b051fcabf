package rcce

import (
	"iter"
	"slices"

	"github.com/truestep-io/truestep/sim/geom"
	"github.com/truestep-io/truestep/sim/move"
)

// World is the state that a client has received: its area, its own actor and the other actors. All positions are from the server,
// in world units. The goroutine that calls the client's methods may read the World at any time, other goroutines only inside
// Inspect.
type World struct {
	Area   string // name of the area, empty before the first ChangeArea
	Handle uint32 // number by which the server names the area in packets; 0 before the first ChangeArea
	PvP    bool   // players may attack each other in this area
	Self   Self   // the client's own actor

	tracks []track     // movement of actors by runtime id
	infos  []actorInfo // other state of actors by runtime id; same length as tracks
	known  []uint16    // runtime ids of the actors that were announced and have not left, in no particular order
}

// Self is the state of the client's own actor.
type Self struct {
	RuntimeID         uint16   // runtime id of the own actor, 0 before Enter
	Pos               geom.Vec // position on the server; Y is from the last ChangeArea or RepositionActor
	Running           bool     // running flag of the last StandardUpdate of the own actor
	Mount             uint16   // runtime id of the own actor's mount in that update; 0 if none, or if Updates is 0
	Updates           uint64   // StandardUpdates of the own actor since the last ChangeArea
	Health, HealthMax int      // health points
	Energy            int      // run energy; -1 if the server sends none
	Speed, SpeedMax   int      // current and maximum points of the speed attribute; SpeedMax is 0 if unknown
}

// Dead reports whether the own actor has no health left. The result is false until HealthMax is known, which FetchCharacter
// requests.
func (s *Self) Dead() bool { return s.HealthMax > 0 && s.Health <= 0 }

// pace returns the speed at which the own actor walks, or runs if the parameter running is true, in units per second.
func (s *Self) pace(running bool) float32 {
	return move.UnitsPerSecond(int32(s.Speed), int32(s.SpeedMax), running, false)
}

// Actor describes another actor at the time of the call that returned it.
type Actor struct {
	RuntimeID         uint16   // id of the actor in packets
	Name              string   // name of the actor
	Template          uint16   // index of the actor template
	Player            bool     // the actor is a player, not an NPC
	Level             int      // level of the character
	Pos               geom.Vec // position in units
	DestX, DestZ      float32  // point to which the actor walks
	Running           bool     // the actor runs to DestX, DestZ
	Mount             uint16   // runtime id of the actor's mount, 0 if none
	Health, HealthMax int      // health points, and their maximum
	Updates           uint64   // StandardUpdates received since the actor was announced
}

// track holds those fields of an actor that StandardUpdates change. It is kept small, half a cache line, because load tests
// handle millions of updates per second.
type track struct {
	seen         int64   // time of the last update in ns since 1970, 0 before the first
	x, z         float32 // last position in units
	destX, destZ float32
	updates      uint32 // StandardUpdates received since the actor was announced
	mount        uint16 // runtime id of the actor's mount, 0 if none
	running      bool
	known        bool // the actor was announced and has not left
}

// actorInfo holds the fields of an actor that StandardUpdates do not change. The height y is among them, although a few
// StandardUpdates contain it.
type actorInfo struct {
	name              string
	y                 float32
	health, healthMax int32
	level, template   uint16
	player            bool
	place             int32 // index of the actor in World.known
}

// Actor returns the actor with the runtime id rid; ok is false if the client does not know the actor or the actor has died.
func (w *World) Actor(rid uint16) (a Actor, ok bool) {
	if int(rid) >= len(w.tracks) || !w.tracks[rid].known {
		return Actor{}, false
	}
	t, f := &w.tracks[rid], &w.infos[rid]
	return Actor{
		RuntimeID: rid, Name: f.name, Template: f.template, Player: f.player, Level: int(f.level),
		Pos: geom.Vec{X: t.x, Y: f.y, Z: t.z}, DestX: t.destX, DestZ: t.destZ, Running: t.running, Mount: t.mount,
		Health: int(f.health), HealthMax: int(f.healthMax), Updates: uint64(t.updates),
	}, true
}

// Actors returns an iterator over copies of all other actors, in no particular order.
func (w *World) Actors() iter.Seq[Actor] {
	return func(yield func(Actor) bool) {
		for _, rid := range w.known {
			if a, ok := w.Actor(rid); ok && !yield(a) {
				return
			}
		}
	}
}

// ActorCount returns the number of other actors.
func (w *World) ActorCount() int { return len(w.known) }

// FindByName returns the first other actor with that name; the second result is false if there is none.
func (w *World) FindByName(name string) (Actor, bool) {
	for a := range w.Actors() {
		if a.Name == name {
			return a, true
		}
	}
	return Actor{}, false
}

// CountWithin returns the number of other actors whose horizontal distance from the own actor is below r units.
func (w *World) CountWithin(r float32) int {
	n := 0
	for _, rid := range w.known {
		t := &w.tracks[rid]
		if geom.Dist2XZ(geom.Vec{X: t.x, Z: t.z}, w.Self.Pos) < r*r {
			n++
		}
	}
	return n
}

// addActor adds an actor whose fields are all zero. If the actor is known already, addActor resets its fields to zero.
func (w *World) addActor(rid uint16) (*track, *actorInfo) {
	if n := int(rid) + 1; n > len(w.tracks) {
		w.tracks = slices.Grow(w.tracks, n-len(w.tracks))[:n]
		w.infos = slices.Grow(w.infos, n-len(w.infos))[:n]
	}
	t, f := &w.tracks[rid], &w.infos[rid]
	place := f.place
	if !t.known {
		place = int32(len(w.known))
		w.known = append(w.known, rid)
	}
	*t, *f = track{known: true}, actorInfo{place: place}
	return t, f
}

// removeActor removes an actor, if the client knows it.
func (w *World) removeActor(rid uint16) {
	if int(rid) >= len(w.tracks) || !w.tracks[rid].known {
		return
	}
	last := w.known[len(w.known)-1]
	w.known[w.infos[rid].place] = last
	w.infos[last].place = w.infos[rid].place
	w.known = w.known[:len(w.known)-1]
	w.tracks[rid], w.infos[rid] = track{}, actorInfo{}
}

// removeAll removes all other actors, as the game's own clients do when their area changes.
func (w *World) removeAll() {
	for len(w.known) > 0 {
		w.removeActor(w.known[0])
	}
}
