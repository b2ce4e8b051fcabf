package terrain

import (
	"testing"

	"pgregory.net/rapid"
)

// traitKinds lists kinds of blocks so that each trait occurs, and some kinds without traits.
var traitKinds = []BlockID{Air, Stone, Water, Water3, LavaFalling, BubbleColumn, Web, Honey, Scaffolding, SmoothStoneSlabInWater, WaterFalling}

func TestTraitQueryFindsTraitOfEveryBlockInBox(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		spec := meadow()
		at := func(name string) int32 { return rapid.Int32Range(-20, 20).Draw(t, name) }
		for range rapid.IntRange(0, 6).Draw(t, "fills") {
			x, y, z := at("x"), 64+at("y"), at("z")
			size := rapid.Int32Range(0, 20).Draw(t, "size")
			spec.Fills = append(spec.Fills, BlockFill{[3]int32{x, y, z}, [3]int32{x + size, y + size/2, z + size}, rapid.SampledFrom(traitKinds).Draw(t, "block")})
		}
		built, err := NewBlocks(spec)
		if err != nil {
			t.Fatal(err)
		}
		sent := BlocksFromColumns(-3, -3, 6, 6, func(cx, cz int32) *Column {
			var c Column
			for i := range c {
				c[i].Kind, c[i].Cells = built.Section(cx, MinSection+int32(i), cz)
				if c[i].Cells != nil {
					for _, id := range c[i].Cells {
						c[i].Traits |= id.Traits()
					}
				}
			}
			return &c
		})
		x0, y0, z0 := at("x0"), 64+at("y0"), at("z0")
		x1, y1, z1 := x0+rapid.Int32Range(0, 3).Draw(t, "dx"), y0+rapid.Int32Range(0, 3).Draw(t, "dy"), z0+rapid.Int32Range(0, 3).Draw(t, "dz")
		var there Traits
		for x := x0; x <= x1; x++ {
			for y := y0; y <= y1; y++ {
				for z := z0; z <= z1; z++ {
					there |= built.At(x, y, z).Traits()
				}
			}
		}
		for _, b := range []*Blocks{built, sent} {
			for trait := TouchTrait; trait <= PlatformTrait; trait <<= 1 {
				if there&trait != 0 && !b.MayHave(trait, x0, y0, z0, x1, y1, z1) {
					t.Fatalf("trait %d of %d, %d, %d to %d, %d, %d is not found", trait, x0, y0, z0, x1, y1, z1)
				}
			}
		}
	})
}

func TestTraitQuerySkipsSectionsWithoutTrait(t *testing.T) {
	spec := meadow()
	spec.Fills = []BlockFill{
		{[3]int32{0, 63, 0}, [3]int32{0, 63, 0}, Water}, {[3]int32{2, 63, 0}, [3]int32{2, 63, 0}, SmoothStoneSlab},
		{[3]int32{33, 63, 0}, [3]int32{33, 63, 0}, Water1}, {[3]int32{0, 90, 0}, [3]int32{0, 90, 0}, Scaffolding},
	}
	b := blocksOf(t, spec)
	for _, c := range []struct {
		x, y  int32
		trait Traits
		want  bool
	}{
		{4, 62, TouchTrait, true}, {4, 62, FlowTrait, false}, {4, 62, PlatformTrait, false}, {4, 62, BubblesTrait, false},
		{33, 62, FlowTrait, true}, {20, 62, TouchTrait, false}, {4, 64, TouchTrait, false}, {4, 90, PlatformTrait, true}, {4, 400, TouchTrait, false},
	} {
		if got := b.MayHave(c.trait, c.x, c.y, 3, c.x+1, c.y+1, 4); got != c.want {
			t.Errorf("trait %d at %d, %d: %v", c.trait, c.x, c.y, got)
		}
	}
	var none *Blocks
	if !b.HasAny(PlatformTrait) || b.HasAny(BubblesTrait) || none.HasAny(TouchTrait) || none.MayHave(TouchTrait, 0, 0, 0, 1, 99, 1) {
		t.Error("traits of all blocks are wrong")
	}
}
