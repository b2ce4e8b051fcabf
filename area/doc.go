// Package area runs the areas of a world: one goroutine each, which owns its sim.Area, steps it at the world's fixed
// rate and hands out the frames.
//
//	players -> Submit -> inbox --+                    +--> Feed -> Published -> Release --+
//	                             |   one goroutine    |                                   |
//	                             +-> sim.Area.Step ---+--> departures, joined to the next area
//	                                      ^                                               |
//	                                      +---------------- Recycle <---------------------+
//
// Intents wait in the inbox of their area, bounded per player. Frames go to every Feed; a feed that is full misses the
// frame and is told how many it missed, so that no reader ever makes an area wait. The last reader that releases a
// frame gives its memory back to the area.
//
//	w := area.NewWorld(def, area.Options{Seed: 1})
//	feed := w.Subscribe("rcce", 4)
//	w.Start(ctx)
//	for p := range feed.C() {
//		show(p.Frame)
//		p.Release()
//	}
//
// The goroutines belong to World: Start makes them and Stop waits for them. Readers bring their own.
package area

import (
	"errors"

	"github.com/truestep-io/truestep/sim"
)

// Errors of Submit.
var (
	ErrFull   = errors.New("the player's budget in the inbox is used up")
	ErrClosed = errors.New("the area is not open")
)

// Door is how the outside reaches a world, here or on another node: submit intents, read frames. *World is one.
type Door interface {
	// Def is what does not change: rules, templates, areas. Read-only.
	Def() *sim.World
	// NowMS is the clock of Intent.AtMS: ms since the start, the same for all areas, never going back.
	NowMS() int64
	// Submit puts an intent into the inbox of an area. It never waits. Errors: ErrFull, ErrClosed.
	Submit(a sim.AreaID, in sim.Intent) error
	// Subscribe hands every frame of every area to the feed that it returns.
	Subscribe(name string, depth int) *Feed
}
