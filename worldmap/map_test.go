package worldmap

import (
	"bytes"
	"image"
	"image/color"
	"image/png"
	"math"
	"testing"

	"github.com/truestep-io/truestep/content"
	"github.com/truestep-io/truestep/content/appearance"
	"github.com/truestep-io/truestep/sim"
	"github.com/truestep-io/truestep/sim/geom"
	"github.com/truestep-io/truestep/sim/terrain"
)

// island returns a world whose area has hills, a sea, a pool of lava, a wall and a rectangular water, in blocks of 2
// units.
func island(t *testing.T) *sim.World {
	t.Helper()
	const n = 128
	spec := terrain.BlocksSpec{
		Grid: terrain.BlockGrid{UnitsPerBlock: 2, Origin: [3]int32{0, 64, 0}}, Level: 60, Surface: terrain.GrassBlock, Filler: terrain.Dirt,
		Ground: terrain.HeightGround, Liquid: terrain.Water, LiquidLevel: 64,
		Heightmap: terrain.Heightmap{X: -n / 2, Z: -n / 2, Width: n, Depth: n},
		Fills:     []terrain.BlockFill{{Min: [3]int32{10, 60, 10}, Max: [3]int32{20, 90, 20}, Block: terrain.Lava}},
	}
	for z := range n {
		for x := range n {
			d := math.Hypot(float64(x-n/2), float64(z-n/2))
			spec.Heightmap.Tops = append(spec.Heightmap.Tops, int16(math.Max(58, 90-d*0.6)))
		}
	}
	blocks, err := terrain.NewBlocks(spec)
	if err != nil {
		t.Fatal(err)
	}
	return &sim.World{ContentHash: 5, Areas: []sim.AreaDef{{
		Name: "Island", BlockGrid: spec.Grid, Blocks: blocks, Floor: terrain.FloorFromSpec(&spec), Tiles: terrain.TileGrid{UnitsPerTile: 7},
		Solids: []terrain.Solid{{Min: geom.Vec{X: -40, Y: 0, Z: 10}, Max: geom.Vec{X: -24, Y: 80, Z: 14}}},
		Waters: []sim.Water{{X: -30, Z: -40, Width: 24, Depth: 20, Y: 1}},
	}}}
}

// at returns the colour of a map at a world position, drawn at its finest level.
func at(m *Map, theme Theme, x, z float32) colour {
	img := m.draw(theme, float64(x)-4, float64(z)+4, 0.5, 16, 16)
	c := img.RGBAAt(8, 8)
	return colour{float32(c.R), float32(c.G), float32(c.B)}
}

func distance(a, b colour) float64 {
	return math.Sqrt(float64((a[0]-b[0])*(a[0]-b[0]) + (a[1]-b[1])*(a[1]-b[1]) + (a[2]-b[2])*(a[2]-b[2])))
}

func TestMapShowsWaterLavaAndWallsAtCorrectPositions(t *testing.T) {
	t.Parallel()
	m := New(island(t), 0, appearance.MapStyle{})
	for theme := range ThemeWords {
		p := &palettes[theme]
		for _, c := range []struct {
			name string
			x, z float32
			near []colour // expected colours: the drawn colour must be nearest to one of these
		}{
			{"sea", 118, 0, []colour{p.deep, p.shallow, p.shore}},
			{"a water of the area", -18, -30, []colour{p.deep, p.shallow, p.shore}},
			{"lava", 31, -31, []colour{p.lava, p.lavaDeep}},
			{"wall", -32, 12, []colour{p.wall}},
			{"grass", 30, 20, []colour{p.style[0].low, p.style[0].high, p.style[0].speck, p.rock.high, p.rock.low}},
			{"far outside", 2000, 0, []colour{p.outside}},
		} {
			got := at(m, Theme(theme), c.x, c.z)
			best, whose := math.Inf(1), colour{}
			for _, other := range []colour{p.deep, p.shallow, p.shore, p.lava, p.lavaDeep, p.wall, p.outside, p.style[0].low, p.style[0].high, p.style[0].speck, p.rock.high, p.rock.low} {
				if d := distance(got, other); d < best {
					best, whose = d, other
				}
			}
			found := false
			for _, want := range c.near {
				found = found || want == whose
			}
			if !found {
				t.Errorf("%s, %s: colour %v is nearest to %v, want one of %v", ThemeWords[theme], c.name, got, whose, c.near)
			}
		}
	}
}

