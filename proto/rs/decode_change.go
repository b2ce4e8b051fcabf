package rs

// ChangeKind is the type of a player's change in a packet.
type ChangeKind uint8

// Values of PlayerChange.Kind. ChangeBlock to ChangeReplace are changes of players that were local before the packet: the
// client knew their tile. ChangeAdd to ChangeJump are changes of external players: the client knew only their map square.
const (
	ChangeNone     ChangeKind = iota // no change; used for PlayerChange.Nested
	ChangeBlock                      // a local player stays and has a block
	ChangeWalk                       // a local player moves one tile
	ChangeRun                        // a local player moves two tiles
	ChangeTeleport                   // a local player moves any distance, also to another plane
	ChangeRemove                     // a local player becomes external
	ChangeReplace                    // a local player is removed and added again in one entry, because another player has got its index
	ChangeAdd                        // an external player becomes local
	ChangePlane                      // an external player changes plane
	ChangeStep                       // an external player moves to a neighbour square
	ChangeJump                       // an external player moves to any square
)

var changeNames = [...]string{
	ChangeNone: "none", ChangeBlock: "block", ChangeWalk: "walk", ChangeRun: "run", ChangeTeleport: "teleport",
	ChangeRemove: "remove", ChangeReplace: "replace", ChangeAdd: "add",
	ChangePlane: "plane", ChangeStep: "step", ChangeJump: "jump",
}

// String returns the kind in one word.
func (k ChangeKind) String() string {
	if int(k) < len(changeNames) {
		return changeNames[k]
	}
	return "unknown"
}

// moves reports whether k is a movement of a local player.
func (k ChangeKind) moves() bool { return k >= ChangeWalk && k <= ChangeTeleport }

// SpeedInstant is the speed at which the client sets the position immediately, without an animated walk.
const SpeedInstant = 127

// PlayerChange is the change of one player in a packet.
type PlayerChange struct {
	Index  Index      // index of the player in the client
	Kind   ChangeKind // what changed, such as ChangeWalk
	Nested ChangeKind // ChangePlane, ChangeStep or ChangeJump inside a ChangeRemove, ChangeReplace or ChangeAdd
	Block  bool       // an extended-info block follows, see PlayerInfoDecoder.Info
	Far    bool       // the distance of a ChangeTeleport is encoded in 30 bits instead of 12
	Code   uint8      // direction code: 0..7 for ChangeWalk and ChangeStep (also if nested), 0..15 for ChangeRun
	Speed  int8       // speed of a move of a local player: 0 crawl, 1 walk, 2 run, SpeedInstant

	From, To             Tile      // tiles before and after; From is zero if the player was external before, To if the player is external now
	FromSquare, ToSquare MapSquare // squares before and after the change, which Nested describes, or Kind for an external player

	start, end uint16 // byte range of the block in PlayerInfoDecoder.blocks
}
