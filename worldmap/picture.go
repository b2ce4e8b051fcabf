package worldmap

import (
	"image"
	"image/draw"
	_ "image/jpeg" // a format of pictures
	_ "image/png"  // a format of pictures
	"math"
	"strings"

	"github.com/truestep-io/truestep/content/appearance"
)

// picture is the operator's picture of an area, decoded, in several resolutions.
type picture struct {
	sizes []*image.NRGBA         // the picture in several resolutions, each with half the width and height of the previous one
	place *appearance.MapPicture // position and size in the world
}

// decodePicture decodes the operator's picture for a map. It returns nil if there is none.
func decodePicture(p *appearance.MapPicture) *picture {
	if p == nil {
		return nil
	}
	decoded, _, err := image.Decode(strings.NewReader(p.File))
	if err != nil {
		return nil // cannot happen: package content rejects a world with a picture that it cannot decode
	}
	b := decoded.Bounds()
	img := image.NewNRGBA(image.Rect(0, 0, b.Dx(), b.Dy()))
	draw.Draw(img, img.Bounds(), decoded, b.Min, draw.Src)
	d := &picture{[]*image.NRGBA{img}, p}
	for min(img.Rect.Dx(), img.Rect.Dy()) > 1 {
		img = half(img)
		d.sizes = append(d.sizes, img)
	}
	return d
}

// half returns a picture with half the width and height. Each pixel is the mean of four pixels.
func half(p *image.NRGBA) *image.NRGBA {
	out := image.NewNRGBA(image.Rect(0, 0, p.Rect.Dx()/2, p.Rect.Dy()/2))
	for y := range out.Rect.Dy() {
		for x := range out.Rect.Dx() {
			for i := range 4 {
				a, b := p.Pix[p.PixOffset(2*x, 2*y)+i:], p.Pix[p.PixOffset(2*x, 2*y+1)+i:]
				out.Pix[out.PixOffset(x, y)+i] = uint8((int(a[0]) + int(a[4]) + int(b[0]) + int(b[4]) + 2) / 4)
			}
		}
	}
	return out
}

// sized returns one of the resolutions of the picture, for a map with upp world units per pixel: the resolution whose pixels are
// about as large as those of the map.
func (p *picture) sized(upp float64) *image.NRGBA {
	i := 0
	for i+1 < len(p.sizes) && float64(p.place.Width)/float64(p.sizes[i+1].Rect.Dx()) <= upp {
		i++
	}
	return p.sizes[i]
}

// at returns the colour and the opacity of the picture at a world position. The opacity is 0 outside of the picture. The
// parameter img is one of p.sizes.
func (p *picture) at(img *image.NRGBA, x, z float32) (colour, float32) {
	size := img.Rect.Size()
	u, v := (x-p.place.X)/p.place.Width, 1-(z-p.place.Z)/p.place.Height
	if !(u >= 0 && u < 1 && v >= 0 && v < 1) {
		return colour{}, 0
	}
	fx, fy := float64(u)*float64(size.X)-0.5, float64(v)*float64(size.Y)-0.5
	ix, iy := math.Floor(fx), math.Floor(fy)
	var sum colour
	var opacity float32
	for dy := range 2 {
		for dx := range 2 {
			px, py := min(max(int(ix)+dx, 0), size.X-1), min(max(int(iy)+dy, 0), size.Y-1)
			share := float32((1 - math.Abs(fx-ix-float64(dx))) * (1 - math.Abs(fy-iy-float64(dy))))
			pix := img.Pix[img.PixOffset(px, py):]
			share *= float32(pix[3]) / 255
			opacity += share
			for i := range sum {
				sum[i] += float32(pix[i]) * share
			}
		}
	}
	if opacity <= 0 {
		return colour{}, 0
	}
	return sum.times(1 / opacity), opacity
}
