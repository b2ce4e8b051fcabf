package console

import (
	"bytes"
	"container/list"
	"image/png"
	"net/http"
	"strings"
	"sync"
	"testing"

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
		t.Fatalf("%d %v", a.status, a.header)
	}
	img, err := png.Decode(bytes.NewReader([]byte(a.body)))
	if err != nil || img.Bounds().Dx() != worldmap.TileSize {
		t.Fatalf("%v, %v", err, img.Bounds())
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
	for _, other := range []string{"/ground?area=0&theme=light&level=1&x=1&z=0", "/ground?area=1&theme=dark&level=1&x=1&z=0", "/ground?area=0&theme=dark&level=1&x=0&z=1"} {
		if a := r.call(Viewer, "GET", other, ""); a.header.Get("ETag") == etag {
			t.Errorf("%s has the tag of %s", other, path)
		}
	}
}

func TestGroundTileRequestWithoutLoginOrOfMissingTileIsRefused(t *testing.T) {
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
			t.Errorf("%s: %d %s, want %d", path, a.status, a.message, status)
		}
	}
}

func TestGroundTileCacheSizeIsLimited(t *testing.T) {
	t.Parallel()
	g := &groundTiles{drawing: make(chan struct{}, 1), kept: map[groundKey]*list.Element{}}
	part := make([]byte, groundCacheBytes/4)
	for x := range 6 {
		g.keep(groundKey{x: x}, part)
		g.find(groundKey{x: 0}) // the first one stays in use
	}
	if g.size > groundCacheBytes || len(g.kept) != g.order.Len() || g.find(groundKey{x: 0}) == nil || g.find(groundKey{x: 1}) != nil || g.find(groundKey{x: 5}) == nil {
		t.Errorf("%d bytes in %d tiles", g.size, len(g.kept))
	}
}

func TestConcurrentRequestsDrawGroundTileOnce(t *testing.T) {
	t.Parallel()
	r := start(t, nil)
	var first [8]*byte
	var all sync.WaitGroup
	for i := range first {
		all.Go(func() {
			tile, err := r.describedWorld().ground.get(t.Context(), groundKey{level: 1})
			if err != nil {
				t.Error(err)
				return
			}
			first[i] = &tile[0]
		})
	}
	all.Wait()
	for i := range first {
		if first[i] != first[0] {
			t.Fatal("one tile was drawn twice")
		}
	}
}
