package rcce

// Type is the first byte of every message. Source: docs/wire/rcce.md#packets.
type Type uint8

// Packet types of the protocol, including unparsed ones. Missing numbers (54..59) are unused; 200..202 are local events of
// the original network library and must be dropped when received.
const (
	TypeNewClient        Type = 0
	TypeCreateAccount    Type = 1
	TypeVerifyAccount    Type = 2
	TypeFetchCharacter   Type = 3
	TypeCreateCharacter  Type = 4
	TypeDeleteCharacter  Type = 5
	TypeChangePassword   Type = 6
	TypeFetchActors      Type = 7
	TypeFetchItems       Type = 8
	TypeChangeArea       Type = 9
	TypeFetchUpdateFiles Type = 10
	TypeNewActor         Type = 11
	TypeStartGame        Type = 12
	TypeActorGone        Type = 13
	TypeStandardUpdate   Type = 14
	TypeInventoryUpdate  Type = 15
	TypeChatMessage      Type = 16
	TypeWeatherChange    Type = 17
	TypeAttackActor      Type = 18
	TypeActorDead        Type = 19
	TypeRightClick       Type = 20
	TypeDialog           Type = 21
	TypeStatUpdate       Type = 22
	TypeQuestLog         Type = 23
	TypeGoldChange       Type = 24
	TypeNameChange       Type = 25
	TypeKnownSpellUpdate Type = 26
	TypeSpellUpdate      Type = 27
	TypeCreateEmitter    Type = 28
	TypeSound            Type = 29
	TypeAnimateActor     Type = 30
	TypeActionBarUpdate  Type = 31
	TypeXPUpdate         Type = 32
	TypeScreenFlash      Type = 33
	TypeMusic            Type = 34
	TypeOpenTrading      Type = 35
	TypeActorEffect      Type = 36
	TypeProjectile       Type = 37
	TypePartyUpdate      Type = 38
	TypeAppearanceUpdate Type = 39
	TypeCloseTrading     Type = 40
	TypeUpdateTrading    Type = 41
	TypeSelectScenery    Type = 42
	TypeItemScript       Type = 43
	TypeEatItem          Type = 44
	TypeItemHealth       Type = 45
	TypeJump             Type = 46
	TypeDismount         Type = 47
	TypeFloatingNumber   Type = 48
	TypeRepositionActor  Type = 49
	TypeSpeech           Type = 50
	TypeProgressBar      Type = 51
	TypeBubbleMessage    Type = 52
	TypeScriptInput      Type = 53
	TypeKickedPlayer     Type = 60
	TypeExamine          Type = 61
	TypeTrade            Type = 62
)

// String returns the protocol's name of the type, or "unknown".
func (t Type) String() string {
	if row, ok := Lookup(t); ok {
		return row.Name
	}
	return "unknown"
}

// Results of the account packets: the first and often only byte of a reply.
const (
	ReplyYes      = 'Y' // accepted
	ReplyNo       = 'N' // refused, or no such account
	ReplyPassword = 'P' // wrong name or password, or throttled
	ReplyBanned   = 'B' // the password was right, the account is banned
	ReplyOnline   = 'L' // the password was right, the account is already in the game
	ReplyName     = 'I' // the character's name is bad or taken
)

// Fixed sizes of the protocol. Source: spec rcce 2 and 3.
const (
	AttributeCount = 40    // attributes of an actor or item
	FactionCount   = 100   // factions, and ratings in NewActor
	DamageTypes    = 20    // damage types 0..19
	SlotCount      = 46    // inventory slots 0..45; 14 and up are the backpack
	BackpackSlot   = 14    // first slot of the backpack
	EmptySlot      = 99    // slot number that means "no item" in FetchCharacterItems
	ActionBarSlots = 36    // slots of the action bar, sent three at a time
	MaxCharacters  = 10    // entries of a roster
	NoItem         = 65535 // no item, no mesh, no texture
)

// Flag encodes a boolean: 1 or 0. Clients compare with exactly 1.
func Flag(on bool) uint8 {
	if on {
		return 1
	}
	return 0
}