func TestSlopesThatFaceTheLightAreDrawnLighter(t *testing.T) {
	t.Parallel()
	m := New(island(t), 0, appearance.MapStyle{Style: appearance.GrassStyle})
	var facing, away float32
	for i := range 12 { // several places, because the ground varies
		x := 30 + 2*float32(i)
		a, b := at(m, Light, -x, x), at(m, Light, x+14, -x-14)
		facing, away = facing+a[0]+a[1]+a[2], away+b[0]+b[1]+b[2]
	}
	if facing < away*1.05 {
		t.Errorf("slopes to the north-west have brightness %.0f, those to the south-east %.0f", facing, away)
	}
}

func TestRedrawnMapTileIsIdenticalAndMatchesItsNeighbours(t *testing.T) {
	t.Parallel()
	w := island(t)
	m, again := New(w, 0, appearance.MapStyle{}), New(w, 0, appearance.MapStyle{})
	level := m.Levels() - 1
	x := 1 << level / 2
	a, b := m.Tile(Dark, level, x, x), again.Tile(Dark, level, x, x)
	if !bytes.Equal(a.Pix, b.Pix) {
		t.Error("two drawings of one tile differ")
	}
	// A picture of a rectangle that lies in two tiles consists of the pixels of these tiles.
	edge := m.unitsPerPixel(level) * TileSize
	both := m.draw(Dark, m.x+float64(x-1)*edge, m.z+float64(x+1)*edge, m.unitsPerPixel(level), 2*TileSize, TileSize)
	worst := 0
	for py := range TileSize {
		for px := range TileSize {
			p, q := both.RGBAAt(TileSize+px, py), a.RGBAAt(px, py)
			worst = max(worst, diff(p.R, q.R), diff(p.G, q.G), diff(p.B, q.B))
		}
	}
	if worst > 24 { // both drawings have the same level of detail, so they differ only by rounding
		t.Errorf("a pixel of a tile differs by %d from the same place in a larger picture", worst)
	}
}

func diff(a, b uint8) int { return max(int(a)-int(b), int(b)-int(a)) }

func TestContentTagDiffersBetweenMapsThatLookDifferent(t *testing.T) {
	t.Parallel()
	w := island(t)
	tags := map[string]string{}
	add := func(name string, m *Map) {
		if other, known := tags[m.Tag()]; known {
			t.Errorf("%s has the tag of %s", name, other)
		}
		tags[m.Tag()] = name
	}
	add("plain", New(w, 0, appearance.MapStyle{}))
	add("style", New(w, 0, appearance.MapStyle{Style: appearance.SandStyle}))
	add("picture", New(w, 0, appearance.MapStyle{Picture: &appearance.MapPicture{File: "x", Width: 1, Height: 1}}))
	add("other picture", New(w, 0, appearance.MapStyle{Picture: &appearance.MapPicture{File: "y", Width: 1, Height: 1}}))
	changed := *w
	changed.ContentHash++
	add("content", New(&changed, 0, appearance.MapStyle{}))
	if a, b := New(w, 0, appearance.MapStyle{}), New(w, 0, appearance.MapStyle{}); a.Tag() != b.Tag() {
		t.Error("equal maps have different tags")
	}
}

func TestPictureSuppliedByOperatorIsDrawnInConfiguredRectangle(t *testing.T) {
	t.Parallel()
	img := image.NewNRGBA(image.Rect(0, 0, 64, 64))
	for y := range 64 {
		for x := range 64 {
			c := color.NRGBA{R: 200, A: 255} // the north is red, the south blue, the east transparent
			if y >= 32 {
				c = color.NRGBA{B: 200, A: 255}
			}
			if x >= 32 {
				c.A = 0
			}
			img.SetNRGBA(x, y, c)
		}
	}
	var file bytes.Buffer
	if err := png.Encode(&file, img); err != nil {
		t.Fatal(err)
	}
	look := appearance.MapStyle{Picture: &appearance.MapPicture{File: file.String(), X: 0, Z: 0, Width: 40, Height: 40}}
	w := &sim.World{Areas: []sim.AreaDef{{Name: "a"}}}
	m := New(w, 0, look)
	if b := m.Bounds(); b.MaxX < 40 || b.MaxZ < 40 {
		t.Errorf("bounds %+v leave out the picture", b)
	}
	if c := at(m, Light, 5, 35); distance(c, colour{200, 0, 0}) > 8 {
		t.Errorf("north: %v", c)
	}
	if c := at(m, Light, 5, 5); distance(c, colour{0, 0, 200}) > 8 {
		t.Errorf("south: %v", c)
	}
	if c := at(m, Light, 35, 35); c[1] < c[2] || c[1] < 150 {
		t.Errorf("a transparent part shows %v, not the grass below it", c)
	}
}

