package rs

import (
	"cmp"
	"slices"

	"github.com/truestep-io/truestep/area"
	"github.com/truestep-io/truestep/interest"
	"github.com/truestep-io/truestep/sim"
)

// fallenCycles is how long the dead lie: 2.4 s, enough for the animation.
const fallenCycles = 4

// place is an area as a worker's players see it.
type place struct {
	w       *worker
	id      sim.AreaID
	def     *sim.AreaDef
	members []*player
	awaited int            // players who have not been seen in a frame yet
	frame   *sim.Frame     // of the cycle that is to be told, nil if it has not come
	lent    area.Published // what frame is borrowed from
	news    news

	// Everybody who is shown here, in order of the frame and then the fallen.
	spots []interest.TilePosition
	rows  []int32 // by spot
	old   []int32 // those of the cycle before
	spot  []int32 // by row, -1: not here
	tiles interest.TileIndex
	rides []ride // sorted by mount
	foes  []bond // sorted
	party []mate // sorted
}

// bond is that who is fought by the actor at a spot.
type bond struct {
	who sim.EntityID
	by  int32
}

// mate is that the actor at a spot is in a party.
type mate struct {
	party sim.PartyID
	spot  int32
}

func newPlace(w *worker, id sim.AreaID) *place {
	pl := &place{w: w, id: id, def: &w.g.world.Def().Areas[id], news: newNews()}
	pl.spot = make([]int32, w.crowd.scene.RowCount())
	for i := range pl.spot {
		pl.spot[i] = -1
	}
	return pl
}

// keep holds a frame until the cycle.
func (pl *place) keep(p area.Published) {
	pl.drop()
	pl.lent, pl.frame = p, p.Frame
}

// drop gives the kept frame back.
func (pl *place) drop() {
	pl.frame = nil
	if pl.lent.Frame != nil {
		pl.lent.Release()
		pl.lent = area.Published{}
	}
}

// close forgets everybody here.
func (pl *place) close() {
	for _, row := range pl.rows {
		switch fig := &pl.w.crowd.figures[row]; {
		case fig.place != pl:
		case fig.owner != nil: // his client keeps the row on the way
			fig.place = nil
		default:
			pl.w.crowd.remove(row)
		}
	}
}

// sync brings the scene up to the kept frame. Without one, everybody stays where he was.
func (pl *place) sync() {
	if pl.frame == nil {
		return
	}
	f, c := pl.frame, pl.w.crowd
	cycle := c.scene.Cycle()
	for _, row := range pl.rows {
		pl.spot[row] = -1
	}
	pl.rows, pl.old, pl.spots = pl.old[:0], pl.rows, pl.spots[:0]
	pl.foes, pl.party = pl.foes[:0], pl.party[:0]
	pl.saddle(f)
	for i := range f.Actors {
		if a := &f.Actors[i]; !pl.ridden(a.ID) {
			pl.present(a, cycle)
		}
	}
	for i := range pl.rides { // behind their riders, who have been shown
		if a := f.Find(pl.rides[i].mount); a != nil {
			pl.present(a, cycle)
		}
	}
	for _, row := range pl.old {
		pl.bury(row, cycle)
	}
	pl.face(f)
	pl.news.tell(pl)
	pl.welcome(f)
}

// present shows an actor and lets it stand at the next spot.
func (pl *place) present(a *sim.ActorState, cycle uint32) {
	if row := pl.show(a, cycle); row >= 0 {
		pl.bind(a)
		pl.put(row)
	}
}

// put lets a row stand at the next spot.
func (pl *place) put(row int32) {
	t := pl.w.crowd.figures[row].tile
	pl.spot[row] = int32(len(pl.spots))
	pl.spots = append(pl.spots, interest.TilePosition{X: t.X, Z: t.Z, Plane: t.Plane})
	pl.rows = append(pl.rows, row)
}

