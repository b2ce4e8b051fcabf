package rs

// ChangeKind is what a packet says of one player.
type ChangeKind uint8

// Kinds of changes. The first five concern players that were local before the packet, the others those that were not.
const (
	ChangeNone     ChangeKind = iota // as Change.Nested: nothing
	ChangeBlock                      // local stays where he is and has a block
	ChangeWalk                       // local goes one tile
	ChangeRun                        // local goes two tiles
	ChangeTeleport                   // local goes anywhere, also to another plane
	ChangeRemove                     // local is no longer seen
	ChangeReplace                    // local is removed and added again in one entry: the index has a new owner
	ChangeAdd                        // external is seen from now on
	ChangePlane                      // external is on another plane
	ChangeStep                       // external is in a neighbour square
	ChangeJump                       // external is in any square
)

var changeNames = [...]string{
	ChangeNone: "none", ChangeBlock: "block", ChangeWalk: "walk", ChangeRun: "run", ChangeTeleport: "teleport",
	ChangeRemove: "remove", ChangeReplace: "replace", ChangeAdd: "add",
	ChangePlane: "plane", ChangeStep: "step", ChangeJump: "jump",
}

// String is the kind in one word.
func (k ChangeKind) String() string {
	if int(k) < len(changeNames) {
		return changeNames[k]
	}
	return "unknown"
}

// moves says whether the kind takes a local player to another tile.
func (k ChangeKind) moves() bool { return k >= ChangeWalk && k <= ChangeTeleport }

// SpeedInstant as a speed means that the client sets the position without drawing a walk.
const SpeedInstant = 127

// Change is what a packet says of one player.
type Change struct {
	Index  Index
	Kind   ChangeKind
	Nested ChangeKind // ChangePlane, ChangeStep or ChangeJump inside ChangeRemove, ChangeReplace or ChangeAdd
	Block  bool       // an extended-info block follows; see Client.Info
	Far    bool       // ChangeTeleport came in its 30-bit form
	Code   uint8      // direction code of ChangeWalk (0..7), ChangeRun (0..15), ChangeStep or a nested one (0..7)
	Speed  int8       // of ChangeWalk, ChangeRun, ChangeTeleport: 0 crawl, 1 walk, 2 run, SpeedInstant

	From, To             Tile   // exact tiles before and after; From is zero for who was external, To for who is
	FromSquare, ToSquare Square // squares before and after; Left and At differ by what Nested or an external's Kind says

	start, end uint16 // of the block in Client.blocks
}
