package web

// MessageCode is the first byte of a control message. It says what the message is.
type MessageCode uint8

// Values of MessageCode. Codes below 0x40 are for messages of clients, all others for messages of the server.
const (
	CodeHello   MessageCode = 0x02 // Hello: asks to enter the world
	CodeAct     MessageCode = 0x03 // Act: request of the player
	CodeWelcome MessageCode = 0x41 // Welcome: admits the client
	CodeRefused MessageCode = 0x42 // Refused: does not admit the client
	CodeEnter   MessageCode = 0x43 // Enter: an actor comes into view
	CodeLeave   MessageCode = 0x44 // Leave: an actor goes out of view
	CodeBody    MessageCode = 0x45 // Body: slow fields of an actor change
	CodeEvent   MessageCode = 0x46 // Event: something has happened, such as a hit
	CodeOwn     MessageCode = 0x47 // Own: state of the client's own player
	CodeArea    MessageCode = 0x48 // Area: the player is in another area
	CodeAnswer  MessageCode = 0x49 // Answer: result of an Act
	CodeBye     MessageCode = 0x4a // Bye: the server closes the connection
	CodeGame    MessageCode = 0x4b // GameEvent: event that the game defines
	CodeFields  MessageCode = 0x4c // AreaFields: fields of the area that the game defines
)

// Maximum lengths of control messages, in bytes.
const (
	MaxHello  = 2048 // maximum length of a Hello
	MaxAct    = 512  // maximum length of an Act
	MaxServer = 4096 // maximum length of a message of the server
)

// HelloMagic is the text at the beginning of a Hello, after the code. It identifies the protocol.
const HelloMagic = "TSW1"

// NoHandle is used in place of a handle if there is no actor, or if the client does not know the actor.
const NoHandle = 0xffff

// Message is a control message, of the client or of the server.
type Message interface {
	Code() MessageCode
	appendBody(b []byte) []byte
}

// ResumeToken identifies a session. A client sends it to resume the session on another connection. The zero value means that
// there is no token.
type ResumeToken [16]byte

// Hash identifies a schema, or the ground (the blocks) of an area. It is the first 8 bytes of the SHA-256 of its content.
type Hash [8]byte

// Hello is the first message of a client. It asks to enter the world with a ticket, or to resume a session.
//
//	size  field
//	4     magic      "TSW1"
//	4     features   u32, feature bits of the client
//	8     schema     hash of the schema that the client knows; zero: the one that came with the ticket
//	16    resume     token of an earlier Welcome, or zero
//	      ticket     str16, from POST /play/v1/ticket; may be empty with a token
type Hello struct {
	Features uint32      // feature bits of the client, such as FeatureMotion
	Schema   Hash        // hash of the schema that the client knows; zero: the schema that came with the ticket
	Resume   ResumeToken // token of an earlier Welcome; zero to enter with the ticket
	Ticket   string      // ticket from POST /play/v1/ticket; may be empty with a token
}

// Bits of Hello.Features and Welcome.Features: protocol features that the sender of the message supports.
const (
	// FeatureMotion is the way in which snapshots are coded; there is no other one. Positions are predicted with velocities
	// that turn with the actors. The rates at which angles change are predicted to become smaller. Learned probabilities change
	// faster after few decisions than after many.
	FeatureMotion uint32 = 1 << 0

	// FeatureKnownActs is set in a Welcome only, and only if the server knows which requests (Act) of the session that the Hello's
	// token names were executed. Only then does a client repeat those that were not answered: a server that does not know them, such
	// as another node of a cluster, would execute them again.
	FeatureKnownActs uint32 = 1 << 1

	// Features contains the features that all servers and clients of this version have. The server refuses a client that does not
	// support all of them, and a client ends the connection to a server that does not.
	Features = FeatureMotion
)

// Act is a request of the player other than movement, for example an attack. The server responds to each Act with an Answer,
// which contains the number of the Act.
//
//	size  field
//	2     number   u16, ascending from 1; requests that are repeated (see FeatureKnownActs) keep their number and are carried out once
//	1     verb     u8, VerbAttack and so on
//	4     tick     u32, newest tick that the client has predicted, low bits
//	3     seen     u24, tick at which the client draws others, in 1/256 ticks, low bits
//	2     handle   u16, actor that the request concerns, or NoHandle
//	      text     str16, UTF-8
//	1     command  u8, index in Schema.Commands; this and the rest only with VerbCommand
//	1     n        u8, number of arguments
//	4n    args     i32 x n, the arguments that are numbers, at their index in Command.Args
type Act struct {
	Number  uint16  // number of the request, ascending from 1; a repeated request keeps its number
	Verb    ActVerb // kind of the request
	Tick    uint32  // newest tick that the client has predicted, low 32 bits
	Seen    uint32  // tick at which the client drew the other actors, in 1/256 ticks, low 24 bits
	Handle  uint16  // actor that the request concerns, or NoHandle
	Text    string  // text of the request, for example the line to say; "" if the verb needs none
	Command uint8   // index in Schema.Commands; only with VerbCommand
	Args    []int32 // numbers among the command's arguments, at their index in Command.Args; only with VerbCommand
}

