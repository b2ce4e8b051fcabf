package worldmap

import (
	"image"
	"image/color"
	"image/draw"
	"math"
	"sync"

	"golang.org/x/image/font"
	"golang.org/x/image/font/gofont/gobold"
	"golang.org/x/image/font/gofont/goregular"
	"golang.org/x/image/font/opentype"
	"golang.org/x/image/math/fixed"

	"github.com/truestep-io/truestep/content/appearance"
	"github.com/truestep-io/truestep/sim"
)

// Sizes in pixels of previews, which are pictures of whole areas (see Preview).
const (
	previewLong  = 1600 // longer side of a preview of one area
	previewCell  = 900  // longer side of each area in a preview of several areas
	previewGap   = 24   // space around the areas in a preview of several areas
	previewTitle = 44   // height of the title above each area in a preview of several areas
)

// Preview draws areas of a world with their names and the names of their portals, waters and zones. It draws a single area as a
// large picture, and several areas side by side. The parameter areas must not be empty.
func Preview(w *sim.World, tables *appearance.Tables, areas []sim.AreaID, theme Theme) *image.RGBA {
	if len(areas) == 1 {
		return New(w, areas[0], tables.MapOf(int(areas[0]))).preview(w, theme, previewLong)
	}
	columns := int(math.Ceil(math.Sqrt(float64(len(areas)))))
	rows := (len(areas) + columns - 1) / columns
	step := previewCell + previewGap
	out := image.NewRGBA(image.Rect(0, 0, columns*step+previewGap, rows*(step+previewTitle)+previewGap))
	p := &palettes[theme]
	draw.Draw(out, out.Rect, image.NewUniform(p.outside.rgba()), image.Point{}, draw.Src)
	for i, id := range areas {
		m := New(w, id, tables.MapOf(int(id)))
		x, y := previewGap+i%columns*step, previewGap+i/columns*(step+previewTitle)
		p.write(out, titleFont(), w.Areas[id].Name, x, y+previewTitle-16, p.text, false)
		cell := m.preview(w, theme, previewCell)
		at := image.Pt(x+(previewCell-cell.Rect.Dx())/2, y+previewTitle+(previewCell-cell.Rect.Dy())/2)
		draw.Draw(out, cell.Rect.Add(at), cell, image.Point{}, draw.Src)
	}
	return out
}

// preview draws the part of the area within its bounds. The parameter long is the length in pixels of the longer side of the
// picture.
func (m *Map) preview(w *sim.World, theme Theme, long int) *image.RGBA {
	b := &m.bounds
	width, depth := float64(b.MaxX)-float64(b.MinX), float64(b.MaxZ)-float64(b.MinZ)
	upp := max(width, depth) / float64(long)
	out := m.draw(theme, float64(b.MinX), float64(b.MaxZ), upp, max(1, int(width/upp)), max(1, int(depth/upp)))
	n := notes{out: out, p: &palettes[theme], x: float64(b.MinX), z: float64(b.MaxZ), upp: upp}
	n.portals(w, m.area)
	for i := range m.area.Waters {
		wt := &m.area.Waters[i]
		if i < len(m.look.WaterNames) {
			n.name(m.look.WaterNames[i], wt.X+wt.Width/2, wt.Z+wt.Depth/2, 0, n.p.shore)
		}
	}
	for i := range m.area.Zones {
		z := &m.area.Zones[i]
		n.frame(z.Min.X, z.Min.Z, z.Max.X, z.Max.Z)
		if i < len(m.look.ZoneNames) {
			n.name(m.look.ZoneNames[i], (z.Min.X+z.Max.X)/2, z.Min.Z, 12, n.p.portal)
		}
	}
	return out
}

// notes draws names, portals and other marks on the picture of a map.
type notes struct {
	out  *image.RGBA
	p    *palette
	x, z float64           // world position of the map's north-west corner
	upp  float64           // world units per pixel
	used []image.Rectangle // rectangles covered by the names drawn so far
}

// at returns the position in the picture, in pixels, of the world position x, z.
func (n *notes) at(x, z float32) (px, py float64) {
	return (float64(x) - n.x) / n.upp, (n.z - float64(z)) / n.upp
}

// portals draws the portals of an area with their names: first those that lead to another place, then the others.
func (n *notes) portals(w *sim.World, a *sim.AreaDef) {
	for _, leads := range [...]bool{true, false} {
		for i := range a.Portals {
			p := &a.Portals[i]
			if (p.ToArea != sim.NoArea) != leads {
				continue
			}
			px, py := n.at(p.Pos.X, p.Pos.Z)
			if !leads {
				n.ring(px, py, 4)
				n.name(p.Name, p.Pos.X, p.Pos.Z, 16, n.p.portal)
				continue
			}
			r := max(6, float64(p.Radius)/n.upp)
			n.ring(px, py, r)
			n.name(p.Name+" → "+w.Areas[p.ToArea].Name, p.Pos.X, p.Pos.Z, r+14, n.p.portal)
		}
	}
}

