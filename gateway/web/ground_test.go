package web_test

import (
	"testing"

	webcl "github.com/truestep-io/truestep/client/web"
	"github.com/truestep-io/truestep/content"
	"github.com/truestep-io/truestep/gateway/web"
	"github.com/truestep-io/truestep/sim/terrain"
)

// The ground that a client decodes has the area's block at every position, inside and outside the rectangle of the grid.
func TestBlocksDecodedFromGroundFileEqualBlocksOfArea(t *testing.T) {
	areas := content.DefaultWorld().Areas
	blocks := []*terrain.Blocks{nil}
	for i := range areas {
		blocks = append(blocks, areas[i].Blocks)
	}
	for i, want := range blocks {
		file := web.AppendGround(nil, want)
		got, err := webcl.ParseGround(file)
		if err != nil {
			t.Fatal(err)
		}
		minX, minZ, width, depth := want.Chunks()
		for x := (minX - 1) * 16; x < (minX+int32(width)+1)*16; x += 3 {
			for z := (minZ - 1) * 16; z < (minZ+int32(depth)+1)*16; z += 5 {
				for y := int32(terrain.MinBlockY); y <= terrain.MaxBlockY; y++ {
					if got.At(x, y, z) != want.At(x, y, z) {
						t.Fatalf("area %d: block %d at %d %d %d, want %d", i, got.At(x, y, z), x, y, z, want.At(x, y, z))
					}
				}
			}
		}
	}
}

func TestGroundFilesWithMissingOrExtraBytesAreRefused(t *testing.T) {
	file := web.AppendGround(nil, nil)
	for n := range file {
		if _, err := webcl.ParseGround(file[:n]); err == nil {
			t.Fatalf("the first %d of %d bytes were accepted", n, len(file))
		}
	}
	if _, err := webcl.ParseGround(append(file, 0)); err == nil {
		t.Error("a file with another byte was accepted")
	}
}

func FuzzGround(f *testing.F) {
	f.Add(web.AppendGround(nil, nil))
	f.Fuzz(func(t *testing.T, b []byte) {
		if g, err := webcl.ParseGround(b); err == nil {
			g.At(0, 0, 0)
		}
	})
}
