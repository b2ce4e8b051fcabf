package rsscene

import (
	"math/rand/v2"
	"slices"

	"github.com/truestep-io/truestep/proto/rs"
)

// Player is what is true of the player at an index.
type Player struct {
	There  bool
	Hidden bool   // there, and shown to nobody
	ID     uint64 // differs between all who ever had the index
	At     rs.Tile

	// Lasting is what holds until it changes: Appearance, Speed, Target, Clanmate, PIcon; Has names those ever said.
	Lasting rs.Info
	// Said is everything that was said in this cycle.
	Said rs.Info

	course [2]int8 // where he is walking to
	steps  int     // cycles that he walks on
	home   rs.Tile
}

// World is a set of players, and the scene that is told of them.
type World struct {
	Cycle   int
	Players [rs.MaxIndex + 1]Player // by index

	profile   *rs.Profile
	scene     *rs.Scene
	play      script
	rng       *rand.Rand
	protected []rs.Index // viewers' own, who stay
	free      []rs.Index // indices that nobody has
	present   []rs.Index // ascending; who was there when the cycle began
	most      int
	ids       uint64
	kinds     []rs.Kind // what players say, but for appearances
}

// script is what players do.
type script struct {
	place func(w *World) rs.Tile     // where somebody appears
	begin func(w *World)             // before anybody acts in a cycle; may be nil
	act   func(w *World, i rs.Index) // once a cycle
}

func newWorld(c Config, play script) *World {
	w := &World{
		profile: c.Profile, scene: rs.NewScene(c.Profile), play: play, most: c.Players,
		rng: rand.New(rand.NewPCG(c.Seed, 0x776f726c64)),
	}
	for _, k := range c.Profile.Order() {
		if randomInfo[k] != nil {
			w.kinds = append(w.kinds, k)
		}
	}
	for _, i := range w.rng.Perm(rs.MaxIndex) {
		w.free = append(w.free, rs.Index(i+1))
	}
	for range c.Players {
		w.joinAny()
	}
	for i := range w.Players {
		if w.Players[i].There && len(w.protected) < c.Viewers {
			w.protected = append(w.protected, rs.Index(i))
		}
	}
	// The cycle in which all came belongs to nobody: viewers find the world as it is.
	w.tellAll()
	w.scene.Prepare()
	w.scene.Advance()
	return w
}

// step lets everybody act once, in ascending order of indices.
func (w *World) step() {
	w.Cycle++
	w.present = w.present[:0]
	for i := range w.Players {
		p := &w.Players[i]
		if p.Said.Has != 0 {
			p.Said.Reset()
		}
		if p.There {
			w.present = append(w.present, rs.Index(i))
		}
	}
	if w.play.begin != nil {
		w.play.begin(w)
	}
	for _, i := range w.present {
		if w.Players[i].There {
			w.play.act(w, i)
		}
	}
	w.tellAll()
}

// tellAll gives the scene what was said in the cycle.
func (w *World) tellAll() {
	for i := range w.Players {
		if p := &w.Players[i]; p.There && p.Said.Has != 0 {
			w.scene.SetInfo(i, &p.Said)
		}
	}
}

// joinAny puts a new player at a free index.
func (w *World) joinAny() {
	last := len(w.free) - 1
	i := w.free[last]
	w.free = w.free[:last]
	w.join(i)
}

// join puts a new player at an index that nobody has.
func (w *World) join(i rs.Index) {
	p := &w.Players[i]
	w.ids++
	at := w.play.place(w)
	*p = Player{There: true, ID: w.ids, At: at, home: at}
	w.scene.Add(int(i), p.ID, at)
	p.Lasting.Target = rs.None
	w.say(i, rs.KindAppearance)
	w.say(i, rs.KindSpeed)
}

// leave takes a player out of the world. Viewers' own players stay.
func (w *World) leave(i rs.Index) bool {
	if slices.Contains(w.protected, i) {
		return false
	}
	w.Players[i] = Player{}
	w.scene.Remove(int(i))
	return true
}

// walk walks or runs by dx, dz, -2..2 each; over the edge of the world nobody goes.
func (w *World) walk(i rs.Index, dx, dz int) {
	p := &w.Players[i]
	x, z := int(p.At.X)+dx, int(p.At.Z)+dz
	if x < 0 || x > rs.MaxCoord || z < 0 || z > rs.MaxCoord {
		return
	}
	p.At.X, p.At.Z = uint16(x), uint16(z)
	w.scene.Move(int(i), p.At, rs.MoveWalk)
}

// jump is a teleport.
func (w *World) jump(i rs.Index, to rs.Tile) {
	w.Players[i].At = to
	w.scene.Move(int(i), to, rs.MoveTeleport)
}

// near is a tile at most r away from t in both axes, inside the world.
func (w *World) near(t rs.Tile, r int) rs.Tile {
	t.X = shift(t.X, w.rng.IntN(2*r+1)-r)
	t.Z = shift(t.Z, w.rng.IntN(2*r+1)-r)
	return t
}

func shift(v uint16, d int) uint16 { return uint16(min(max(int(v)+d, 0), rs.MaxCoord)) }

// chance is true in n of 100 cases.
func (w *World) chance(n int) bool { return w.rng.IntN(100) < n }
