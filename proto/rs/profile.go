package rs

// Profile is the layout of extended player info in one revision: which mask bits announce which blocks, the order of the blocks
// and the encoding of their fields. All else in the player info packet (passes, runs, movement) is the same in all revisions,
// except for SquareShift. A profile is immutable and may be shared by any number of goroutines; do not modify its fields.
//
// A new revision needs a new table for ParseProfile, and no new code.
type Profile struct {
	Name        string     // short name of the revision, for example "667"
	Revision    int        // revision number that the client sends at login
	SquareShift uint       // 6 or 13: a map square is 1<<SquareShift tiles wide, so an offset in it has SquareShift bits on each axis
	MaxPayload  int        // length of the largest player info packet that the client accepts, bytes
	Ext1, Ext2  uint32     // mask bits that announce the second and the third mask byte
	Blocks      []BlockDef // blocks in wire order
	WornSlots   []uint8    // by worn position: 1 not sent; 0 sent, can be customised; other values: sent, cannot be customised

	blocks     []block // compiled form of Blocks
	wireOrder  [numKinds]uint8
	kinds      InfoKindSet
	known      uint32 // union of the bits of Blocks
	appearance appearanceLayout
}

// BlockDef describes one block of a profile: the kind of info in it, the mask bit that announces it, and its fields.
type BlockDef struct {
	Kind       InfoKind // kind of info in the block
	Bit        uint32   // mask bit that announces the block
	Persistent bool     // clients keep the info beyond the cycle, so it is also sent to viewers that see the player later
	Fields     string   // fields of the table row, see ParseProfile
}

// Has reports whether the profile has a block of kind k.
func (p *Profile) Has(k InfoKind) bool { return p.kinds.Has(k) }

// Kinds returns the kinds of the profile.
func (p *Profile) Kinds() InfoKindSet { return p.kinds }

// PersistentKinds returns the kinds of info that clients of this profile keep beyond the cycle in which they receive them.
// When a player is added to a client's view, the client must be sent those of these kinds whose values differ from the
// default.
func (p *Profile) PersistentKinds() InfoKindSet {
	var ks InfoKindSet
	for i := range p.Blocks {
		if p.Blocks[i].Persistent {
			ks = ks.With(p.Blocks[i].Kind)
		}
	}
	return ks
}

// BlockOrder returns the profile's kinds in the order of their blocks on the wire. The caller owns the slice.
func (p *Profile) BlockOrder() []InfoKind {
	order := make([]InfoKind, len(p.blocks))
	for i := range p.blocks {
		order[i] = p.blocks[i].kind
	}
	return order
}

// Profiles returns the built-in profiles, oldest revision first. The caller owns the slice.
func Profiles() []*Profile { return []*Profile{Profile634, Profile667, ProfileOSRS239} }

// ProfileNamed returns the built-in profile of that name: "634", "667" or "osrs239".
func ProfileNamed(name string) (*Profile, bool) {
	for _, p := range Profiles() {
		if p.Name == name {
			return p, true
		}
	}
	return nil, false
}

// mustProfile parses a built-in profile and panics on errors.
func mustProfile(table string) *Profile {
	p, err := ParseProfile(table)
	if err != nil {
		panic(err)
	}
	return p
}
