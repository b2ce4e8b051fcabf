package interest

import (
	"slices"

	"github.com/truestep-io/truestep/sim"
)

// View is the set of actors that one viewer has been told about. The zero value is empty.
type View struct {
	// Self is the viewer's own actor, which is never part of its view.
	Self sim.EntityID

	shown   []sim.EntityID // ids of the actors in view, sorted, without Self
	old     []sim.EntityID // between begin and end: ids in view before the current comparison; otherwise meaningless
	at      int            // number of entries of old that the current comparison has processed
	entered []sim.EntityID // ids that the last comparison added to shown, sorted
	left    []sim.EntityID // ids that the last comparison removed from shown, sorted

	// whole and version make repeated calls of Sync cheap. whole is the FrameIndex with which Sync last filled the view, and
	// version is the version that it then had. While neither has changed, Sync has nothing to do. Every other method that
	// changes the view sets whole to nil.
	whole   *FrameIndex
	version uint64

	// update is the result of Update. Each call reuses its memory.
	update Update
	near   []int32
	edge   []int32  // indices of actors in view that are beyond EnterRadius and not bound to the viewer
	marks  []uint64 // one bit for each actor of the frame; all zero between calls
}

// Reset empties the view. Call it when the viewer's client has deleted all actors that it knew, as clients do when they change
// areas.
func (v *View) Reset() {
	v.shown = v.shown[:0]
	v.whole = nil
}

// Shown returns the ids in view, sorted, without Self. They are valid until the next call on v.
func (v *View) Shown() []sim.EntityID { return v.shown }

// Contains reports whether an actor is in view.
func (v *View) Contains(id sim.EntityID) bool {
	_, found := slices.BinarySearch(v.shown, id)
	return found
}

// Diff brings every actor of f into view, except Self. It returns the ids that entered the view and those that left it since the
// last call, sorted. The slices are valid until the next call on v. Diff visits every actor; Sync is faster where a FrameIndex
// exists.
func (v *View) Diff(f *sim.Frame) (entered, left []sim.EntityID) {
	v.begin()
	for i := range f.Actors {
		v.addID(f.Actors[i].ID)
	}
	v.end()
	return v.entered, v.left
}

// Sync updates the view to the frame that c indexes, and returns the ids of the actors that came into view and of those that left it.
// Unlike Diff, it returns at once if the set of actors has not changed since the last call with c.
func (v *View) Sync(c *FrameIndex) (entered, left []sim.EntityID) {
	if v.whole == c && v.version == c.version {
		v.entered, v.left = v.entered[:0], v.left[:0]
		return v.entered, v.left
	}
	v.begin()
	for _, id := range c.ids {
		v.addID(id)
	}
	v.end()
	v.whole, v.version = c, c.version
	return v.entered, v.left
}

// begin starts the replacement of the view by another set of actors. The caller then passes the ids of that set in ascending
// order to keep or addID, and calls end. The differences are in v.entered and v.left.
func (v *View) begin() {
	v.shown, v.old, v.at = v.old[:0], v.shown, 0
	v.entered, v.left = v.entered[:0], v.left[:0]
	v.whole = nil
}

// addID adds an actor to the view. If it was not in view before, addID also reports it as entered.
func (v *View) addID(id sim.EntityID) {
	if id != v.Self && !v.keep(id) {
		v.enter(id)
	}
}

// keep retains actor id in the view if it was in view before, and reports whether it was. Call it with ascending ids: an actor of
// the previous view whose id is skipped has left the view.
func (v *View) keep(id sim.EntityID) bool {
	for v.at < len(v.old) && v.old[v.at] < id {
		v.left = append(v.left, v.old[v.at])
		v.at++
	}
	if v.at == len(v.old) || v.old[v.at] != id {
		return false
	}
	v.at++
	v.shown = append(v.shown, id)
	return true
}

func (v *View) enter(id sim.EntityID) {
	v.entered = append(v.entered, id)
	v.shown = append(v.shown, id)
}

func (v *View) end() { v.left = append(v.left, v.old[v.at:]...) }
