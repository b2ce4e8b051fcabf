package server

import (
	"cmp"
	"context"
	"slices"
	"strings"
	"sync"
	"time"

	"github.com/truestep-io/truestep/area"
	"github.com/truestep-io/truestep/console"
	"github.com/truestep-io/truestep/content"
	"github.com/truestep-io/truestep/sim"
)

// theWorld is the name of the world in the report of a reload. The other names in the report are those of settings.
const theWorld = "the world"

// reloadWorld replaces the world in which the areas run by the parameter next, if every change can be made while players are in
// the world. It adds to the report r what has changed or, if a restart is needed, what needs it and why. The result is true if
// the areas run in next afterwards. The caller holds s.reloading.
func (s *Server) reloadWorld(ctx context.Context, next *content.World, r *console.Reloaded) bool {
	now := s.content.Load()
	if next == nil {
		return false
	}
	changes := content.Compare(now, next)
	if len(changes) == 0 && now.Digest() == next.Digest() {
		return true
	}
	keep := func(what, why string) bool {
		r.Kept = append(r.Kept, console.KeptSetting{Setting: what, Why: why})
		return false
	}
	world, fixed := content.Reload(now, next)
	for _, f := range fixed {
		keep(theWorld+": "+f.What, f.Why)
	}
	if world == nil {
		return keep(theWorld, "a world file is applied as a whole, and a part of it needs a restart: "+strings.Join(changes, ", "))
	}
	if s.cluster != nil {
		return keep(theWorld, area.ErrShared.Error()+": "+strings.Join(changes, ", "))
	}
	s.worlds.add(now.World)
	s.worlds.add(world.World)
	settle, err := s.settleRecords(ctx)
	if err != nil {
		return keep(theWorld, err.Error())
	}
	s.content.Store(world) // store the world before Redefine, because the console draws its maps again as soon as Redefine has changed the areas
	began := time.Now()
	if err := s.world.Redefine(ctx, world.World, settle); err != nil {
		s.content.Store(now)
		return keep(theWorld, err.Error())
	}
	if len(changes) == 0 {
		changes = []string{"nothing but comments and layout of the file"}
	}
	paused := time.Since(began)
	r.World = &console.ReloadedWorld{PausedMS: int64((paused + time.Millisecond - 1) / time.Millisecond), Changes: changes}
	s.log.Info("the world file was reloaded", "changes", len(changes), "pause", paused.Round(100*time.Microsecond))
	for _, change := range changes {
		s.log.Info("world: " + change)
	}
	return true
}

// settleTime is how long a reload waits, at most, for the records of past ticks to be stored before it pauses the areas, unless
// Config.reloadTime is set.
const settleTime = 2 * time.Second

// settleRecords shortens the time for which a reload pauses the areas: while they still run, it stores the records of all ticks so
// far, so that few remain to be stored in the pause. It returns a function that stores the remaining records, or nil if there is no
// tape. If the store does not answer, it returns an error, and the reload does not pause the areas.
func (s *Server) settleRecords(ctx context.Context) (func(context.Context, []sim.Tick) error, error) {
	if s.tape == nil {
		return nil, nil
	}
	limited, cancel := context.WithTimeout(ctx, cmp.Or(s.cfg.reloadTime, settleTime))
	defer cancel()
	stats := s.world.Stats()
	ticks := make([]sim.Tick, len(stats))
	for i := range stats {
		ticks[i] = stats[i].Tick
	}
	return s.hub.StoreThrough, s.hub.StoreThrough(limited, ticks)
}

// reloadedWorlds are the worlds in which the areas have run since the start of the server. They are needed to display recorded
// ticks. Only the newest maxReloadedWorlds are kept.
type reloadedWorlds struct {
	mu   sync.Mutex
	list []digestedWorld
}

type digestedWorld struct {
	digest uint64
	world  *sim.World
}

const maxReloadedWorlds = 32 // maximum number of reloaded worlds; chosen for an evening of tuning rules; the worlds share their terrain

func (l *reloadedWorlds) add(w *sim.World) {
	l.mu.Lock()
	defer l.mu.Unlock()
	digest := w.Digest()
	l.list = slices.DeleteFunc(l.list, func(d digestedWorld) bool { return d.digest == digest })
	l.list = append(l.list, digestedWorld{digest, w})
	if n := len(l.list) - maxReloadedWorlds; n > 0 {
		l.list = slices.Delete(l.list, 0, n)
	}
}

// of returns the world with the given digest, or nil if that world is no longer kept.
func (l *reloadedWorlds) of(digest uint64) *sim.World {
	l.mu.Lock()
	defer l.mu.Unlock()
	for _, d := range l.list {
		if d.digest == digest {
			return d.world
		}
	}
	return nil
}
