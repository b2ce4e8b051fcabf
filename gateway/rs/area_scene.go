package rs

import (
	"cmp"
	"slices"

	"github.com/truestep-io/truestep/area"
	"github.com/truestep-io/truestep/content/appearance"
	"github.com/truestep-io/truestep/interest"
	"github.com/truestep-io/truestep/sim"
)

// deadCycles is the number of cycles for which clients display a dead NPC: 2.4 s, long enough for its death animation.
const deadCycles = 4

// areaScene is one worker's copy of an area. From this copy the worker updates its players in that area.
type areaScene struct {
	w            *worker
	id           sim.AreaID
	def          *sim.AreaDef
	members      []*player             // players of this worker in the area, sorted by entity id
	awaitedCount int                   // number of players that are expected in the area but have not been in a frame of it yet
	frame        *sim.Frame            // frame from which the next cycle is sent; nil until the frame arrives
	borrowed     area.Published        // reference to frame, which must be released
	models       *appearance.RuneScape // how clients draw the world in this cycle
	pending      pendingEvents         // extended info that the next cycle sends

	// Lists of the displayed actors: the actors of the frame, in the frame's order, followed by dead actors. The index of
	// an actor in positions and rows is called its spot.
	positions    []interest.TilePosition
	rows         []int32 // row in the actor table, by spot
	previousRows []int32 // content of the field rows in the previous cycle
	spotOf       []int32 // spot of the actor, by row in the actor table; -1 if the actor is not in this area
	tileIndex    interest.TileIndex
	ridden       []sim.EntityID // actors of the frame that others ride, sorted
	attackers    []attacker     // actors with a target, sorted by target
	partyMembers []partyMember  // actors in a party, sorted by party
}

// attacker is an actor that attacks a target. The field spot is the index of the attacker in areaScene.positions.
type attacker struct {
	target sim.EntityID
	spot   int32
}

// partyMember is an actor that is a member of a party. The field spot is the index of the actor in areaScene.positions.
type partyMember struct {
	party sim.PartyID
	spot  int32
}

func newAreaScene(w *worker, id sim.AreaID) *areaScene {
	as := &areaScene{w: w, id: id, def: &w.g.world.Def().Areas[id], pending: newPendingEvents()}
	as.spotOf = make([]int32, w.actors.scene.RowCount())
	for i := range as.spotOf {
		as.spotOf[i] = -1
	}
	return as
}

// keepFrame stores the frame from which the next cycle will be sent. The frame is borrowed from the area until releaseFrame is
// called.
func (as *areaScene) keepFrame(p area.Published) {
	as.releaseFrame()
	as.borrowed, as.frame = p, p.Frame
}

// releaseFrame gives the stored frame, if there is one, back to the area, which can then reuse its memory.
func (as *areaScene) releaseFrame() {
	as.frame = nil
	if as.borrowed.Frame != nil {
		as.borrowed.Release()
		as.borrowed = area.Published{}
	}
}

// close removes the rows of this area's actors from the actor table. It is called when no player of the worker is in the area
// any more.
func (as *areaScene) close() {
	for _, row := range as.rows {
		switch state := &as.w.actors.rowStates[row]; {
		case state.scene != as:
		case state.owner != nil: // the player changes areas and keeps its row
			state.scene = nil
		default:
			as.w.actors.removeActor(row)
		}
	}
}

// syncActors updates the rows of the area's actors in the actor table to the stored frame. It does nothing if no frame is
// stored.
func (as *areaScene) syncActors() {
	if as.frame == nil {
		return
	}
	f, table := as.frame, as.w.actors
	as.models = as.w.g.opt.LiveAppearance()
	cycle := table.scene.Cycle()
	for _, row := range as.rows {
		as.spotOf[row] = -1
	}
	as.rows, as.previousRows, as.positions = as.previousRows[:0], as.rows, as.positions[:0]
	as.attackers, as.partyMembers = as.attackers[:0], as.partyMembers[:0]
	as.collectRidden(f)
	for i := range f.Actors {
		as.placeActor(&f.Actors[i], cycle)
	}
	for _, row := range as.previousRows {
		as.retireRow(row, cycle)
	}
	as.syncTargets(f)
	as.pending.applyTo(as)
	as.admitArrivals(f)
}

// placeActor updates an actor's row in the actor table and appends the actor to the lists of displayed actors. It does nothing
// for an actor that clients do not display, and for a player of this worker that is known to be in another area.
func (as *areaScene) placeActor(a *sim.ActorState, cycle uint32) {
	if as.w.g.hidden[a.Body.Template] || as.isRidden(a.ID) {
		return
	}
	if row := as.w.actors.rowOf(a.ID); row >= 0 {
		if p := as.w.actors.rowStates[row].owner; p != nil && !p.isIn(as.id) {
			return
		}
	}
	if row := as.showActor(a, cycle); row >= 0 {
		as.recordRelations(a)
		as.addSpot(row)
	}
}

// addSpot appends an actor to the lists of displayed actors. The parameter row is the actor's row in the actor table.
func (as *areaScene) addSpot(row int32) {
	t := as.w.actors.rowStates[row].tile
	as.spotOf[row] = int32(len(as.positions))
	as.positions = append(as.positions, interest.TilePosition{X: t.X, Z: t.Z, Plane: t.Plane})
	as.rows = append(as.rows, row)
}

