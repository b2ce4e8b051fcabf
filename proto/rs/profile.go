package rs

// Profile is one revision's way of writing player info: which bits announce which blocks, in which order they come and
// how each field is laid out. The procedure around it (passes, runs, movement) is the same in all revisions but for
// Cell. A profile never changes after it is made and may be shared by any number of goroutines; treat its fields as
// read-only.
//
// A new revision is a new table for ParseProfile, and no new code.
type Profile struct {
	Name        string     // "667"
	Revision    int        // the number that a client logs in with
	SquareShift uint       // 6 or 13: a square is 1<<Cell tiles wide, and an add has Cell bits for each offset in it
	MaxPayload  int        // bytes of the largest player info packet that a client can take
	Ext1, Ext2  uint32     // mask bits that announce a second and a third byte
	Blocks      []BlockDef // in wire order
	WornSlots   []uint8    // by worn position: 1 is not on the wire, 0 can be customised, others cannot

	blocks     []block // Blocks, compiled
	wireOrder  [numKinds]uint8
	kinds      Kinds
	known      uint32 // all bits of Blocks
	appearance appearanceLayout
}

// BlockDef is one block of a profile.
type BlockDef struct {
	Kind       Kind
	Bit        uint32 // in the mask
	Persistent bool   // a client remembers it beyond the cycle, so whoever sees the player later has to be told
	Fields     string // the row of the table, see ParseProfile
}

// Has tells whether the profile has a block of kind k.
func (p *Profile) Has(k Kind) bool { return p.kinds.Has(k) }

// Kinds returns the kinds that the profile has.
func (p *Profile) Kinds() Kinds { return p.kinds }

// Persistent returns the kinds of the profile that a client remembers. Whoever sees a player for the first time has to
// be told those that are not at their defaults.
func (p *Profile) Persistent() Kinds {
	var ks Kinds
	for i := range p.Blocks {
		if p.Blocks[i].Persistent {
			ks = ks.With(p.Blocks[i].Kind)
		}
	}
	return ks
}

// Order returns the profile's kinds in the order of their blocks on the wire. The caller owns the slice.
func (p *Profile) Order() []Kind {
	order := make([]Kind, len(p.blocks))
	for i := range p.blocks {
		order[i] = p.blocks[i].kind
	}
	return order
}

// Profiles returns the profiles that are built in, oldest protocol first. The caller owns the slice.
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

// mustProfile makes a built-in profile; its table is part of the program.
func mustProfile(table string) *Profile {
	p, err := ParseProfile(table)
	if err != nil {
		panic(err)
	}
	return p
}