// ActVerb says what an Act requests.
type ActVerb uint8

// Values of ActVerb: what a player requests.
const (
	VerbAttack  ActVerb = 1 + iota // attack the actor
	VerbSay                        // say the text to all players of the area
	VerbWake                       // respawn after death
	VerbUse                        // use the item in hand; with the text "stop", end the use
	VerbLeave                      // leave the world at once
	VerbCommand                    // command that the game defines: number in Command, arguments in Args, Handle (actor) and Text
	verbs
)

// Welcome admits a client to the world. It is followed by an Enter message for each actor in view, first for the client's own
// actor.
//
//	size  field
//	1     run        u8
//	4     features   u32, feature bits of the server
//	1     ticks      u8, ticks of the server per second
//	8     tick       u64, the client's next tick is tick + 1
//	2     own        u16, handle of the client's own actor
//	      area       Area without its code
//	16    resume     token
//	8     schema     hash
//	      avatar     Avatar
type Welcome struct {
	Run      uint8       // number of the run, the sequence of snapshots that starts after this message; counts 0..7, then 0 again
	Features uint32      // feature bits of the server, and FeatureKnownActs
	Ticks    uint8       // ticks of the server per second
	Tick     uint64      // tick before the first tick of the client, which is Tick + 1
	Own      uint16      // handle of the client's own actor
	Area     Area        // area in which the player is
	Resume   ResumeToken // token with which another connection can resume the session
	Schema   Hash        // hash of the schema of the world
	Avatar   Avatar      // state of the client's own player, from which it begins to predict
}

// Refused tells a client that it is not admitted to the world, and why. The server then closes the connection.
//
//	size  field
//	1     reason    u8, RefusedTicket and so on
//	2     seconds   u16, seconds until another try may succeed, 0: it will not
//	      text      str16, a sentence for the player
type Refused struct {
	Reason  RefusedReason // why the client is not admitted
	Seconds uint16        // seconds after which another try may succeed; 0 if another try is useless
	Text    string        // a sentence for the player
}

// RefusedReason says why a client is not admitted to the world.
type RefusedReason uint8

// Values of RefusedReason: why a client is not admitted.
const (
	RefusedTicket   RefusedReason = 1 + iota // the ticket is not valid, was used already or has expired: request another ticket
	RefusedFull                              // the server is full
	RefusedBusy                              // the server is overloaded
	RefusedOnline                            // a player of the account is already in the world
	RefusedBanned                            // the account is banned
	RefusedClosed                            // the world does not accept new accounts
	RefusedVersion                           // the client's protocol is not supported
	RefusedSchema                            // the client knows another schema: it must load the present one
	RefusedInternal                          // an error of the server
)

// Enter tells the client about an actor, with all its fields. Later messages and snapshots name the actor by its handle.
//
//	size  field
//	2     handle   u16
//	1     kind     u8, index of the kind in the schema
//	1     n        u8, number of fast fields
//	4n    state    i32 x n, the fields of snapshots
//	      body     as in Body, with all fields
type Enter struct {
	Handle uint16  // handle of the actor until a Leave message with the same handle
	Kind   uint8   // index in Schema.Kinds
	State  []int32 // values of the fields that snapshots contain, in the order of ActorKind.Fields
	Body   Body    // all slow fields, which snapshots do not contain; Body.Handle is not sent
}

// Limits for the fields, commands and events of a game.
const (
	MaxFields = 32 // maximum number of fields of a kind in snapshots
	MaxSlow   = 64 // maximum number of slow fields of a kind, and of fields of an area
	MaxArgs   = 8  // maximum number of arguments of a command or an event
)

// Body changes those fields of an actor that snapshots do not contain because they rarely change, such as its name and level. An
// Enter message contains the same fields, without the handle.
//
//	size  field
//	2     handle      u16; not in an Enter
//	1     mask        u8, which of the following are present
//	      door        str8, bit 0: name of the door of the player, such as "rcce"; empty for an NPC
//	2     level       u16, bit 1
//	4     healthMax   i32, bit 2
//	1     height      u8, bit 3: height of the figure in 1/16 blocks
//	      name        str8, bit 4: UTF-8
//	      fields      bit 5: u8 n, i32 x n: the slow fields of the kind; an Enter has it only if the kind has slow fields
type Body struct {
	Handle    uint16   // handle of the actor; not sent in an Enter
	Mask      BodyMask // which of the following fields are present
	Door      string   // name of the player's door, such as "rcce"; empty for an NPC
	Level     uint16   // level of the actor
	HealthMax int32    // maximum health, points
	Height    uint8    // height of the actor, 1/16 blocks
	Name      string   // name of the actor, UTF-8
	Fields    []int32  // values of the kind's slow fields in the order of ActorKind.Slow
}

