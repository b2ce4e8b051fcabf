package rs

import (
	"bytes"
	"fmt"
	"iter"

	proto "github.com/truestep-io/truestep/proto/rs"
)

// historySize is the number of text lines, and of hit marks, that a World stores.
const historySize = 32

// World is the state of the game that a client has received. A Behaviour may read it in Act, other code in Client.Inspect.
type World struct {
	Welcome proto.Welcome // welcome packet of the login
	Scene   MapBounds     // current map
	Cycle   int           // number of PLAYER_INFO packets since the login
	Energy  int           // run energy in percent, -1 if unknown
	Life    int           // life points, -1 if unknown
	Running bool          // run mode is on: the player runs when it walks a path

	players *proto.PlayerInfoDecoder // decoder of PLAYER_INFO with the state of all players
	lines   ring[line]
	hits    ring[Hit]
}

// Self returns the own player's index.
func (w *World) Self() proto.Index { return w.players.Self() }

// Tile returns the own player's tile.
func (w *World) Tile() proto.Tile {
	t, _ := w.players.Local(w.players.Self())
	return t
}

// LocalCount returns the number of local players, including the own one.
func (w *World) LocalCount() int { return w.players.LocalCount() }

// Locals yields index and tile of the local players, including the own one, in ascending order.
func (w *World) Locals() iter.Seq2[proto.Index, proto.Tile] {
	return func(yield func(proto.Index, proto.Tile) bool) {
		for i := range w.players.Locals() {
			if t, _ := w.players.Local(i); !yield(i, t) {
				return
			}
		}
	}
}

// Local returns the tile of a local player; ok is false if the client is not shown a player with that index.
func (w *World) Local(i proto.Index) (t proto.Tile, ok bool) { return w.players.Local(i) }

// State returns what the client remembers of a player from earlier packets: the entity that the player faces, its speed and its
// icons.
func (w *World) State(i proto.Index) proto.PlayerState { return w.players.State(i) }

// Change returns how a player changed in the last PLAYER_INFO packet; ok is false if it did not change.
func (w *World) Change(i proto.Index) (ch proto.PlayerChange, ok bool) { return w.players.Change(i) }

// Info parses the extended info of player i in the last PLAYER_INFO packet, and stores it in *in. ok is false if that packet
// contains no extended info of the player.
func (w *World) Info(i proto.Index, in *proto.Info) (ok bool) { return w.players.Info(i, in) }

// Appearance returns the last appearance received for a player. Errors are the same as those of proto/rs.Profile.ParseAppearance.
// If no appearance was received, the error wraps wire.ErrShort.
func (w *World) Appearance(i proto.Index) (proto.Appearance, error) {
	return proto.Profile667.ParseAppearance(w.players.Appearance(i))
}

// FindByName returns the index of the local player with that name; ok is false if there is none.
func (w *World) FindByName(name string) (i proto.Index, ok bool) {
	want := proto.AppendText(nil, name)
	for i := range w.players.Locals() {
		if a, err := w.Appearance(i); err == nil && bytes.Equal(a.Name, want) {
			return i, true
		}
	}
	return 0, false
}

// IsFacing reports whether the first player faces the second. A player faces another while it attacks or follows it.
func (w *World) IsFacing(player, target proto.Index) bool {
	return w.players.State(player).Target == 32768+target
}

// MapBounds is the square of tiles that a client has loaded as its map. The client can click only on these tiles.
type MapBounds struct {
	X, Z  int // coordinates of the south-west tile; negative at the edge of the world
	Tiles int // edge length in tiles
}

// Contains reports whether a tile is on the map.
func (s MapBounds) Contains(t proto.Tile) bool {
	x, z := int(t.X)-s.X, int(t.Z)-s.Z
	return x >= 0 && z >= 0 && x < s.Tiles && z < s.Tiles
}

func newScene(area proto.BuildArea, zoneX, zoneZ uint16) MapBounds {
	x, z := area.SceneBase(zoneX, zoneZ)
	return MapBounds{X: x, Z: z, Tiles: area.EdgeTiles()}
}

// parseScene parses the body b of a map packet with the opcode op, and returns the bounds of its map.
func parseScene(op proto.Opcode, b []byte) (MapBounds, error) {
	if op == proto.ServerRebuildRegion {
		p, err := proto.ParseRebuildRegion(b)
		return newScene(p.Area, p.CentreZoneX, p.CentreZoneZ), err
	}
	p, err := proto.ParseRebuildNormal(b)
	return newScene(p.Area, p.CentreZoneX, p.CentreZoneZ), err
}

// TextLine is a line of text that the client received: chat or a message of the server.
type TextLine struct {
	Cycle int          // cycle in which the line arrived
	Kind  TextLineKind // place on the screen
	Who   proto.Index  // index of the speaker, 0 for LineGame
	Text  string       // content of the line
}

// TextLineKind says where on the screen the game client shows a line of text.
type TextLineKind uint8

// Values of TextLineKind: where the client shows a line of text.
const (
	LineGame     TextLineKind = iota // game message in the chat box (MESSAGE_GAME)
	LineChat                         // public chat in the chat box (MESSAGE_PUBLIC)
	LineOverhead                     // text above the speaker's head (extended info)
)

// line is a TextLine in the ring buffer of a World. Its text is stored as bytes, so that a newer line can reuse their memory.
type line struct {
	cycle int
	kind  TextLineKind
	who   proto.Index
	text  []byte // text in Windows-1252
}

// Lines returns the last 32 lines of text that the client has shown, oldest first: game messages, chat, and text above the heads of
// players.
func (w *World) Lines() []TextLine {
	var all []TextLine
	for l := range w.lines.all() {
		all = append(all, TextLine{l.cycle, l.kind, l.who, proto.TextString(l.text)})
	}
	return all
}

func (w *World) addLine(form TextLineKind, who proto.Index, text []byte) {
	l := w.lines.next()
	l.cycle, l.kind, l.who = w.Cycle, form, who
	l.text = append(l.text[:0], text...)
}

// Hit is a hit mark on a player.
type Hit struct {
	Cycle int         // cycle in which the hit mark arrived
	Who   proto.Index // player that was hit
	proto.Hit
}

// String returns a text with the cycle, the player, the life points and the type of the hit mark.
func (h Hit) String() string {
	return fmt.Sprintf("cycle %d: player %d is hit for %d life points, hit mark type %d", h.Cycle, h.Who, h.Amount, h.Type)
}

// Hits returns the last 32 hit marks received, oldest first.
func (w *World) Hits() []Hit {
	var all []Hit
	for h := range w.hits.all() {
		all = append(all, *h)
	}
	return all
}

// ring is a ring buffer of the last historySize values.
type ring[T any] struct {
	list [historySize]T
	n    int // number of values added since the start
}

// next returns a pointer to the place for a new value. The caller must overwrite the old value that is still there.
func (r *ring[T]) next() *T {
	r.n++
	return &r.list[(r.n-1)%historySize]
}

func (r *ring[T]) all() iter.Seq[*T] {
	return func(yield func(*T) bool) {
		for i := max(0, r.n-historySize); i < r.n && yield(&r.list[i%historySize]); i++ {
		}
	}
}
