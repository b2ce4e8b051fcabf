package rs

import (
	"bytes"
	"fmt"
	"iter"

	proto "github.com/truestep-io/truestep/proto/rs"
)

// remembered is how many lines and hits a World keeps.
const remembered = 32

// World is what a client knows. It is read by its Behaviour, or by others inside Look.
type World struct {
	Welcome proto.Welcome // what the server said of the account; Index is the own player
	Scene   Scene         // the map that the client has
	Cycle   int           // PLAYER_INFO packets since the login
	Energy  int           // percent, -1 if the server has not told
	Life    int           // life points, -1 if the server has not told
	Running bool          // the run button is on

	players *proto.Client
	lines   ring[line]
	hits    ring[Hit]
}

// Self is the own player's index.
func (w *World) Self() proto.Index { return w.players.Self() }

// Tile is where the own player stands.
func (w *World) Tile() proto.Tile {
	t, _ := w.players.Local(w.players.Self())
	return t
}

// LocalCount is how many players are in sight, the own one among them.
func (w *World) LocalCount() int { return w.players.LocalCount() }

// Locals yields who is in sight and where, the own player among them, by index.
func (w *World) Locals() iter.Seq2[proto.Index, proto.Tile] {
	return func(yield func(proto.Index, proto.Tile) bool) {
		for i := range w.players.Locals() {
			if t, _ := w.players.Local(i); !yield(i, t) {
				return
			}
		}
	}
}

// Local is where a player stands who is in sight.
func (w *World) Local(i proto.Index) (t proto.Tile, ok bool) { return w.players.Local(i) }

// State is what the client remembers of a player: whom he faces, and how fast he goes.
func (w *World) State(i proto.Index) proto.State { return w.players.State(i) }

// Change is what the last PLAYER_INFO said of a player; ok is false if nothing.
func (w *World) Change(i proto.Index) (ch proto.Change, ok bool) { return w.players.Change(i) }

// Info reads the extended info that the last PLAYER_INFO brought for a player; ok is false if none.
func (w *World) Info(i proto.Index, in *proto.Info) (ok bool) { return w.players.Info(i, in) }

// Appearance is what a player looks like, by the last that the client was told. Errors are those of
// proto/rs.Profile.ParseAppearance; a player of whom nothing was told has an empty one, which is too short.
func (w *World) Appearance(i proto.Index) (proto.Appearance, error) {
	return proto.Profile667.ParseAppearance(w.players.Appearance(i))
}

// Find is the index of a player in sight by name.
func (w *World) Find(name string) (i proto.Index, ok bool) {
	want := proto.AppendText(nil, name)
	for i := range w.players.Locals() {
		if a, err := w.Appearance(i); err == nil && bytes.Equal(a.Name, want) {
			return i, true
		}
	}
	return 0, false
}

// Faces tells whether one player looks at another, which is whom he fights or follows.
func (w *World) Faces(who, whom proto.Index) bool { return w.players.State(who).Target == 32768+whom }

// Scene is the map that a client has around it: all that it can click on.
type Scene struct {
	X, Z  int // south-west tile; may be negative at the edge of the world
	Tiles int // edge
}

// Holds tells whether a tile is on the map.
func (s Scene) Holds(t proto.Tile) bool {
	x, z := int(t.X)-s.X, int(t.Z)-s.Z
	return x >= 0 && z >= 0 && x < s.Tiles && z < s.Tiles
}

func sceneOf(area proto.BuildArea, zoneX, zoneZ uint16) Scene {
	x, z := area.SceneBase(zoneX, zoneZ)
	return Scene{X: x, Z: z, Tiles: area.Tiles()}
}

// parseScene reads the fields of a map packet.
func parseScene(op proto.Opcode, b []byte) (Scene, error) {
	if op == proto.ServerRebuildRegion {
		p, err := proto.ParseRebuildRegion(b)
		return sceneOf(p.Area, p.CentreZoneX, p.CentreZoneZ), err
	}
	p, err := proto.ParseRebuildNormal(b)
	return sceneOf(p.Area, p.CentreZoneX, p.CentreZoneZ), err
}

// Line is something to read.
type Line struct {
	Cycle int // in which it came
	Form  Form
	Who   proto.Index // who said it, 0 for FormGame
	Text  string
}

// Form is how a line came.
type Form uint8

// Forms of lines.
const (
	FormGame Form = iota // MESSAGE_GAME
	FormChat             // MESSAGE_PUBLIC
	FormSaid             // above a head
)

// line is a Line in memory that is used again.
type line struct {
	cycle int
	form  Form
	who   proto.Index
	text  []byte // Windows-1252
}

// Lines are the last that came, up to 32, oldest first.
func (w *World) Lines() []Line {
	var all []Line
	for l := range w.lines.all() {
		all = append(all, Line{l.cycle, l.form, l.who, proto.TextString(l.text)})
	}
	return all
}

func (w *World) read(form Form, who proto.Index, text []byte) {
	l := w.lines.next()
	l.cycle, l.form, l.who = w.Cycle, form, who
	l.text = append(l.text[:0], text...)
}

// Hit is a mark on a player.
type Hit struct {
	Cycle int // in which it came
	Who   proto.Index
	proto.Hit
}

// String says who was hit and how hard.
func (h Hit) String() string {
	return fmt.Sprintf("cycle %d: %d by %d of type %d", h.Cycle, h.Who, h.Amount, h.Type)
}

// Hits are the last that were seen, up to 32, oldest first.
func (w *World) Hits() []Hit {
	var all []Hit
	for h := range w.hits.all() {
		all = append(all, *h)
	}
	return all
}

// ring keeps the last values that were put in.
type ring[T any] struct {
	list [remembered]T
	n    int // ever put in
}

// next is the place of a new value, with what it held before.
func (r *ring[T]) next() *T {
	r.n++
	return &r.list[(r.n-1)%remembered]
}

func (r *ring[T]) all() iter.Seq[*T] {
	return func(yield func(*T) bool) {
		for i := max(0, r.n-remembered); i < r.n && yield(&r.list[i%remembered]); i++ {
		}
	}
}