// BodyMask says which fields a Body contains.
type BodyMask uint8

// Bits of BodyMask, one for each field of a Body.
const (
	BodyDoor      BodyMask = 1 << iota // Body.Door is present
	BodyLevel                          // Body.Level is present
	BodyHealthMax                      // Body.HealthMax is present
	BodyHeight                         // Body.Height is present
	BodyName                           // Body.Name is present
	BodyFields                         // Body.Fields is present

	BodyAll = BodyFields - 1 // the fields that every kind has
)

// Leave tells the client to stop showing an actor. When the client has confirmed this message (Input.Heard), the server may use
// the handle for another actor.
//
//	size  field
//	2     handle   u16
//	1     reason   u8, LeaveSight and so on
type Leave struct {
	Handle uint16      // handle of the actor
	Reason LeaveReason // why the client no longer shows the actor
}

// LeaveReason says why a client must stop displaying an actor.
type LeaveReason uint8

// Values of LeaveReason: why a client no longer shows an actor.
const (
	LeaveSight LeaveReason = 1 + iota // the actor is out of sight
	LeaveGone                         // the actor left the world or the area
	LeaveDead                         // the actor is an NPC that died
)

// Event is something that happened in a tick, such as a hit or a line of chat. The client should show it when it displays that
// tick.
//
//	size  field
//	4     tick     u32, low bits of the server's tick
//	1     kind     u8, EventStruck and so on
//	2     who      u16, handle or NoHandle
//	2     other    u16, handle or NoHandle
//	4     value    i32
//	      text     str16, UTF-8
type Event struct {
	Tick       uint32    // tick in which it happened, low 32 bits
	Kind       EventKind // what happened; determines which of the following fields are set
	Who, Other uint16    // handles of the actors, or NoHandle; see EventKind
	Value      int32     // meaning and unit by Kind; see EventKind
	Text       string    // text by Kind, UTF-8; see EventKind
}

// EventKind says what has happened in an Event.
type EventKind uint8

// Values of EventKind. The brackets after each list the fields that such an Event uses, in addition to Tick.
const (
	EventStruck  EventKind = 1 + iota // an attack hits or misses [Who: attacker, Other: victim, Value: damage, -1 for a miss]
	EventShot                         // a projectile flies [Who: shooter, Other: target, Value: time of flight in ms]
	EventDied                         // an actor dies [Who: the dead, Other: killer, Text: name of the dead]
	EventSaid                         // an actor says a line of chat [Who: speaker, Text: line]
	EventTold                         // line for this player [Value: tone 0 system, 1 warning, 2 combat, 3 announcement; Text: line]
	EventJumped                       // an actor jumps [Who: the actor]
	EventXP                           // the player gains experience [Value: points]
	EventRespawn                      // an actor respawns [Who: the actor]
	eventKinds
)

// Own tells a client in which state its own player is on the server after one of the client's ticks. The client replaces the
// state that it predicted for that tick, and applies its later inputs again.
//
//	size  field
//	4     tick     u32, client tick whose result is Avatar, low bits; 0 before the client's first input
//	2     serial   u16, to be confirmed in Input.Barrier; 0: nothing to confirm
//	1     reason   u8, see GET /play/v1/reasons
//	1     what     u8, OwnCorrected and so on
//	      avatar   Avatar
type Own struct {
	Tick   uint32  // client tick whose result is Avatar, low 32 bits; 0 before the client's first input
	Serial uint16  // number that the client returns in Input.Barrier after it has applied the state; 0: nothing to confirm
	Reason uint8   // reason of a correction, a number of GET /play/v1/reasons
	What   OwnKind // cause of the message, such as OwnKnockback
	Avatar Avatar  // state of the client's own player
}

// OwnKind says why the server has sent an Own message.
type OwnKind uint8

// Values of OwnKind: why the server sends the state of the client's own player.
const (
	OwnCorrected  OwnKind = 1 + iota // the prediction was wrong
	OwnKnockback                     // a blow or an effect changed the velocity
	OwnTeleported                    // the player was moved; the next input has KeyHandledTeleport
	OwnStance                        // posture, abilities or speed of the player changed
	ownKinds
)

