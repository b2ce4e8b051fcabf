package rcce

import (
	"iter"
	"slices"

	"github.com/truestep-io/truestep/sim/geom"
	"github.com/truestep-io/truestep/sim/move"
)

// World is the state that a client has received: its area, its own actor and the other actors. Positions are the server's,
// in world units. The client's goroutine may read it, others inside Inspect.
type World struct {
	Area   string // name, "" before the first ChangeArea
	Handle uint32 // of the area's instance
	PvP    bool
	Self   Self

	tracks []track     // by runtime id
	infos  []actorInfo // by runtime id, as long as tracks
	known  []uint16    // runtime ids of the actors that are known, in no order
}

// Self is the client's own actor.
type Self struct {
	RuntimeID         uint16   // 0 outside of the world
	Pos               geom.Vec // where the server has it; Y by the last ChangeArea or RepositionActor
	Running           bool     // by the server's echo
	Health, HealthMax int
	Energy            int // -1 if the server sends none
	Speed, SpeedMax   int // attribute points; SpeedMax 0 if nobody told
}

// Dead reports whether the own health is 0. It needs the maximum from the character sheet.
func (s *Self) Dead() bool { return s.HealthMax > 0 && s.Health <= 0 }

// pace is the own walk in units per second.
func (s *Self) pace(running bool) float32 {
	return move.UnitsPerSecond(int32(s.Speed), int32(s.SpeedMax), running, false)
}

// Actor is another actor as this client knows it.
type Actor struct {
	RuntimeID         uint16
	Name              string
	Template          uint16
	Player            bool
	Level             int
	Pos               geom.Vec
	DestX, DestZ      float32
	Running           bool
	Mount             uint16 // runtime id, 0 none
	Health, HealthMax int
	Updates           uint64 // StandardUpdates since it was announced
}

// track is the part of an actor that StandardUpdates change: half a cache line, as there are millions per second.
type track struct {
	seen         int64 // ns since 1970 of the last update; 0: none yet
	x, z         float32
	destX, destZ float32
	updates      uint32
	mount        uint16
	running      bool
	known        bool // announced and not gone
}

// actorInfo is the rest of an actor.
type actorInfo struct {
	name              string
	y                 float32
	health, healthMax int32
	level, template   uint16
	player            bool
	place             int32 // in World.here
}

// Actor returns one actor; ok is false if the client knows none of that id, or knows that it died.
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

// Actors lists all others, in no order.
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

// FindByName returns the first actor of that name.
func (w *World) FindByName(name string) (Actor, bool) {
	for a := range w.Actors() {
		if a.Name == name {
			return a, true
		}
	}
	return Actor{}, false
}

// CountWithin returns the number of actors nearer than r on the ground.
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

// addActor adds an actor, or resets one that is known already.
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

// removeActor removes an actor.
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

// removeAll removes all other actors, as clients do when their area changes.
func (w *World) removeAll() {
	for len(w.known) > 0 {
		w.removeActor(w.known[0])
	}
}