// show moves an actor to where it is, after giving it a row if it is new. -1: it cannot be shown.
func (pl *place) show(a *sim.ActorState, cycle uint32) int32 {
	c := pl.w.crowd
	row := c.row(a.ID)
	at, ok := pl.tileOf(row, a)
	if !ok {
		return -1
	}
	if row < 0 {
		if row = c.add(a.ID, at); row < 0 {
			pl.w.g.door.Bad.With("crowd_full").Inc()
			return -1
		}
	}
	fig := &c.figures[row]
	travelled := fig.place != pl
	fig.place, fig.seen = pl, cycle
	info := &c.info
	info.Reset()
	pl.step(fig, row, a, at, travelled, info)
	if fig.body == nil || fig.body.Version != a.Body.Version {
		pl.dress(fig, a, info)
	}
	if info.Has != 0 {
		c.scene.SetInfo(int(row), info)
	}
	return row
}

// bury keeps the fallen for a while and takes those out who are not here any more.
func (pl *place) bury(row int32, cycle uint32) {
	c := pl.w.crowd
	fig := &c.figures[row]
	switch {
	case fig.id == 0 || fig.place != pl || fig.seen == cycle:
	case fig.owner != nil: // his client keeps the row on the way
		fig.place = nil
	case pl.news.died(fig.id):
		fig.fallen = cycle + fallenCycles
		pl.put(row)
	case fig.fallen > cycle:
		pl.put(row)
	default:
		c.remove(row)
	}
}

// face lets everybody look at whom he fights.
func (pl *place) face(f *sim.Frame) {
	c := pl.w.crowd
	for i := range f.Actors {
		a := &f.Actors[i]
		row := c.row(a.ID)
		if row < 0 {
			continue
		}
		aim := int32(-1)
		if a.Target != 0 {
			aim = c.row(a.Target)
		}
		if fig := &c.figures[row]; fig.aim != aim {
			fig.aim = aim
			c.scene.SetFacing(int(row), int(aim))
		}
	}
}

// bind notes who is bound to the actor at the next spot.
func (pl *place) bind(a *sim.ActorState) {
	k := int32(len(pl.spots))
	if a.Target != 0 {
		pl.foes = append(pl.foes, bond{a.Target, k})
	}
	if a.Party != 0 {
		pl.party = append(pl.party, mate{a.Party, k})
	}
}

// index makes the place ready for questions: who stands near a tile, and who is bound to whom.
func (pl *place) index() {
	pl.tiles.Build(pl.spots)
	slices.SortFunc(pl.foes, func(a, b bond) int { return cmp.Or(cmp.Compare(a.who, b.who), cmp.Compare(a.by, b.by)) })
	slices.SortFunc(pl.party, func(a, b mate) int {
		return cmp.Or(cmp.Compare(a.party, b.party), cmp.Compare(a.spot, b.spot))
	})
}

// bound appends the spots of those whom no crowd hides from an actor: whom he fights, who fights him, and his party.
func (pl *place) bound(dst []int32, a *sim.ActorState) []int32 {
	if row := pl.w.crowd.row(a.Target); row >= 0 && pl.spot[row] >= 0 {
		dst = append(dst, pl.spot[row])
	}
	i, _ := slices.BinarySearchFunc(pl.foes, a.ID, func(b bond, id sim.EntityID) int { return cmp.Compare(b.who, id) })
	for ; i < len(pl.foes) && pl.foes[i].who == a.ID; i++ {
		dst = append(dst, pl.foes[i].by)
	}
	if a.Party == 0 {
		return dst
	}
	i, _ = slices.BinarySearchFunc(pl.party, a.Party, func(m mate, p sim.PartyID) int { return cmp.Compare(m.party, p) })
	for ; i < len(pl.party) && pl.party[i].party == a.Party; i++ {
		dst = append(dst, pl.party[i].spot)
	}
	return dst
}

// search ends the visits of those who are not where they should be: the frame that said where they went was missed.
func (pl *place) search(f *sim.Frame) {
	for _, p := range slices.Clone(pl.members) {
		if f.Find(p.session.Entity) == nil {
			pl.w.g.door.Bad.With("astray").Inc()
			p.logOut()
		}
	}
}

// welcome takes in those who were awaited and are in the frame now.
func (pl *place) welcome(f *sim.Frame) {
	if pl.awaited == 0 {
		return
	}
	for p := range pl.w.players { // each stands in a row of his own, so the order does not matter
		if p.arriving == pl.id && f.Find(p.session.Entity) != nil {
			p.arrive(pl)
		}
	}
	slices.SortFunc(pl.members, func(a, b *player) int { return cmp.Compare(a.session.Entity, b.session.Entity) })
}
