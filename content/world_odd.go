package content

import (
	"github.com/truestep-io/truestep/sim"
	"github.com/truestep-io/truestep/sim/geom"
)

// warnOdd warns about content of areas that is allowed but probably a mistake. The parameter list has the TOML table of
// each area.
func (b *builder) warnOdd(list []*table) {
	if len(list) != len(b.w.Areas) {
		return
	}
	entered := make([]bool, len(list))
	for i := range b.w.Templates {
		if a := b.w.Templates[i].StartArea; a != sim.NoArea {
			entered[a] = true
		}
	}
	for i, t := range list {
		for j := range b.w.Areas[i].Portals {
			p := &b.w.Areas[i].Portals[j]
			if p.ToArea == sim.NoArea {
				continue
			}
			entered[p.ToArea] = entered[p.ToArea] || int(p.ToArea) != i
			b.warnPortalLoop(t, p, sim.AreaID(i))
		}
	}
	for i, t := range list {
		b.warnArea(t, &b.w.Areas[i], entered[i] || len(list) == 1, len(list) > 1)
		warnPlacesInSolids(t, &b.w.Areas[i])
	}
}

// warnPortalLoop warns about a portal whose destination is inside another portal that leads back. A player that stands
// still there would travel back and forth.
func (b *builder) warnPortalLoop(t *table, p *sim.Portal, from sim.AreaID) {
	to := &b.w.Areas[p.ToArea]
	at := to.Portals[p.ToPortal].Pos
	for i := range to.Portals {
		q := &to.Portals[i]
		if q.ToArea == from && geom.Dist2(at, q.Pos) < float32(q.Radius*q.Radius) {
			t.warn("PORTAL-BOUNCE", "portal %s leads into portal %s of area %s, which leads back: a player who arrives there and stands still is sent back and forth",
				p.Name, q.Name, to.Name)
		}
	}
}

func (b *builder) warnArea(t *table, a *sim.AreaDef, entered, exitNeeded bool) {
	exit := false
	for _, p := range a.Portals {
		exit = exit || p.ToArea != sim.NoArea
	}
	if exitNeeded && !exit {
		t.warn("AREA-NO-EXIT", "no portal of the area leads to another area")
	}
	if !entered {
		t.warn("AREA-NO-ENTRY", "no portal of another area leads here, and no template starts here")
	}
	npcs := int32(0)
	for _, s := range a.Spawns {
		npcs += s.Max
	}
	if npcs > b.w.Rules.MaxActors {
		t.warn("AREA-FULL", "the spawns of the area create up to %d actors, but max_actors is %d: some actors never appear", npcs, b.w.Rules.MaxActors)
	}
}
