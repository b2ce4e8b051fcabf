package content

import (
	"github.com/truestep-io/truestep/sim/move"
	"github.com/truestep-io/truestep/sim/terrain"
)

// Values of keys about liquids. The directions are those of blocks: z grows to the south.
var (
	liquidModeWords = []string{"simulate", "bounded"}
	flowWords       = []string{"west", "east", "north", "south"}
)

// readLiquidRules reads [rules.prediction.liquids], the constants of movement in water and lava.
func readLiquidRules(t *table, l *move.Liquids) {
	if t == nil {
		return
	}
	readLiquid(t.subtable("water"), &l.Water)
	readLiquid(t.subtable("lava"), &l.Lava)
	t.reportUnknownKeys()
}

func readLiquid(t *table, r *move.LiquidRules) {
	if t == nil {
		return
	}
	if i, ok := t.choice("mode", liquidModeWords); ok {
		r.Mode = move.LiquidMode(i)
	}
	t.float("accelerate", &r.Accelerate, 0, 1)
	t.float("drag", &r.Drag, 0, 1)
	t.float("sprint_drag", &r.SprintDrag, 0, 1)
	t.float("gravity", &r.Gravity, 0, 1)
	t.float("rise", &r.Rise, 0, 1)
	t.float("descend", &r.Descend, 0, 1)
	t.float("current", &r.Current, 0, 1)
	t.float("climb_out", &r.ClimbOut, 0, 1)
	t.float("contact_across", &r.ContactAcross, 0, 0.25)
	t.float("contact_up", &r.ContactUp, 0, 0.75)
	t.float("surface_tolerance", &r.SurfaceTolerance, 0, 1)
	t.reportUnknownKeys()
}

// readSea reads the liquid that covers the ground of an area up to a level.
func (b *builder) readSea(t *table, spec *terrain.BlocksSpec) {
	t.blockKind("liquid", &spec.Liquid)
	spec.LiquidLevel = spec.Level
	_, said := t.get("liquid_level")
	readInteger(t, "liquid_level", &spec.LiquidLevel, terrain.MinBlockY, terrain.MaxBlockY+1)
	switch k := spec.Liquid.Kind(); {
	case spec.Liquid == terrain.Air && said:
		t.require("liquid", `"water"`)
	case spec.Liquid != terrain.Air && (k.Liquid == terrain.NoLiquid || k.Depth != 0 || k.InLiquid):
		t.fail("liquid", `liquid %q does not fill an area: use "water" or "lava"`, k.Word)
	case spec.Liquid != terrain.Air && spec.Ground == terrain.VoidGround:
		t.fail("liquid", "a liquid needs ground below it")
	}
}

// readFlow splits a fill of a flowing liquid into one fill per depth: first the source blocks, and then, block by block in the
// direction of flow, liquid that is lower each time.
func readFlow(t *table, f terrain.BlockFill) []terrain.BlockFill {
	at, ok := t.choice("flow", flowWords)
	if !ok {
		return []terrain.BlockFill{f}
	}
	depths := [...]terrain.BlockID{f.Block, 0, 0, 0, 0, 0, 0, 0}
	first := terrain.Water1
	switch f.Block {
	case terrain.Water:
	case terrain.Lava:
		first = terrain.Lava1
	default:
		t.fail("flow", `flow needs block = "water" or block = "lava"`)
		return nil
	}
	for i := range depths[1:] {
		depths[i+1] = first + terrain.BlockID(i)
	}
	axis, backward := at/2*2, at%2 == 0
	rows := f.Max[axis] - f.Min[axis] + 1
	if rows > int32(len(depths)) {
		t.fail("flow", "a liquid flows at most %d blocks far, not %d: make the box shorter", len(depths)-1, rows-1)
		return nil
	}
	fills := make([]terrain.BlockFill, rows)
	for i := range fills {
		row := f
		if backward {
			row.Min[axis] = f.Max[axis] - int32(i)
		} else {
			row.Min[axis] = f.Min[axis] + int32(i)
		}
		row.Max[axis], row.Block = row.Min[axis], depths[i]
		fills[i] = row
	}
	return fills
}
