package console

import (
	"bytes"
	"container/list"
	"context"
	"fmt"
	"image/png"
	"net/http"
	"slices"
	"strconv"
	"strings"
	"sync"

	"github.com/truestep-io/truestep/content/appearance"
	"github.com/truestep-io/truestep/sim"
	"github.com/truestep-io/truestep/worldmap"
)

const (
	groundCacheBytes = 32 << 20 // maximum total size of the cached tiles, in bytes
	maxPendingTiles  = 256      // maximum number of requests that wait for a tile to be drawn
)

var errTooManyTiles = &apiError{http.StatusTooManyRequests, codeThrottled, "too many tiles of the ground wait to be drawn: ask again later"}

// groundTiles draws the tiles of GET /ground and caches them. Only one goroutine draws at a time, so that drawing uses at most
// one CPU core.
type groundTiles struct {
	maps    []*worldmap.Map // by area id
	drawing chan struct{}   // capacity 1: holds a value while a tile is drawn

	mu      sync.Mutex
	pending int                         // number of requests that wait for a tile or draw one
	size    int                         // total size of the tiles in kept, in bytes
	order   list.List                   // list of *groundTile, most recently used first
	kept    map[groundKey]*list.Element // the cache
}

// groundKey identifies a tile of the ground.
type groundKey struct {
	area        sim.AreaID
	theme       worldmap.Theme
	level, x, z int // zoom level from 0; column of the tile from the west; row from the south
}

type groundTile struct {
	key groundKey
	png []byte
}

func newGroundTiles(w *sim.World, tables *appearance.Tables) *groundTiles {
	g := &groundTiles{drawing: make(chan struct{}, 1), kept: map[groundKey]*list.Element{}}
	for i := range w.Areas {
		g.maps = append(g.maps, worldmap.New(w, sim.AreaID(i), tables.MapOf(i)))
	}
	return g
}

// groundTile handles GET /ground. It returns one tile of the ground of an area as PNG.
func (k *call) groundTile() (any, error) {
	ask, err := k.parseQuery("area", "theme", "level", "x", "z", "tag")
	if err != nil {
		return nil, err
	}
	key := groundKey{}
	if key.area, err = k.findArea("area", ask.Get("area")); err != nil {
		return nil, err
	}
	theme := slices.Index(worldmap.ThemeWords, ask.Get("theme"))
	if theme < 0 {
		return nil, badRequest("\"theme\" must be one of %s", strings.Join(worldmap.ThemeWords, ", "))
	}
	key.theme = worldmap.Theme(theme)
	for name, into := range map[string]*int{"level": &key.level, "x": &key.x, "z": &key.z} {
		n, err := parseNumber(ask, name, 0, 0, 1<<worldmap.MaxLevel-1)
		if err != nil {
			return nil, err
		}
		*into = int(n)
	}
	ground := k.describedWorld().ground
	m := ground.maps[key.area]
	if !m.HasTile(key.level, key.x, key.z) {
		return nil, notFound("the ground of this area has %d levels, and level n has 2^n tiles on each axis", m.Levels())
	}
	// The ETag depends on all data from which the tile is drawn. So the server can confirm, without drawing the tile, that
	// the client's copy is up to date.
	etag := fmt.Sprintf(`"%s-%d-%d-%d-%d"`, m.Tag(), key.theme, key.level, key.x, key.z)
	h := k.w.Header()
	h.Set("ETag", etag)
	h.Set("Cache-Control", "private, no-cache")
	if ask.Get("tag") == m.Tag() {
		h.Set("Cache-Control", "private, max-age=604800, immutable")
	}
	if slices.Contains(strings.FieldsFunc(k.r.Header.Get("If-None-Match"), func(r rune) bool { return r == ',' || r == ' ' }), etag) {
		k.w.WriteHeader(http.StatusNotModified)
		return answerWritten{}, nil
	}
	tile, err := ground.get(k.r.Context(), key)
	if err != nil {
		h.Del("ETag")
		h.Set("Cache-Control", "no-store")
		return nil, err
	}
	h.Set("Content-Type", "image/png")
	h.Set("Content-Length", strconv.Itoa(len(tile)))
	k.w.WriteHeader(http.StatusOK)
	k.w.Write(tile) // an error means that the client has disconnected, so it is ignored
	return answerWritten{}, nil
}

// get returns a tile as PNG. If the tile is not in the cache, get waits until no other tile is being drawn and then draws it. If
// ctx ends before that, get returns an error.
func (g *groundTiles) get(ctx context.Context, key groundKey) ([]byte, error) {
	if tile := g.find(key); tile != nil {
		return tile, nil
	}
	if !g.enter() {
		return nil, errTooManyTiles
	}
	defer g.leave()
	select {
	case g.drawing <- struct{}{}:
		defer func() { <-g.drawing }()
	case <-ctx.Done():
		return nil, ctx.Err()
	}
	if tile := g.find(key); tile != nil {
		return tile, nil // another request has drawn the tile meanwhile
	}
	var b bytes.Buffer
	encoder := png.Encoder{CompressionLevel: png.BestSpeed}
	if err := encoder.Encode(&b, g.maps[key.area].Tile(key.theme, key.level, key.x, key.z)); err != nil {
		return nil, fmt.Errorf("encode a tile of the ground: %w", err)
	}
	g.keep(key, b.Bytes())
	return b.Bytes(), nil
}

// enter counts one more request that waits for a tile. It returns false if as many as maxPendingTiles requests wait already.
func (g *groundTiles) enter() bool {
	g.mu.Lock()
	defer g.mu.Unlock()
	if g.pending >= maxPendingTiles {
		return false
	}
	g.pending++
	return true
}

func (g *groundTiles) leave() {
	g.mu.Lock()
	defer g.mu.Unlock()
	g.pending--
}

// find returns a tile from the cache, or nil.
func (g *groundTiles) find(key groundKey) []byte {
	g.mu.Lock()
	defer g.mu.Unlock()
	e := g.kept[key]
	if e == nil {
		return nil
	}
	g.order.MoveToFront(e)
	return e.Value.(*groundTile).png
}

// keep adds a tile to the cache, and removes the least recently used tiles while the cache is larger than groundCacheBytes.
func (g *groundTiles) keep(key groundKey, png []byte) {
	g.mu.Lock()
	defer g.mu.Unlock()
	g.kept[key] = g.order.PushFront(&groundTile{key, png})
	g.size += len(png)
	for g.size > groundCacheBytes {
		last := g.order.Remove(g.order.Back()).(*groundTile)
		delete(g.kept, last.key)
		g.size -= len(last.png)
	}
}
