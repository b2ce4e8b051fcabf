package rcce

// PacketType is the number of a packet type, the first byte of every message. Source: docs/wire/rcce.md#packets.
type PacketType uint8

// Packet types of the protocol, including those that this package does not parse. The numbers 54..59 are not used. RealmCrafter's
// network library uses 200..202 for events inside a program; received messages with these numbers must be dropped.
const (
	TypeNewClient        PacketType = 0  // announces a client
	TypeCreateAccount    PacketType = 1  // registers an account
	TypeVerifyAccount    PacketType = 2  // logs in
	TypeFetchCharacter   PacketType = 3  // data of a character
	TypeCreateCharacter  PacketType = 4  // creates a character
	TypeDeleteCharacter  PacketType = 5  // deletes a character
	TypeChangePassword   PacketType = 6  // changes a password
	TypeFetchActors      PacketType = 7  // game data for the character menu
	TypeFetchItems       PacketType = 8  // defined, but never sent
	TypeChangeArea       PacketType = 9  // sets area and position of the player
	TypeFetchUpdateFiles PacketType = 10 // list of files that the client should have
	TypeNewActor         PacketType = 11 // adds an actor to the area
	TypeStartGame        PacketType = 12 // enters the world with a character
	TypeActorGone        PacketType = 13 // removes an actor
	TypeStandardUpdate   PacketType = 14 // position and destination of an actor
	TypeInventoryUpdate  PacketType = 15 // changes of inventory, equipment and items on the ground
	TypeChatMessage      PacketType = 16 // chat line
	TypeWeatherChange    PacketType = 17 // weather of an area
	TypeAttackActor      PacketType = 18 // attack and its damage
	TypeActorDead        PacketType = 19 // death of an actor
	TypeRightClick       PacketType = 20 // interaction with an actor
	TypeDialog           PacketType = 21 // dialog with an NPC; not parsed
	TypeStatUpdate       PacketType = 22 // attribute or reputation of an actor
	TypeQuestLog         PacketType = 23 // quest log; not parsed
	TypeGoldChange       PacketType = 24 // gained or lost gold
	TypeNameChange       PacketType = 25 // name and tag of an actor
	TypeKnownSpellUpdate PacketType = 26 // known spells; not parsed
	TypeSpellUpdate      PacketType = 27 // casts or memorises a spell; not parsed
	TypeCreateEmitter    PacketType = 28 // particle effect; not parsed
	TypeSound            PacketType = 29 // sound; not parsed
	TypeAnimateActor     PacketType = 30 // animation of an actor; not parsed
	TypeActionBarUpdate  PacketType = 31 // slot of the action bar
	TypeXPUpdate         PacketType = 32 // experience or level
	TypeScreenFlash      PacketType = 33 // flash of the screen; not parsed
	TypeMusic            PacketType = 34 // music; not parsed
	TypeOpenTrading      PacketType = 35 // begins a trade; not parsed
	TypeActorEffect      PacketType = 36 // buff of the player
	TypeProjectile       PacketType = 37 // projectile in flight
	TypePartyUpdate      PacketType = 38 // members of the party
	TypeAppearanceUpdate PacketType = 39 // look of an actor; not parsed
	TypeCloseTrading     PacketType = 40 // ends a trade; not parsed
	TypeUpdateTrading    PacketType = 41 // changes a trade; not parsed
	TypeSelectScenery    PacketType = 42 // selected scenery; not parsed
	TypeItemScript       PacketType = 43 // runs the script of an item; not parsed
	TypeEatItem          PacketType = 44 // eats an item; not parsed
	TypeItemHealth       PacketType = 45 // condition of an item
	TypeJump             PacketType = 46 // jump of an actor
	TypeDismount         PacketType = 47 // gets off the mount
	TypeFloatingNumber   PacketType = 48 // number that rises from an actor
	TypeRepositionActor  PacketType = 49 // moves or turns an actor
	TypeSpeech           PacketType = 50 // speech sound of an actor; not parsed
	TypeProgressBar      PacketType = 51 // progress bar; not parsed
	TypeBubbleMessage    PacketType = 52 // speech bubble over an actor
	TypeScriptInput      PacketType = 53 // text input for a script; not parsed
	TypeKickedPlayer     PacketType = 60 // disconnects the client
	TypeExamine          PacketType = 61 // requests the description of an actor
	TypeTrade            PacketType = 62 // asks a player to trade
)

// String returns the name of the packet type in the protocol, or "unknown".
func (t PacketType) String() string {
	if row, ok := Lookup(t); ok {
		return row.Name
	}
	return "unknown"
}

// Values of the first byte of an answer to a request about an account or a character. Many answers have no other byte.
const (
	ReplyYes      = 'Y' // the request was accepted
	ReplyNo       = 'N' // the request was refused, or the account does not exist
	ReplyPassword = 'P' // the name or password is wrong, or logins are rate limited
	ReplyBanned   = 'B' // name and password are correct, but the account is banned
	ReplyOnline   = 'L' // name and password are correct, but the account is already in the game
	ReplyName     = 'I' // the name of the character is invalid or taken
)

// Numbers that the protocol defines: lengths of its lists, and slots and ids with a special meaning. Source: RealmCrafter
// specification, sections 2 and 3.
const (
	AttributeCount = 40    // number of attributes of an actor or item
	FactionCount   = 100   // number of factions, and of ratings in NewActor
	DamageTypes    = 20    // number of damage types, 0..19
	SlotCount      = 46    // number of inventory slots, 0..45; those from BackpackSlot on are the backpack
	BackpackSlot   = 14    // first slot of the backpack
	EmptySlot      = 99    // slot number that means an empty slot in FetchCharacterItems
	ActionBarSlots = 36    // number of action bar slots, sent three at a time
	MaxCharacters  = 10    // maximum characters of one account
	NoItem         = 65535 // id that stands for no item, no mesh or no texture
)

// FlagByte returns 1 if on is true, else 0. Clients treat only 1 as true.
func FlagByte(on bool) uint8 {
	if on {
		return 1
	}
	return 0
}
