package telemetry

// Names of log fields. All log lines use the same field name for the same thing, so that one search finds all lines about that thing.
const (
	FieldAccount   = "account"   // login name
	FieldActor     = "actor"     // sim.EntityID
	FieldAddr      = "addr"      // remote address and port
	FieldAllowed   = "allowed"   // limit of a rule, in the rule's unit
	FieldArea      = "area"      // name of the area
	FieldAsked     = "asked"     // amount that was compared with FieldAllowed, in the rule's unit
	FieldBytes     = "bytes"     // number of bytes
	FieldCharacter = "character" // name of the character
	FieldDoor      = "door"      // name of the door, for example "rcce"
	FieldDuration  = "duration"  // time.Duration
	FieldErr       = "err"       // error
	FieldFeed      = "feed"      // name of a frame subscription
	FieldFile      = "file"      // name of a file, with its path
	FieldIntents   = "intents"   // number of intents
	FieldLeftOut   = "left_out"  // number of similar log lines that the rate limit dropped since the previous one
	FieldPacket    = "packet"    // name of the packet in its protocol
	FieldPanic     = "panic"     // value of a recovered panic
	FieldPlayers   = "players"   // number of players
	FieldReason    = "reason"    // name of a reason.Reason
	FieldSession   = "session"   // session.ID
	FieldStack     = "stack"     // stack of a recovered panic
	FieldTick      = "tick"      // sim.Tick
	FieldWorld     = "world"     // name of the world
)
