package rcce

// Type is the first byte of every message. Source: docs/wire/rcce.md#packets.
type Type uint8

// Packet types of the protocol, including those that this package does not parse. The missing numbers 54..59 are
// unused; 200..202 are local events of RealmCrafter's network library and must be dropped when received.
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
	ReplyYes      = 'Y' // the request was accepted
	ReplyNo       = 'N' // the request was refused, or the account does not exist
	ReplyPassword = 'P' // the name or password is wrong, or logins are rate limited
	ReplyBanned   = 'B' // the password is correct, but the account is banned
	ReplyOnline   = 'L' // the password is correct, but the account is already in the game
	ReplyName     = 'I' // the name of the character is invalid or taken
)

// Fixed sizes of the protocol. Source: original specification, section 2 and 3.
const (
	AttributeCount = 40    // number of attributes of an actor or item
	FactionCount   = 100   // number of factions, and of ratings in NewActor
	DamageTypes    = 20    // number of damage types, 0..19
	SlotCount      = 46    // number of inventory slots, 0..45; the backpack begins at BackpackSlot
	BackpackSlot   = 14    // first slot of the backpack
	EmptySlot      = 99    // slot number that means an empty slot in FetchCharacterItems
	ActionBarSlots = 36    // number of action bar slots, sent three at a time
	MaxCharacters  = 10    // maximum characters of one account
	NoItem         = 65535 // id that means no item, no mesh or no texture
)

// Flag encodes a boolean as 1 or 0. Clients treat only 1 as true.
func Flag(on bool) uint8 {
	if on {
		return 1
	}
	return 0
}
