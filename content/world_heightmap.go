package content

import (
	"bytes"
	"errors"
	"fmt"
	"image"
	"image/png"
	"io/fs"

	"github.com/truestep-io/truestep/sim/terrain"
)

// defaultRelief is the default height difference between black and white in a heightmap, in blocks.
const defaultRelief = 32

// readHeightmap reads the keys about the heightmap of an area's ground, and the image to which they refer.
func (b *builder) readHeightmap(t *table, spec *terrain.BlocksSpec) {
	relief := float32(defaultRelief)
	t.float("relief", &relief, 0, terrain.Sections*16)
	name, ok := t.rawString("heightmap")
	corner := b.readIntegers(t, "heightmap_at", 2, -terrain.MaxOrigin, terrain.MaxOrigin)
	if !ok {
		if spec.Ground == terrain.HeightGround {
			t.require("heightmap", `"ground.png"`)
		}
		return
	}
	if spec.Ground != terrain.HeightGround {
		t.fail("heightmap", `a heightmap needs ground = "heightmap"`)
		return
	}
	h, err := b.readHeights(name, spec.Level, relief)
	if err != nil {
		t.fail("heightmap", "heightmap %q: %v", name, err)
		return
	}
	h.X, h.Z = spec.Grid.Origin[0]-h.Width/2, spec.Grid.Origin[2]-h.Depth/2
	if corner != nil {
		h.X, h.Z = int32(corner[0]), int32(corner[1])
	}
	spec.Heightmap = h
}

// maxPicture is the maximum size of an image file in bytes.
const maxPicture = 8 << 20

// readHeights reads an image from the folder of the world file and converts its brightness to heights.
func (b *builder) readHeights(name string, level int32, relief float32) (h terrain.Heightmap, err error) {
	if b.files == nil {
		return h, errors.New("the world was loaded without a folder from which a heightmap could be read: use another ground, or load the world from its file")
	}
	if info, err := fs.Stat(b.files, name); err != nil {
		return h, err
	} else if info.Size() > maxPicture {
		return h, fmt.Errorf("the file has %d bytes: use an image of at most %d bytes", info.Size(), maxPicture)
	}
	raw, err := fs.ReadFile(b.files, name)
	if err != nil {
		return h, err
	}
	b.read = append(b.read, raw)
	config, err := png.DecodeConfig(bytes.NewReader(raw))
	if err != nil {
		return h, fmt.Errorf("the file is not a PNG image: %w", err)
	}
	if int64(config.Width)*int64(config.Height) > terrain.MaxHeights {
		return h, fmt.Errorf("the image has %d x %d pixels, more than %d in all: make it smaller", config.Width, config.Height, terrain.MaxHeights)
	}
	picture, err := png.Decode(bytes.NewReader(raw))
	if err != nil {
		return h, fmt.Errorf("the image is damaged: %w", err)
	}
	gray, err := grayOf(picture)
	if err != nil {
		return h, err
	}
	h = terrain.Heightmap{Width: int32(config.Width), Depth: int32(config.Height), Tops: make([]int16, 0, len(gray))}
	for _, v := range gray {
		h.Tops = append(h.Tops, topOf(v, level, relief))
	}
	return h, nil
}

// topOf converts the brightness of a pixel to a height, rounded to a block. A height above the maximum becomes the maximum plus
// one block, which a later check refuses.
func topOf(gray uint16, level int32, relief float32) int16 {
	up := int32(float64(gray)*float64(relief)/0xffff + 0.5)
	return int16(min(level+up, terrain.MaxBlockY+2))
}

// grayOf returns the pixels of a gray image as 16-bit values, row by row.
func grayOf(picture image.Image) ([]uint16, error) {
	size := picture.Bounds().Size()
	out := make([]uint16, 0, size.X*size.Y)
	switch p := picture.(type) {
	case *image.Gray:
		for _, v := range p.Pix {
			out = append(out, uint16(v)*0x101)
		}
	case *image.Gray16:
		for i := 0; i+1 < len(p.Pix); i += 2 {
			out = append(out, uint16(p.Pix[i])<<8|uint16(p.Pix[i+1]))
		}
	default:
		return nil, errors.New("the image has colours: save it as gray, 8 or 16 bits, without transparency")
	}
	return out, nil
}
