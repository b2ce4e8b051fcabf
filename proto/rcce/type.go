package rcce

// PacketType is the first byte of every message. Source: docs/wire/rcce.md#packets.
type PacketType uint8

// Packet types of the protocol, including those that this package does not parse. The missing numbers 54..59 are
// unused; 200..202 are local events of RealmCrafter's network library and must be dropped when received.
const (
	TypeNewClient        PacketType = 0
	TypeCreateAccount    PacketType = 1
	TypeVerifyAccount    PacketType = 2
	TypeFetchCharacter   PacketType = 3
	TypeCreateCharacter  PacketType = 4
	TypeDeleteCharacter  PacketType = 5
	TypeChangePassword   PacketType = 6
	TypeFetchActors      PacketType = 7
	TypeFetchItems       PacketType = 8
	TypeChangeArea       PacketType = 9
	TypeFetchUpdateFiles PacketType = 10
	TypeNewActor         PacketType = 11
	TypeStartGame        PacketType = 12
	TypeActorGone        PacketType = 13
	TypeStandardUpdate   PacketType = 14
	TypeInventoryUpdate  PacketType = 15
	TypeChatMessage      PacketType = 16
	TypeWeatherChange    PacketType = 17
	TypeAttackActor      PacketType = 18
	TypeActorDead        PacketType = 19
	TypeRightClick       PacketType = 20
	TypeDialog           PacketType = 21
	TypeStatUpdate       PacketType = 22
	TypeQuestLog         PacketType = 23
	TypeGoldChange       PacketType = 24
	TypeNameChange       PacketType = 25
	TypeKnownSpellUpdate PacketType = 26
	TypeSpellUpdate      PacketType = 27
	TypeCreateEmitter    PacketType = 28
	TypeSound            PacketType = 29
	TypeAnimateActor     PacketType = 30
	TypeActionBarUpdate  PacketType = 31
	TypeXPUpdate         PacketType = 32
	TypeScreenFlash      PacketType = 33
	TypeMusic            PacketType = 34
	TypeOpenTrading      PacketType = 35
	TypeActorEffect      PacketType = 36
	TypeProjectile       PacketType = 37
	TypePartyUpdate      PacketType = 38
	TypeAppearanceUpdate PacketType = 39
	TypeCloseTrading     PacketType = 40
	TypeUpdateTrading    PacketType = 41
	TypeSelectScenery    PacketType = 42
	TypeItemScript       PacketType = 43
	TypeEatItem          PacketType = 44
	TypeItemHealth       PacketType = 45
	TypeJump             PacketType = 46
	TypeDismount         PacketType = 47
	TypeFloatingNumber   PacketType = 48
	TypeRepositionActor  PacketType = 49
	TypeSpeech           PacketType = 50
	TypeProgressBar      PacketType = 51
	TypeBubbleMessage    PacketType = 52
	TypeScriptInput      PacketType = 53
	TypeKickedPlayer     PacketType = 60
	TypeExamine          PacketType = 61
	TypeTrade            PacketType = 62
)

// String returns the protocol's name of the type, or "unknown".
func (t PacketType) String() string {
	if row, ok := Lookup(t); ok {
		return row.Name
	}
	return "unknown"
}

// Values of the first byte, often the only one, of the replies to account and character requests.
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

// FlagByte returns 1 if on is true, else 0. Clients treat only 1 as true.
func FlagByte(on bool) uint8 {
	if on {
		return 1
	}
	return 0
}
