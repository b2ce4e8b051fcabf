package rsscene

import "github.com/truestep-io/truestep/proto/rs"

// Limits of what a RuneScape client is shown. Other servers have the same limits (docs/wire/rs.md, more than 250 in view).
const (
	maxRange     = 15  // view range in tiles on both axes, on the same plane
	maxLocals    = 250 // maximum number of local players; while it is reached, the view range shrinks by a tile per cycle
	growAfter    = 10  // after this many cycles with fewer local players, the view range grows by a tile per cycle
	addsPerCycle = 40  // maximum number of players added per cycle, so that their appearances fit into a packet
)

// Viewer holds what the client of one player must know after each cycle, and the packets for that client.
type Viewer struct {
	Self rs.Index // index of the viewer's own player

	// Results of the last Step. The placement block is the data that a client receives at a login or a reconnect, before its
	// first packet: its own tile, and the map squares of all other players.
	Placement []byte // placement block to apply before the packet; nil if there is none
	Packet    []byte // player-info payload; nil if none was sent

	encoderView *rs.Viewer // the encoder's state of this viewer
	world       *World
	local       [rs.MaxIndex + 1]uint64 // Player.ID of local players, 0 for others
	localCount  int                     // number of local players
	viewRange   int                     // in tiles
	quietCycles int                     // number of cycles with fewer local players than maxLocals since the range shrank
	missed      int                     // number of consecutive cycles without a packet
	want        rs.RowSet               // players that must be local after the packet
	truth       Truth
}

// Truth is the expected state of a client after a cycle: what the client knows of the player with each index.
type Truth struct {
	IsLocal [rs.MaxIndex + 1]bool         // local players, including the client's player
	Tile    [rs.MaxIndex + 1]rs.Tile      // tiles of local players, by index
	Square  [rs.MaxIndex + 1]rs.MapSquare // map squares of players that are not local; 0 for unused indices
}

func newViewer(w *World, self rs.Index) *Viewer {
	v := &Viewer{Self: self, world: w, encoderView: rs.NewViewer(w.scene, self), want: rs.NewRowSet(rs.MaxIndex + 1)}
	v.reset(w)
	return v
}

// reset simulates a login or a reconnect of the client. It creates a new placement block, the first data that a client then
// receives, and sets the expected state to that of a client that has just received the block.
func (v *Viewer) reset(w *World) {
	v.encoderView.Reset(w.scene)
	v.Placement = v.encoderView.AppendPlacement(nil, w.scene)
	v.local = [rs.MaxIndex + 1]uint64{}
	v.local[v.Self] = w.Players[v.Self].ID
	v.localCount, v.viewRange, v.quietCycles = 1, maxRange, growAfter
}

// update encodes the viewer's packet of a cycle. If sent is false, the packet is discarded and the viewer's state does not
// change.
func (v *Viewer) update(w *World, enc *rs.PlayerInfoEncoder, sent bool) error {
	local, count, reach, calm := v.local, v.localCount, v.viewRange, v.quietCycles
	v.updateLocals(w)
	packet, err := enc.Encode(nil, w.scene, v.encoderView, v.want, rs.PacketLimits{})
	if err != nil {
		return err
	}
	if !sent {
		v.encoderView.Discard()
		v.local, v.localCount, v.viewRange, v.quietCycles = local, count, reach, calm
		v.missed++
		return nil
	}
	v.encoderView.Commit()
	v.Packet, v.missed = packet, 0
	return nil
}

// adjustRange adapts the view range to the number of local players, before a packet is encoded. It reduces the range if there
// are too many, and increases it after some cycles with fewer.
func (v *Viewer) adjustRange() {
	if v.localCount >= maxLocals {
		v.viewRange, v.quietCycles = max(0, v.viewRange-1), 0
		return
	}
	if v.quietCycles++; v.quietCycles >= growAfter {
		if v.viewRange < maxRange {
			v.viewRange++
		} else {
			v.quietCycles = 0
		}
	}
}

// updateLocals selects the players that the client draws (local players) after the packet. If the index of a local player
// now belongs to another player, the packet removes the former player. Only the next packet can add the new one.
func (v *Viewer) updateLocals(w *World) {
	v.adjustRange()
	v.want.Clear()
	at := w.Players[v.Self].Tile
	stay := 0
	for i := range w.Players {
		p := &w.Players[i]
		if v.local[i] == 0 {
			continue
		}
		if rs.Index(i) == v.Self || p.Present && !p.Hidden && p.Tile.Within(at, v.viewRange) {
			v.want.Add(i)
			if v.local[i] == p.ID {
				stay++
				continue
			}
		}
		v.local[i] = removed
	}
	v.localCount = stay
	for i, adds := 1, 0; i < len(w.Players) && adds < addsPerCycle && v.localCount < maxLocals; i++ {
		p := &w.Players[i]
		if v.local[i] == 0 && p.Present && !p.Hidden && p.Tile.Within(at, v.viewRange) {
			v.want.Add(i)
			v.local[i] = p.ID
			v.localCount++
			adds++
		}
	}
	for i := range v.local {
		if v.local[i] == removed {
			v.local[i] = 0
		}
	}
}

// removed marks a local player that the packet of this cycle removes. Viewer.local then contains this value in place of the
// player's ID.
const removed = 1<<64 - 1

// Stats returns the counters that the encoder has for this viewer.
func (v *Viewer) Stats() rs.ViewerStats { return v.encoderView.Stats() }

// Truth returns the expected state of the client after the last Step. It is defined only if that Step has set Packet, and is
// valid until the next Step.
func (v *Viewer) Truth() *Truth {
	t := &v.truth
	*t = Truth{}
	for i := range v.world.Players {
		if p := &v.world.Players[i]; v.local[i] != 0 {
			t.IsLocal[i], t.Tile[i] = true, p.Tile
		} else if p.Present {
			t.Square[i] = rs.SquareOf(p.Tile, v.world.profile.SquareShift)
		}
	}
	return t
}
