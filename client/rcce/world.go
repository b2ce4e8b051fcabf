package rcce

import (
	"iter"
	"slices"

	"github.com/truestep-io/truestep/sim/geom"
	"github.com/truestep-io/truestep/sim/move"
)

// World is what a client knows: its area, itself, and the actors that it was told about. Positions are the server's, in
// world units. It is read by the client's own goroutine, or by others inside Look.
type World struct {
	Area   string // name, "" before the first ChangeArea
	Handle uint32 // of the area's instance
	PvP    bool
	Self   Self

	tracks []track  // by runtime id
	faces  []face   // by runtime id, as long as tracks
	here   []uint16 // runtime ids of the actors that are known, in no order
}

// Self is the client's own actor.
type Self struct {
	RuntimeID         uint16   // 0 outside of the world
	Pos               geom.Vec // where the server has it; Y by the last ChangeArea or RepositionActor
	Running           bool     // by the server's echo
	Health, HealthMax int
	Energy            int // -1 if the server tells none
	Speed, SpeedMax   int // attribute points; SpeedMax 0 if nobody told
}

// Dead tells whether the own health is gone. It needs a maximum, which a client has from its character sheet.
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

// track is what StandardUpdates change of an actor: half a cache line, as there are millions of them a second.
type track struct {
	seen         int64 // ns since 1970 of the last update; 0: none yet
	x, z         float32
	destX, destZ float32
	updates      uint32
	mount        uint16
	running      bool
	known        bool // announced and not gone
}

// face is the rest of an actor.
type face struct {
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
	t, f := &w.tracks[rid], &w.faces[rid]
	return Actor{
		RuntimeID: rid, Name: f.name, Template: f.template, Player: f.player, Level: int(f.level),
		Pos: geom.Vec{X: t.x, Y: f.y, Z: t.z}, DestX: t.destX, DestZ: t.destZ, Running: t.running, Mount: t.mount,
		Health: int(f.health), HealthMax: int(f.healthMax), Updates: uint64(t.updates),
	}, true
}

// Actors lists all others, in no order.
func (w *World) Actors() iter.Seq[Actor] {
	return func(yield func(Actor) bool) {
		for _, rid := range w.here {
			if a, ok := w.Actor(rid); ok && !yield(a) {
				return
			}
		}
	}
}

// Len is how many others there are.
func (w *World) Len() int { return len(w.here) }

// Find returns the first actor of that name.
func (w *World) Find(name string) (Actor, bool) {
	for a := range w.Actors() {
		if a.Name == name {
			return a, true
		}
	}
	return Actor{}, false
}

// Close counts the actors that are nearer than r on the ground.
func (w *World) Close(r float32) int {
	n := 0
	for _, rid := range w.here {
		t := &w.tracks[rid]
		if geom.Dist2XZ(geom.Vec{X: t.x, Z: t.z}, w.Self.Pos) < r*r {
			n++
		}
	}
	return n
}

// announce makes room for an actor and marks it as known. One that was known before starts anew.
func (w *World) announce(rid uint16) (*track, *face) {
	if n := int(rid) + 1; n > len(w.tracks) {
		w.tracks = slices.Grow(w.tracks, n-len(w.tracks))[:n]
		w.faces = slices.Grow(w.faces, n-len(w.faces))[:n]
	}
	t, f := &w.tracks[rid], &w.faces[rid]
	place := f.place
	if !t.known {
		place = int32(len(w.here))
		w.here = append(w.here, rid)
	}
	*t, *f = track{known: true}, face{place: place}
	return t, f
}

// forget takes an actor out.
func (w *World) forget(rid uint16) {
	if int(rid) >= len(w.tracks) || !w.tracks[rid].known {
		return
	}
	last := w.here[len(w.here)-1]
	w.here[w.faces[rid].place] = last
	w.faces[last].place = w.faces[rid].place
	w.here = w.here[:len(w.here)-1]
	w.tracks[rid], w.faces[rid] = track{}, face{}
}

// clear forgets all others, as clients do when their area changes.
func (w *World) clear() {
	for len(w.here) > 0 {
		w.forget(w.here[0])
	}
}