// showActor updates the row of an actor in the actor table and returns the row. A new actor gets a row first. It returns -1 if
// the actor cannot be displayed.
func (as *areaScene) showActor(a *sim.ActorState, cycle uint32) int32 {
	table := as.w.actors
	row := table.rowOf(a.ID)
	at, ok := as.shownTile(row, a)
	if !ok {
		return -1
	}
	if row < 0 {
		if row = table.addActor(a.ID, at); row < 0 {
			as.w.g.door.Bad.With("crowd_full").Inc()
			return -1
		}
	}
	state := &table.rowStates[row]
	changedScene := state.scene != as
	state.scene, state.seenCycle = as, cycle
	info := &table.info
	info.Reset()
	as.moveActor(state, row, a, at, changedScene, info)
	if state.body == nil || state.body.Version != a.Body.Version || state.models != as.models {
		as.updateAppearance(state, a, info)
	}
	if info.Has != 0 {
		table.scene.SetInfo(int(row), info)
	}
	return row
}

// retireRow handles the row of an actor that is no longer in the frame. It frees the row, except in two cases: the row of an NPC
// that has died is kept for deadCycles, in which clients display the dead NPC, and that of a player of this worker is kept for
// the area that the player enters.
func (as *areaScene) retireRow(row int32, cycle uint32) {
	table := as.w.actors
	state := &table.rowStates[row]
	switch {
	case state.id == 0 || state.scene != as || state.seenCycle == cycle:
	case state.owner != nil: // the player changes areas and keeps its row
		state.scene = nil
	case as.pending.hasDied(state.id):
		state.deadUntil = cycle + deadCycles
		as.addSpot(row)
	case state.deadUntil > cycle:
		as.addSpot(row)
	default:
		table.removeActor(row)
	}
}

// syncTargets makes each actor face its target on clients.
func (as *areaScene) syncTargets(f *sim.Frame) {
	table := as.w.actors
	for i := range f.Actors {
		a := &f.Actors[i]
		row := table.rowOf(a.ID)
		if row < 0 {
			continue
		}
		target := int32(-1)
		if a.Target != 0 {
			target = table.rowOf(a.Target)
		}
		if state := &table.rowStates[row]; state.sentTarget != target {
			state.sentTarget = target
			table.scene.SetFacing(int(row), int(target))
		}
	}
}

// recordRelations records the target and the party of an actor for the indexes that buildIndexes builds. It must be called
// before the actor is appended to areaScene.positions, because the actor's spot is the length of this list before that.
func (as *areaScene) recordRelations(a *sim.ActorState) {
	spot := int32(len(as.positions))
	if a.Target != 0 {
		as.attackers = append(as.attackers, attacker{a.Target, spot})
	}
	if a.Party != 0 {
		as.partyMembers = append(as.partyMembers, partyMember{a.Party, spot})
	}
}

// buildIndexes builds the indexes for three queries of the cycle: the actors near a tile, the attackers of a target, the
// members of a party.
func (as *areaScene) buildIndexes() {
	as.tileIndex.Build(as.positions)
	slices.SortFunc(as.attackers, func(a, b attacker) int { return cmp.Or(cmp.Compare(a.target, b.target), cmp.Compare(a.spot, b.spot)) })
	slices.SortFunc(as.partyMembers, func(a, b partyMember) int {
		return cmp.Or(cmp.Compare(a.party, b.party), cmp.Compare(a.spot, b.spot))
	})
}

// appendRelated appends to dst the spots (indices in areaScene.positions) of the target, the attackers and the party
// members of the player "a". The player's client is sent these actors even if the packet has no room for others.
func (as *areaScene) appendRelated(dst []int32, a *sim.ActorState) []int32 {
	if row := as.w.actors.rowOf(a.Target); row >= 0 && as.spotOf[row] >= 0 {
		dst = append(dst, as.spotOf[row])
	}
	i, _ := slices.BinarySearchFunc(as.attackers, a.ID, func(b attacker, id sim.EntityID) int { return cmp.Compare(b.target, id) })
	for ; i < len(as.attackers) && as.attackers[i].target == a.ID; i++ {
		dst = append(dst, as.attackers[i].spot)
	}
	if a.Party == 0 {
		return dst
	}
	i, _ = slices.BinarySearchFunc(as.partyMembers, a.Party, func(m partyMember, p sim.PartyID) int { return cmp.Compare(m.party, p) })
	for ; i < len(as.partyMembers) && as.partyMembers[i].party == a.Party; i++ {
		dst = append(dst, as.partyMembers[i].spot)
	}
	return dst
}

// searchMissing removes from the scene those players whose actor is not in the frame f, and has them searched for in the frames of all
// areas. This happens if the worker has missed the frame in which the actor left the area.
func (as *areaScene) searchMissing(f *sim.Frame) {
	for _, p := range slices.Clone(as.members) {
		if f.Find(p.session.Entity) == nil {
			p.leaveScene()
			p.expectIn(as.id)
			p.searched = true
			as.w.searched++
		}
	}
}

// admitArrivals adds to the scene those players whose arrival in the area is expected and whose actor is in the frame f.
func (as *areaScene) admitArrivals(f *sim.Frame) {
	if as.awaitedCount == 0 {
		return
	}
	for p := range as.w.players { // the order does not matter, because players have separate rows
		if p.arrivingIn == as.id && p.session.MayShow(f) && f.Find(p.session.Entity) != nil {
			p.enterScene(as)
		}
	}
	slices.SortFunc(as.members, func(a, b *player) int { return cmp.Compare(a.session.Entity, b.session.Entity) })
}
