// Package area runs the areas of a world: one goroutine each, which owns its sim.Area, steps it at the world's fixed
// rate and hands out the frames.
//
//	players -> Submit -> inbox --+                    +--> Feed -> Published -> Release --+
//	                             |   one goroutine    |                                   |
//	                             +-> sim.Area.Step ---+--> departures, joined to the next area
//	                                      ^                                               |
//	                                      +---------------- Recycle <---------------------+
//
// Intents wait in the inbox of their area, bounded per player. A frame goes to every Feed that subscribes to its area; a full
// feed misses the frame and counts it, so no reader ever makes an area wait. The area reuses the memory of a frame
// when its last reader has released it.
//
//	w := area.NewWorld(def, area.Options{Seed: 1})
//	feed := w.Subscribe("rcce", 4, area.All)
//	w.Start(ctx)
//	for p := range feed.C() {
//		broadcast(p.Frame)
//		p.Release()
//	}
//
// An area can have a Log, which stores the intents of each tick before the frame is published. After a crash the area
// is restored from it. An actor joins its next area only once the tick of its departure is durable, and its arrival is
// confirmed only once the tick of the arrival is durable (crossing.go).
//
// World owns the goroutines of the areas: Start begins them and Stop waits for them. Readers run on their own goroutines.
//
// Doors, the session hub, the journal and the console use the interface Host instead of *World, so that an area may run on
// another node.
package area

import (
	"context"
	"errors"
	"math"

	"github.com/truestep-io/truestep/sim"
)

// Errors that World.Submit returns if an area does not accept an intent.
var (
	ErrFull   = errors.New("the player has too many intents waiting in the area's inbox")
	ErrClosed = errors.New("the area is closed or does not exist")
	// ErrNoLead means that an area of a cluster has no known leader, or has not answered in time. Usually a new leader is being elected,
	// or a majority of the nodes cannot be reached.
	ErrNoLead = errors.New("the area has no leader now: a new one is being elected, or most nodes of the cluster cannot be reached")
)

// Host runs the areas of a world, in this process (*World) or elsewhere. It is the only way in which the rest of the server
// reaches a world. All methods are safe for concurrent use.
type Host interface {
	// Def returns the definition of the world: rules, templates, areas. It is immutable. A reload of the world file
	// (World.Redefine) replaces it by another definition that has the same ticks per second, areas, terrain and attributes, and
	// the same ids of templates and items.
	Def() *sim.World
	// NowMS returns the time for Intent.AtMS: ms since the start of the world. It is the same for all areas and never decreases.
	NowMS() int64
	// Submit puts an intent into the inbox of an area. It never blocks. Errors: ErrFull, ErrClosed.
	Submit(a sim.AreaID, in sim.Intent) error
	// Subscribe returns a feed of the frames of some areas; All selects every area. Feed.Add and Feed.Remove change the set
	// later. The parameter name is for logs. The parameter depth is the number of unread frames per area that the feed holds, at
	// least 1.
	Subscribe(name string, depth int, areas ...sim.AreaID) *Feed
	// Durable returns the newest tick of an area that survives a loss of power. If the log of the area cannot write, or if there
	// is no log, every tick counts as durable, so that nothing waits for the log.
	Durable(a sim.AreaID) sim.Tick
	// Storable returns the newest tick of an area up to which records may be stored. A record of a later tick must not be
	// stored yet: after a loss of power the area could be restored to a state before that tick. Without a log the records of
	// every tick may be stored.
	Storable(a sim.AreaID) sim.Tick
	// Saved tells the area's log that the records of all frames up to tick are stored. Ticks must not decrease.
	Saved(a sim.AreaID, tick sim.Tick)
	// Stopping reports whether the world no longer accepts intents because it is stopping. From then on no leave intents are
	// needed, because the stop removes all players.
	Stopping() bool
	// Owner reports whether this process owns an area. Only the owner stores the records of the area's players. The result epoch
	// is the number of this ownership. With it store.Fence prevents a former owner from storing records. It is 0 if no other
	// process can own the area.
	Owner(a sim.AreaID) (epoch uint64, own bool)
	// SavedTick returns the tick up to which the owner of an area has stored all records, if the owner is another process. The tick
	// never decreases. If no other process can own the area, the result is the greatest possible tick.
	SavedTick(a sim.AreaID) sim.Tick
	// Missed tells the host that this process has missed the frame of that tick of an area, and perhaps earlier frames: it
	// can neither store the records in them nor say that they are stored. If another process can own the area, this process
	// does not own it until these records are stored, unless no process has them.
	Missed(a sim.AreaID, tick sim.Tick)
	// Barrier waits until this process has stepped every tick that any process of the world published before the call. It returns
	// the newest such tick of each area, indexed by AreaID. A caller that reads the frames up to these ticks knows what was true
	// at the call. The result is nil if this process publishes every frame. Errors: that of ctx, ErrNoLead and ErrClosed.
	Barrier(ctx context.Context) ([]sim.Tick, error)
	// Find returns the player with that character if the character is in the world or on its way between two areas. If all
	// players entered through this process, Find always returns false: the session hub knows those players itself. Errors: that
	// of ctx, ErrNoLead and ErrClosed.
	Find(ctx context.Context, c sim.CharacterID) (p RestoredPlayer, found bool, err error)
}

// NoLimit is returned by Host.Durable if every tick counts as durable, and by Host.Storable if every tick counts as storable.
const NoLimit sim.Tick = math.MaxUint64

// All, as an argument of Subscribe, selects every area of a world.
const All sim.AreaID = -2
