package console

import (
	"bytes"
	"container/list"
	"fmt"
	"image/png"
	"net/http"
	"strings"
	"sync"
	"testing"
	"testing/synctest"

	"github.com/truestep-io/truestep/content/appearance"
	"github.com/truestep-io/truestep/sim"
	"github.com/truestep-io/truestep/worldmap"
)

func TestGroundTileIsPNGAndUnchangedTileIsAnsweredNotModified(t *testing.T) {
	t.Parallel()
	r := start(t, nil)
	w := get[worldBody](r, Viewer, "/world")
	g := w.Areas[0].Ground
	if b := w.Areas[0].Bounds; g.Levels < 2 || g.Tile != worldmap.TileSize || g.X > b.MinX || g.X+g.Size < b.MaxX || g.Z > b.MinZ || g.Z+g.Size < b.MaxZ {
		t.Fatalf("ground %+v does not cover %+v", g, b)
	}
	const path = "/ground?area=0&theme=dark&level=1&x=1&z=0"
	a := r.call(Viewer, "GET", path, "")
	etag := a.header.Get("ETag")
	if a.status != http.StatusOK || a.header.Get("Content-Type") != "image/png" || etag == "" || a.header.Get("Cache-Control") != "private, no-cache" {
		t.Fatalf("status %d, header %v", a.status, a.header)
	}
	img, err := png.Decode(bytes.NewReader([]byte(a.body)))
	if err != nil || img.Bounds().Dx() != worldmap.TileSize {
		t.Fatalf("the tile: error %v, bounds %v", err, img.Bounds())
	}
	again := r.request(Viewer, "GET", path, "")
	again.Header.Set("If-None-Match", `"other", `+etag)
	if a := r.do(again); a.status != http.StatusNotModified || a.body != "" || a.header.Get("ETag") != etag {
		t.Errorf("an unchanged tile: %d, %d bytes", a.status, len(a.body))
	}
	if head := r.call(Viewer, "HEAD", path, ""); head.status != http.StatusOK || head.body != "" {
		t.Errorf("HEAD: %d, %d bytes", head.status, len(head.body))
	}
	if a := r.call(Viewer, "GET", path+"&tag="+g.Tag, ""); !strings.Contains(a.header.Get("Cache-Control"), "immutable") {
		t.Errorf("with the right tag: %v", a.header)
	}
	if a := r.call(Viewer, "GET", path+"&tag=old", ""); strings.Contains(a.header.Get("Cache-Control"), "immutable") {
		t.Error("a tile is cached for ever under an old tag")
	}
	tiles := r.describedWorld().ground
	for i, other := range []groundKey{{0, worldmap.Light, 1, 1, 0}, {1, worldmap.Dark, 1, 1, 0}, {0, worldmap.Dark, 1, 0, 1}} {
		cached := "tile " + itoa(int64(i)) // the tile need not be drawn, so it is put into the cache
		tiles.keep(other, []byte(cached))
		path := fmt.Sprintf("/ground?area=%d&theme=%s&level=%d&x=%d&z=%d", other.area, worldmap.ThemeWords[other.theme], other.level, other.x, other.z)
		if a := r.call(Viewer, "GET", path, ""); a.header.Get("ETag") == etag || a.body != cached {
			t.Errorf("%s has the ETag %s and is answered with %d bytes, want another ETag than %s and %q", path, a.header.Get("ETag"), len(a.body), etag, cached)
		}
	}
}

func TestGroundTileRequestIsRefusedWithoutLoginOrForMissingTile(t *testing.T) {
	t.Parallel()
	r := start(t, nil)
	r.wantError(r.call(NoRole, "GET", "/ground?area=0&theme=dark", ""), http.StatusUnauthorized, codeUnauthorized, "")
	for path, status := range map[string]int{
		"/ground?theme=dark":                          http.StatusNotFound,
		"/ground?area=99&theme=dark":                  http.StatusNotFound,
		"/ground?area=0":                              http.StatusBadRequest,
		"/ground?area=0&theme=blue":                   http.StatusBadRequest,
		"/ground?area=0&theme=dark&level=-1":          http.StatusBadRequest,
		"/ground?area=0&theme=dark&level=1e9":         http.StatusBadRequest,
		"/ground?area=0&theme=dark&level=0&x=1":       http.StatusNotFound,
		"/ground?area=0&theme=dark&level=200":         http.StatusNotFound,
		"/ground?area=0&theme=dark&size=9":            http.StatusBadRequest,
		"/ground?area=0&theme=dark&level=1&level=2":   http.StatusBadRequest,
		"/ground?area=Truestep+Vale&theme=light&x=-1": http.StatusBadRequest,
	} {
		if a := r.call(Viewer, "GET", path, ""); a.status != status || a.header.Get("ETag") != "" {
			t.Errorf("GET %s: status %d, message %s, want status %d", path, a.status, a.message, status)
		}
	}
}

func TestGroundTileCacheSizeIsLimited(t *testing.T) {
	t.Parallel()
	g := &groundTiles{drawing: make(chan struct{}, 1), kept: map[groundKey]*list.Element{}}
	part := make([]byte, groundCacheBytes/4)
	for x := range 6 {
		g.keep(groundKey{x: x}, part)
		g.find(groundKey{x: 0}) // each use of tile 0 protects it from removal
	}
	if g.size > groundCacheBytes || len(g.kept) != g.order.Len() || g.find(groundKey{x: 0}) == nil || g.find(groundKey{x: 1}) != nil || g.find(groundKey{x: 5}) == nil {
		t.Errorf("%d bytes in %d tiles", g.size, len(g.kept))
	}
}

func TestConcurrentRequestsDrawGroundTileOnce(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		g := newGroundTiles(&sim.World{Areas: make([]sim.AreaDef, 1)}, new(appearance.Tables))
		g.drawing <- struct{}{} // as if another tile were being drawn, until all requests wait
		var first [8]*byte
		var all sync.WaitGroup
		for i := range first {
			all.Go(func() {
				tile, err := g.get(t.Context(), groundKey{})
				if err != nil {
					t.Error(err)
					return
				}
				first[i] = &tile[0]
			})
		}
		synctest.Wait()
		if g.pending != len(first) {
			t.Fatalf("%d requests wait for the tile, want %d", g.pending, len(first))
		}
		<-g.drawing
		all.Wait()
		for i := range first {
			if first[i] != first[0] {
				t.Fatal("one tile was drawn twice")
			}
		}
	})
}
