package bedrock

import (
	"iter"

	proto "github.com/truestep-io/truestep/proto/bedrock"
	"github.com/truestep-io/truestep/sim/geom"
)

// World is what a client knows. Positions are feet, in blocks. It is read by the client's own goroutine, or by others
// inside Look.
type World struct {
	Name       string // of the world
	Self       Self
	Time       int32 // of day, in ticks
	actors     map[uint64]*Actor
	unique     map[int64]uint64 // runtime ids by unique ids
	playerList map[proto.UUID]string
	items      map[int16]string // kinds by their numbers
}

// Self is the client's own player. Where it is the Predictor knows.
type Self struct {
	RuntimeID uint64 // 0 before StartGame
	UniqueID  int64
	Health    float32 // points
	MaxHealth float32 // 0 if nobody told
	Hunger    float32
	Dead      bool
}

// Actor is another actor as this client knows it.
type Actor struct {
	RuntimeID           uint64
	UniqueID            int64
	UUID                proto.UUID // zero unless Type is that of players
	Name                string
	Type                string   // "minecraft:player" or what AddActor says
	Pos                 geom.Vec // feet
	Yaw, Pitch, HeadYaw float32  // degrees
	OnGround            bool
	Flags               uint64 // actor flags 0..63
	Health              float32
	Dead                bool
	Mount               uint64  // runtime id of whom it rides, 0 nobody
	Rider               uint64  // who rides it
	HeldItem            string  // kind of item in its hand, "minecraft:bow"; "" none
	ScoreText           string  // what stands under its name
	Scale               float32 // 1 is its own size
	Width, Height       float32 // of its box at scale 1, blocks
	HurtCount           uint64  // times that it was seen hurt
	PositionUpdates     uint64  // of its place, since it was announced

	lastUpdate int64 // ns of the last of them
	moving     bool  // it went far enough in it to be expected to go on
}

// Player reports whether the actor has a player's body. Servers give it to others too: see World.Person.
func (a *Actor) HasPlayerModel() bool { return a.Type == playerType }

const playerType = "minecraft:player"

// mostActors is how many a client keeps; a server that announces more is not followed any further.
const maxActors = 4096

// Actor returns one actor; ok is false if the client knows none of that id.
func (w *World) Actor(runtime uint64) (a Actor, ok bool) {
	if at := w.actors[runtime]; at != nil {
		return *at, true
	}
	return Actor{}, false
}

// Actors is all others that are in sight, in no order.
func (w *World) Actors() iter.Seq[*Actor] {
	return func(yield func(*Actor) bool) {
		for _, a := range w.actors {
			if !yield(a) {
				return
			}
		}
	}
}

// ActorCount is how many others are in sight.
func (w *World) ActorCount() int { return len(w.actors) }

// Person reports whether a player is behind the actor: one that the player list has.
func (w *World) IsRealPlayer(a *Actor) bool {
	_, listed := w.playerList[a.UUID]
	return listed && a.HasPlayerModel()
}

// Listed is how many players the player list has, oneself among them.
func (w *World) PlayerListLen() int { return len(w.playerList) }

// Nearest is the nearest living actor of those that want accepts; the one with the lower id of two that are as near.
func (w *World) Nearest(to geom.Vec, want func(*Actor) bool) (best *Actor, distance float32) {
	for _, a := range w.actors {
		d := geom.Dist2(to, a.Pos)
		if best != nil && (d > distance || d == distance && a.RuntimeID > best.RuntimeID) || a.Dead || !want(a) {
			continue
		}
		best, distance = a, d
	}
	return best, geom.Sqrt(distance)
}

func (w *World) enter(p *proto.StartGame) {
	w.Name = p.WorldName
	w.Self = Self{RuntimeID: p.Runtime, UniqueID: p.Unique}
	w.clearActors()
}

// forget forgets all actors.
func (w *World) clearActors() {
	w.actors, w.unique = map[uint64]*Actor{}, map[int64]uint64{}
}

// add announces an actor, unless there are too many.
func (w *World) add(a Actor) *Actor {
	if a.RuntimeID == w.Self.RuntimeID || w.actors == nil || len(w.actors) >= maxActors {
		return nil
	}
	if old := w.actors[a.RuntimeID]; old != nil {
		delete(w.unique, old.UniqueID)
	}
	at := &a
	w.actors[a.RuntimeID] = at
	w.unique[a.UniqueID] = a.RuntimeID
	return at
}

// remove takes an actor out; false if it is not known.
func (w *World) remove(unique int64) bool {
	runtime, ok := w.unique[unique]
	if ok {
		a := w.actors[runtime]
		w.unlink(a, w.actors[a.Mount])
		w.unlink(w.actors[a.Rider], a)
		delete(w.unique, unique)
		delete(w.actors, runtime)
	}
	return ok
}