// Area tells a client that its player is in another area. The client forgets all handles, and downloads the ground (the blocks)
// of the area.
//
//	size  field
//	2     area     u16
//	8     ground   hash; GET /play/v1/ground/HEX
//	1     run      u8
//	2     own      u16, handle of the client's own actor in the area
//	      name     str8, UTF-8
type Area struct {
	Area   uint16 // id of the area
	Ground Hash   // hash of the area's ground; download it from GET /play/v1/ground/HEX
	Run    uint8  // number of the run, the sequence of snapshots that starts after this message; counts 0..7, then 0 again
	Own    uint16 // handle of the client's own actor in the area
	Name   string // name of the area, UTF-8
}

// Answer is the result of an Act: that it was carried out, or why it was not.
//
//	size  field
//	2     number    u16
//	1     reason    u8, 0: carried out, otherwise why not: a number of GET /play/v1/reasons
//	4     asked     f32, requested value in the unit of the reason, such as a distance
//	4     allowed   f32, limit of that value
//	      text      str8, sentence of the game's rules for the player; empty: show the standard sentence of the reason
type Answer struct {
	Number         uint16  // Act.Number of the request
	Reason         uint8   // 0 if the request was carried out, otherwise the number of the reason, see GET /play/v1/reasons
	Asked, Allowed float32 // requested value and its limit, such as a distance, in the unit of the reason
	Text           string  // sentence of the game's rules for the player; if empty, the client shows the standard sentence of the reason
}

// Bye tells a client that the server closes the connection, and why.
//
//	size  field
//	1     reason   u8, ByeStopping and so on
//	1     resume   u8, 1: the client may resume
//	      text     str16, a sentence for the player
type Bye struct {
	Reason ByeReason // why the server closes the connection
	Resume bool      // the client may resume the session from another connection
	Text   string    // a sentence for the player
}

// GameEvent tells a client about an event that the rules of the game have sent. The schema declares the events of the game.
//
//	size  field
//	4     tick     u32, low bits of the server's tick
//	1     event    u8, index in Schema.Events
//	2     who      u16, the actor that the event is about: handle or NoHandle
//	2     other    u16, the argument that is an actor: handle or NoHandle
//	1     n        u8, number of arguments that the event declares
//	4n    args     i32 x n, one element for each declared argument: the value in steps if it is a number
//	      text     str16, the argument that is a text
type GameEvent struct {
	Tick       uint32  // tick in which it happened, low 32 bits
	Event      uint8   // index in Schema.Events
	Who, Other uint16  // Who: handle of the actor that the event is about; Other: handle of the actor argument; or NoHandle
	Args       []int32 // by index of the argument in Schema.Events[Event].Args: the value in steps, if the argument is a number
	Text       string  // text among the event's arguments, UTF-8
}

// AreaFields contains the values of all fields that the game declares for areas. The server sends it after an Area or a Welcome,
// and when one of the values changes.
//
//	size  field
//	1     n        u8
//	4n    values   i32 x n, in the order of Schema.Area
type AreaFields struct {
	Values []int32 // values in units of SchemaField.Step, in the order of Schema.Area
}

// ByeReason says why the server closes a connection.
type ByeReason uint8

// Values of ByeReason: why the server closes a connection.
const (
	ByeStopping  ByeReason = 1 + iota // the server stops
	ByeElsewhere                      // the session continues on another connection
	ByeMalformed                      // the client violated the protocol
	ByeSlow                           // the client does not read
	ByeKicked                         // an operator or a rule removed the player
	ByeLeft                           // the player left
)

// Code returns CodeHello, the first byte of the message.
func (*Hello) Code() MessageCode { return CodeHello }

// Code returns CodeAct, the first byte of the message.
func (*Act) Code() MessageCode { return CodeAct }

// Code returns CodeWelcome, the first byte of the message.
func (*Welcome) Code() MessageCode { return CodeWelcome }

// Code returns CodeRefused, the first byte of the message.
func (*Refused) Code() MessageCode { return CodeRefused }

// Code returns CodeEnter, the first byte of the message.
func (*Enter) Code() MessageCode { return CodeEnter }

// Code returns CodeBody, the first byte of the message.
func (*Body) Code() MessageCode { return CodeBody }

// Code returns CodeLeave, the first byte of the message.
func (*Leave) Code() MessageCode { return CodeLeave }

// Code returns CodeEvent, the first byte of the message.
func (*Event) Code() MessageCode { return CodeEvent }

// Code returns CodeOwn, the first byte of the message.
func (*Own) Code() MessageCode { return CodeOwn }

// Code returns CodeArea, the first byte of the message.
func (*Area) Code() MessageCode { return CodeArea }

// Code returns CodeAnswer, the first byte of the message.
func (*Answer) Code() MessageCode { return CodeAnswer }

// Code returns CodeBye, the first byte of the message.
func (*Bye) Code() MessageCode { return CodeBye }

// Code returns CodeGame, the first byte of the message.
func (*GameEvent) Code() MessageCode { return CodeGame }

// Code returns CodeFields, the first byte of the message.
func (*AreaFields) Code() MessageCode { return CodeFields }