// ring draws a circle of radius r pixels.
func (n *notes) ring(px, py, r float64) {
	for y := int(py - r - 2); y <= int(py+r+2); y++ {
		for x := int(px - r - 2); x <= int(px+r+2); x++ {
			d := math.Hypot(float64(x)+0.5-px, float64(y)+0.5-py)
			n.blend(x, y, n.p.portal, float32(max(0.2*min(1, r-d), 1.2-math.Abs(d-r))))
		}
	}
}

// frame draws the outline of the rectangle from x0, z0 to x1, z1 as a dashed line.
func (n *notes) frame(x0, z0, x1, z1 float32) {
	left, bottom := n.at(x0, z0)
	right, top := n.at(x1, z1)
	dashed := func(i int) bool { return i%9 < 5 }
	limit := n.out.Rect
	for x := max(int(left), limit.Min.X); x <= min(int(right), limit.Max.X); x++ {
		if dashed(x) {
			n.blend(x, int(top), n.p.portal, 0.9)
			n.blend(x, int(bottom), n.p.portal, 0.9)
		}
	}
	for y := max(int(top), limit.Min.Y); y <= min(int(bottom), limit.Max.Y); y++ {
		if dashed(y) {
			n.blend(int(left), y, n.p.portal, 0.9)
			n.blend(int(right), y, n.p.portal, 0.9)
		}
	}
}

// blend paints a colour over a pixel with opacity alpha. It ignores pixels outside of the picture.
func (n *notes) blend(x, y int, c colour, alpha float32) {
	if alpha <= 0 || !(image.Point{X: x, Y: y}).In(n.out.Rect) {
		return
	}
	pix := n.out.Pix[n.out.PixOffset(x, y):]
	for i := range c {
		pix[i] = uint8(mix(float32(pix[i]), c[i], min(alpha, 1)))
	}
}

// name writes a name, horizontally centred, below a world position. The parameter drop is the distance from the position in pixels.
// If the name would cover a name that is already drawn, nothing is drawn.
func (n *notes) name(text string, x, z float32, drop float64, c colour) {
	if text == "" {
		return
	}
	face := nameFont()
	width := font.MeasureString(face, text).Ceil()
	px, py := n.at(x, z)
	left := min(max(int(px)-width/2, 4), max(n.out.Rect.Dx()-width-4, 4))
	base := min(max(int(py+drop)+5, 16), n.out.Rect.Dy()-6)
	box := image.Rect(left-3, base-15, left+width+3, base+5)
	for _, other := range n.used {
		if box.Overlaps(other) {
			return
		}
	}
	n.used = append(n.used, box)
	n.p.write(n.out, face, text, left, base, c, true)
}

func (c colour) rgba() color.RGBA {
	return color.RGBA{uint8(c[0]), uint8(c[1]), uint8(c[2]), 255}
}

// write writes a text whose base line begins at x, y. If the parameter halo is true, an outline makes the text readable on any
// ground.
func (p *palette) write(out draw.Image, face font.Face, text string, x, y int, c colour, halo bool) {
	d := font.Drawer{Dst: out, Face: face, Src: image.NewUniform(p.halo.rgba())}
	for dy := -2; halo && dy <= 2; dy++ {
		for dx := -2; dx <= 2; dx++ {
			d.Dot = fixed.P(x+dx, y+dy)
			d.DrawString(text)
		}
	}
	d.Src, d.Dot = image.NewUniform(c.rgba()), fixed.P(x, y)
	d.DrawString(text)
}

// A font.Face caches glyphs and is not safe for concurrent use. So each picture creates faces of its own.
func nameFont() font.Face  { return newFace(goregular.TTF, 15) }
func titleFont() font.Face { return newFace(gobold.TTF, 24) }

var parsedFonts sync.Map // *opentype.Font by the address of the font file in memory

func newFace(ttf []byte, size float64) font.Face {
	parsed, ok := parsedFonts.Load(&ttf[0])
	if !ok {
		f, err := opentype.Parse(ttf)
		if err != nil {
			panic(err) // cannot happen: the fonts are part of the program
		}
		parsed, _ = parsedFonts.LoadOrStore(&ttf[0], f)
	}
	face, err := opentype.NewFace(parsed.(*opentype.Font), &opentype.FaceOptions{Size: size, DPI: 72, Hinting: font.HintingNone})
	if err != nil {
		panic(err) // cannot happen: the options are constant
	}
	return face
}
