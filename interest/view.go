package interest

import (
	"slices"

	"github.com/truestep-io/truestep/sim"
)

// View is what one viewer has been told of who is there. The zero value has been told of nobody.
type View struct {
	// Self is the viewer's own actor, who neither enters nor leaves his own view.
	Self sim.EntityID

	shown   []sim.EntityID // sorted, without Self
	old     []sim.EntityID // shown before the comparison that runs; else working memory
	at      int            // old[:at] is dealt with
	entered []sim.EntityID
	left    []sim.EntityID

	// shown is everybody in that crowd as it was at version, if whole is set.
	whole   *FrameIndex
	version uint64

	// Working memory of Update.
	update Update
	near   []int32
	edge   []int32  // in view, but beyond EnterRadius and not bound
	marks  []uint64 // one bit for each actor of the frame; clear between calls
}

// Reset forgets everything that the viewer was told: his client has dropped it, as it does when it changes areas.
func (v *View) Reset() {
	v.shown = v.shown[:0]
	v.whole = nil
}

// Shown are the ids in view, sorted, without Self. They are good until the next call on v.
func (v *View) Shown() []sim.EntityID { return v.shown }

// Shows tells whether that actor is in view.
func (v *View) Contains(id sim.EntityID) bool {
	_, found := slices.BinarySearch(v.shown, id)
	return found
}

// Diff brings the view up to everybody in f and returns who came into it and who left it since the last call, sorted.
// The slices are good until the next call on v. It looks at every actor; Sync is faster where a Crowd is at hand.
func (v *View) Diff(f *sim.Frame) (entered, left []sim.EntityID) {
	v.begin()
	for i := range f.Actors {
		v.addID(f.Actors[i].ID)
	}
	v.end()
	return v.entered, v.left
}

// Sync is Diff with the frame of c, and costs nothing while nobody comes or goes.
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

// begin, stay, enter and end compare what was shown with ids that must come in ascending order.
func (v *View) begin() {
	v.shown, v.old, v.at = v.old[:0], v.shown, 0
	v.entered, v.left = v.entered[:0], v.left[:0]
	v.whole = nil
}

// see lets id stay in view or enter it.
func (v *View) addID(id sim.EntityID) {
	if id != v.Self && !v.keep(id) {
		v.enter(id)
	}
}

// stay keeps id in view if it was there, and tells whether it was. Everybody before it who was not kept has left.
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
