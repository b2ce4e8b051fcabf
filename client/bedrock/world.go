package bedrock

import (
	"iter"

	proto "github.com/truestep-io/truestep/proto/bedrock"
	"github.com/truestep-io/truestep/sim/geom"
)

// World is the world as the client knows it. Positions are feet positions, in blocks. It may be read only in the
// client's goroutine or inside Client.Inspect.
type World struct {
	Name       string                // name of the world
	Self       Self                  // the client's player
	Time       int32                 // time of day in ticks
	actors     map[uint64]*Actor     // other actors by runtime id
	unique     map[int64]uint64      // runtime id by unique id
	playerList map[proto.UUID]string // name of each listed player
	items      map[int16]string      // item name by network id
}

// Self is the client's player, except its position, which Predictor returns.
type Self struct {
	RuntimeID uint64  // runtime id of the client's player, 0 before StartGame
	UniqueID  int64   // permanent id of the client's player
	Health    float32 // health points
	MaxHealth float32 // maximum health points, 0 if unknown
	Hunger    float32 // food points; a player may sprint with more than 6
	Dead      bool    // the player is dead and has not respawned
}

// Actor is another actor as the client knows it.
type Actor struct {
	RuntimeID           uint64     // id of the actor within the session
	UniqueID            int64      // permanent id of the actor
	UUID                proto.UUID // id on the player list; zero unless Type is minecraft:player
	Name                string     // name tag
	Type                string     // type of the actor: "minecraft:player" or the type from AddActor
	Pos                 geom.Vec   // feet position in blocks
	Yaw, Pitch, HeadYaw float32    // rotation in degrees
	OnGround            bool       // the actor stands on the ground
	Flags               uint64     // actor flags 0..63, one bit each; see proto/bedrock.ActorFlag
	Health              float32    // health points
	Dead                bool       // the actor is dead
	Mount               uint64     // runtime id of the actor that this actor rides, 0 if none
	Rider               uint64     // runtime id of the actor that rides this actor, 0 if none
	Passenger           uint64     // runtime id of the actor on this actor's second seat, 0 if none
	Movement            float32    // movement attribute (speed in blocks per tick), 0 if unknown
	JumpStrength        float32    // jump strength of a horse, 0 if unknown
	HeldItem            string     // name of the held item, such as "minecraft:bow"; empty if none
	ScoreText           string     // text below the name tag
	Scale               float32    // size factor; 1 is normal size
	Width, Height       float32    // size of the bounding box in blocks at scale 1
	HurtCount           uint64     // number of hurt events received
	PositionUpdates     uint64     // number of position updates received

	lastUpdate int64 // time of the last update in ns
	moving     bool  // the last update changed the position: another update should follow soon
}

// HasPlayerModel reports whether the actor has the player model. Servers also give NPCs this model: see
// World.IsRealPlayer.
func (a *Actor) HasPlayerModel() bool { return a.Type == playerType }

const playerType = "minecraft:player"

// maxActors is the maximum number of actors that a client stores. Further actors are ignored.
const maxActors = 4096

// Actor returns a copy of the actor that has the given runtime id. ok is false if the client knows no such actor.
func (w *World) Actor(runtime uint64) (a Actor, ok bool) {
	if at := w.actors[runtime]; at != nil {
		return *at, true
	}
	return Actor{}, false
}

// Actors returns an iterator over all other actors that the server has announced and not removed, in no particular order.
func (w *World) Actors() iter.Seq[*Actor] {
	return func(yield func(*Actor) bool) {
		for _, a := range w.actors {
			if !yield(a) {
				return
			}
		}
	}
}

// ActorCount returns the number of actors over which Actors iterates.
func (w *World) ActorCount() int { return len(w.actors) }

// IsRealPlayer reports whether the actor is a player. An NPC may have the player model, too, but is not on the player list.
func (w *World) IsRealPlayer(a *Actor) bool {
	_, listed := w.playerList[a.UUID]
	return listed && a.HasPlayerModel()
}

// PlayerListLen returns the number of players on the player list, including the client's own.
func (w *World) PlayerListLen() int { return len(w.playerList) }

// Nearest returns the living actor nearest to the parameter point among those for which want returns true, and its distance
// in blocks. If several have the same distance, it returns the one with the lowest runtime id. If there is none, best is
// nil.
func (w *World) Nearest(point geom.Vec, want func(*Actor) bool) (best *Actor, distance float32) {
	for _, a := range w.actors {
		d := geom.Dist2(point, a.Pos)
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

// clearActors removes all actors.
func (w *World) clearActors() {
	w.actors, w.unique = map[uint64]*Actor{}, map[int64]uint64{}
}

// add stores an actor and returns a pointer to it. It returns nil and stores nothing if the actor is the client's own
// player or if maxActors are stored already.
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

// remove removes the actor with the given unique id, and its links as rider or mount. It returns false if the client knows
// no such actor.
func (w *World) remove(unique int64) (removed bool) {
	runtime, ok := w.unique[unique]
	if ok {
		a := w.actors[runtime]
		w.unlink(a, w.actors[a.Mount])
		w.unlink(w.actors[a.Rider], a)
		w.unlink(w.actors[a.Passenger], a)
		delete(w.unique, unique)
		delete(w.actors, runtime)
	}
	return ok
}