func TestMapOfHugeOrInvalidAreaIsDrawnWithinLimits(t *testing.T) {
	t.Parallel()
	far := geom.Vec{X: 99_999, Z: -99_999}
	odd := sim.AreaDef{
		Name: "odd", BlockGrid: terrain.BlockGrid{UnitsPerBlock: 0.01},
		Portals: []sim.Portal{{Pos: far, Radius: 1000}, {Pos: geom.Vec{X: -99_999, Z: 99_999}}},
		Waters:  []sim.Water{{X: -5, Z: -5, Width: -3, Depth: 0}, {X: -99_999, Z: -99_999, Width: 200_000, Depth: 200_000}},
	}
	for i := range 3000 {
		odd.Solids = append(odd.Solids, terrain.Solid{Min: geom.Vec{X: -99_999, Z: -99_999}, Max: geom.Vec{X: 99_999, Y: float32(i), Z: 99_999}})
	}
	m := New(&sim.World{Areas: []sim.AreaDef{odd}}, 0, appearance.MapStyle{Style: appearance.ForestStyle})
	if m.Levels() != MaxLevel+1 {
		t.Errorf("%d levels", m.Levels())
	}
	for _, level := range []int{0, MaxLevel} {
		if img := m.Tile(Light, level, 0, 0); img.Rect.Dx() != TileSize {
			t.Errorf("a tile of %v pixels", img.Rect)
		}
	}
	if m.HasTile(MaxLevel+1, 0, 0) || m.HasTile(1, 2, 0) || m.HasTile(1, 0, -1) || !m.HasTile(1, 1, 1) {
		t.Error("tiles outside of the square exist, or one inside does not")
	}
}

func TestTrailsAreDrawnOnlyForNPCsThatPatrolOnFoot(t *testing.T) {
	t.Parallel()
	w := content.DefaultWorld()
	lists := map[string]int{}
	for i := range w.Areas {
		lists[w.Areas[i].Name] = len(findTrails(w.World, &w.Areas[i]))
	}
	// Three patrols of the vale walk: one over 4 points and back, one over 7 points, one over 4 points. A fourth one, of swallows, flies.
	if got := lists["Truestep Vale"]; got < 3+7+4 || got > 6+7+4 {
		t.Errorf("the vale has %d trails", got)
	}
	if got := lists["Mirror Lake"]; got != 0 {
		t.Errorf("the lake, where only herons patrol, has %d trails", got)
	}
}

func TestPreviewShowsEveryAreaWithItsName(t *testing.T) {
	t.Parallel()
	w := content.DefaultWorld()
	all := Preview(w.World, &w.Appearance, []sim.AreaID{3, 4}, Dark)
	if all.Rect.Dx() != 2*(previewCell+previewGap)+previewGap {
		t.Errorf("two areas in a picture of %v", all.Rect)
	}
	title, text := all.SubImage(image.Rect(previewGap, previewGap, 300, previewGap+previewTitle)).(*image.RGBA), palettes[Dark].text.rgba()
	found := false
	for y := title.Rect.Min.Y; y < title.Rect.Max.Y; y++ {
		for x := title.Rect.Min.X; x < title.Rect.Max.X; x++ {
			found = found || title.RGBAAt(x, y) == text
		}
	}
	if !found {
		t.Error("no title is written above an area")
	}
	one := Preview(w.World, &w.Appearance, []sim.AreaID{4}, Light)
	if max(one.Rect.Dx(), one.Rect.Dy()) != previewLong {
		t.Errorf("one area in a picture of %v", one.Rect)
	}
}

func BenchmarkTile(b *testing.B) {
	w := content.DefaultWorld()
	for _, area := range []sim.AreaID{0, 2, 3} {
		m := New(w.World, area, w.Appearance.MapOf(int(area)))
		b.Run(w.Areas[area].Name, func(b *testing.B) {
			for b.Loop() {
				m.Tile(Light, 1, 0, 1)
			}
		})
	}
}
