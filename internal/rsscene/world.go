package rsscene

import (
	"math/rand/v2"
	"slices"

	"github.com/truestep-io/truestep/proto/rs"
)

// Player is the state of one simulated player. World.Players has an element for each player index; an element without a player
// is the zero value. The expected states of clients are derived from it.
type Player struct {
	Present bool    // a player has the index
	Hidden  bool    // the player exists, but no viewer may see it
	ID      uint64  // differs between successive players with the same index
	Tile    rs.Tile // tile on which the player stands

	// Persistent is the extended info that clients keep beyond the cycle: the newest Appearance, Speed, Target, Clanmate and
	// PIcon. The set Persistent.Has contains the kinds that were set at least once.
	Persistent rs.Info
	// Current is the extended info that was set in this cycle.
	Current rs.Info

	direction [2]int8 // step of each cycle of a walk
	stepsLeft int     // remaining cycles of the walk
	home      rs.Tile
}

// World is the simulated world: its players, and an rs.Scene with the same players, from which packets are encoded.
type World struct {
	Cycle   int                     // number of the last simulated cycle
	Players [rs.MaxIndex + 1]Player // players by index

	profile     *rs.Profile
	scene       *rs.Scene
	script      script
	rng         *rand.Rand
	protected   []rs.Index // viewers' own indices, which are never removed
	free        []rs.Index // unused indices
	present     []rs.Index // indices in use when the cycle began, ascending
	maxPlayers  int
	lastID      uint64
	randomKinds []rs.InfoKind // kinds of extended info that are set at random; appearances are not among them
}

// script is a test scenario: it says where new players appear, and how players act in each cycle.
type script struct {
	place      func(w *World) rs.Tile     // tile of a new player
	beginCycle func(w *World)             // called before the players act; may be nil
	act        func(w *World, i rs.Index) // called once per cycle and player
}

func newWorld(c Config, play script) *World {
	w := &World{
		profile: c.Profile, scene: rs.NewScene(c.Profile), script: play, maxPlayers: c.Players,
		rng: rand.New(rand.NewPCG(c.Seed, 0x776f726c64)),
	}
	for _, k := range c.Profile.BlockOrder() {
		if randomInfo[k] != nil {
			w.randomKinds = append(w.randomKinds, k)
		}
	}
	for _, i := range w.rng.Perm(rs.MaxIndex) {
		w.free = append(w.free, rs.Index(i+1))
	}
	for range c.Players {
		w.addPlayerAtFreeIndex()
	}
	for i := range w.Players {
		if w.Players[i].Present && len(w.protected) < c.Viewers {
			w.protected = append(w.protected, rs.Index(i))
		}
	}
	// Viewers are not sent the cycle in which the first players are added. They begin with the state after it.
	w.commitInfo()
	w.scene.Prepare()
	w.scene.Advance()
	return w
}

// step simulates a cycle: every player acts once, in ascending order of indices.
func (w *World) step() {
	w.Cycle++
	w.present = w.present[:0]
	for i := range w.Players {
		p := &w.Players[i]
		if p.Current.Has != 0 {
			p.Current.Reset()
		}
		if p.Present {
			w.present = append(w.present, rs.Index(i))
		}
	}
	if w.script.beginCycle != nil {
		w.script.beginCycle(w)
	}
	for _, i := range w.present {
		if w.Players[i].Present {
			w.script.act(w, i)
		}
	}
	w.commitInfo()
}

// commitInfo passes the extended info of the cycle to the scene.
func (w *World) commitInfo() {
	for i := range w.Players {
		if p := &w.Players[i]; p.Present && p.Current.Has != 0 {
			w.scene.SetInfo(i, &p.Current)
		}
	}
}

// addPlayerAtFreeIndex adds a player at an unused index.
func (w *World) addPlayerAtFreeIndex() {
	last := len(w.free) - 1
	i := w.free[last]
	w.free = w.free[:last]
	w.addPlayer(i)
}

// addPlayer adds a player at index i, which must be unused.
func (w *World) addPlayer(i rs.Index) {
	p := &w.Players[i]
	w.lastID++
	at := w.script.place(w)
	*p = Player{Present: true, ID: w.lastID, Tile: at, home: at}
	w.scene.Add(int(i), p.ID, at)
	p.Persistent.Target = rs.None
	w.setRandomInfo(i, rs.KindAppearance)
	w.setRandomInfo(i, rs.KindSpeed)
}

// removePlayer removes a player. It returns false for a viewer's own player, which stays.
func (w *World) removePlayer(i rs.Index) bool {
	if slices.Contains(w.protected, i) {
		return false
	}
	w.Players[i] = Player{}
	w.scene.Remove(int(i))
	return true
}

// walk moves a player by dx and dz tiles, each -2..2. It does nothing if the target is outside the world.
func (w *World) walk(i rs.Index, dx, dz int) {
	p := &w.Players[i]
	x, z := int(p.Tile.X)+dx, int(p.Tile.Z)+dz
	if x < 0 || x > rs.MaxCoord || z < 0 || z > rs.MaxCoord {
		return
	}
	p.Tile.X, p.Tile.Z = uint16(x), uint16(z)
	w.scene.Move(int(i), p.Tile, rs.MoveWalk)
}

// teleport moves a player to any tile.
func (w *World) teleport(i rs.Index, to rs.Tile) {
	w.Players[i].Tile = to
	w.scene.Move(int(i), to, rs.MoveTeleport)
}

// randomNear returns a tile at most r away from t on both axes, inside the world.
func (w *World) randomNear(t rs.Tile, r int) rs.Tile {
	t.X = shift(t.X, w.rng.IntN(2*r+1)-r)
	t.Z = shift(t.Z, w.rng.IntN(2*r+1)-r)
	return t
}

func shift(v uint16, d int) uint16 { return uint16(min(max(int(v)+d, 0), rs.MaxCoord)) }

// percent returns true with a probability of n %.
func (w *World) percent(n int) bool { return w.rng.IntN(100) < n }
