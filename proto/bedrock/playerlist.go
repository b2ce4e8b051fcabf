package bedrock

import (
	"fmt"

	"github.com/truestep-io/truestep/proto/wire"
)

// PlayerList adds players to the client's player list, which also holds their skins, or removes them. Packet 63, server
// to client.
//
//	field    encoding
//	Entries  list, up to 1024
//
// Vanilla servers may truncate the last entry; ParsePlayerList refuses a truncated entry.
//
// Source: docs/wire/bedrock.md, other packets.
type PlayerList struct{ Entries []PlayerListEntry }

// PlayerListEntry is a player to add or remove. An entry that removes a player has only the UUID.
//
//	size  field      encoding   range
//	      kind       varu32     0 remove, 1 add
//	1     kind       u8         0 add, 1 remove: the reverse of the first kind
//	16    UUID       uuid
//	      Unique     unique id
//	      Name       str
//	      XUID       str        "" without an account
//	      ChatID     str
//	4     Platform   i32        the DeviceOS of AddPlayer
//	      Skin       Skin
//	1     Teacher    bool
//	1     Host       bool
//	1     SubClient  bool
//	4     Color      i32 BE     ARGB colour in the locator bar
type PlayerListEntry struct {
	Remove                   bool          // remove the player; only UUID is set
	UUID                     UUID          // identifies the player on the list
	Unique                   ActorUniqueID // permanent id of the player
	Name, XUID, ChatID       string        // XUID is "" without an account; ChatID is the PlatformChatID of AddPlayer
	Platform                 int32         // operating system, as DeviceOS in AddPlayer
	Skin                     *Skin         // skin of the player; nil if and only if Remove is true
	Teacher, Host, SubClient bool          // teacher in the education edition; owner of the world; second player of a split screen
	Color                    uint32        // colour in the locator bar, ARGB
}

// Values that say whether a PlayerListEntry adds or removes a player. Each entry states this twice: in the present numbering and
// in an older, reversed one (Legacy).
const (
	listRemove       = 0
	listAdd          = 1
	listRemoveLegacy = 1
	listAddLegacy    = 0
)

// Maximum length of a PlayerList, and minimum size of an encoded entry.
const (
	maxPlayerList      = 1024       // maximum number of entries; chosen without measurements
	minPlayerListEntry = 1 + 1 + 16 // minimum bytes of an entry: one that removes a player
)

// ID returns IDPlayerList.
func (PlayerList) ID() ID { return IDPlayerList }

// ParsePlayerList decodes the body of packet 63. Images of skins share the memory of b. Errors wrap wire.ErrShort,
// wire.ErrRange or wire.ErrTrailing.
func ParsePlayerList(b []byte, _ Version) (PlayerList, error) {
	r := wire.NewReader(b)
	p := PlayerList{Entries: readList(&r, minPlayerListEntry, maxPlayerList, readPlayerListEntry)}
	return p, r.Done("PlayerList")
}

// Append appends the body of packet 63 to b and returns the extended slice.
func (p PlayerList) Append(b []byte, _ Version) []byte {
	b = wire.VarU32(b, uint32(len(p.Entries)))
	for i := range p.Entries {
		b = appendPlayerListEntry(b, &p.Entries[i])
	}
	return b
}

func readPlayerListEntry(r *wire.Reader) PlayerListEntry {
	kind, legacy := r.VarU32(), r.U8()
	if kind > listAdd || uint32(legacy) == kind || legacy > listRemoveLegacy {
		r.Fail(fmt.Errorf("player list entry has the action %d and the legacy action %d, must have 1 and 0 to add a player or 0 and 1 to remove one: %w", kind, legacy, wire.ErrRange))
	}
	e := PlayerListEntry{Remove: kind == listRemove, UUID: readUUID(r)}
	if e.Remove || r.Err() != nil {
		return e
	}
	e.Unique = r.VarI64()
	e.Name, e.XUID, e.ChatID = r.VarStr(), r.VarStr(), r.VarStr()
	e.Platform = r.I32()
	skin := readSkin(r)
	e.Skin = &skin
	e.Teacher, e.Host, e.SubClient = r.Bool(), r.Bool(), r.Bool()
	e.Color = r.BE32()
	return e
}

func appendPlayerListEntry(b []byte, e *PlayerListEntry) []byte {
	if e.Remove {
		return appendUUID(append(b, listRemove, listRemoveLegacy), e.UUID)
	}
	b = wire.VarI64(appendUUID(append(b, listAdd, listAddLegacy), e.UUID), e.Unique)
	b = wire.VarStr(wire.VarStr(wire.VarStr(b, e.Name), e.XUID), e.ChatID)
	b = e.Skin.Append(wire.I32(b, e.Platform))
	b = wire.Bool(wire.Bool(wire.Bool(b, e.Teacher), e.Host), e.SubClient)
	return wire.BE32(b, e.Color)
}
