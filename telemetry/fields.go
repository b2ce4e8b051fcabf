package telemetry

// Names of log fields. One thing has one name in every log line of the server, so that a search finds all of them.
const (
	FieldAccount   = "account"   // login name
	FieldActor     = "actor"     // sim.EntityID
	FieldAddr      = "addr"      // remote address and port
	FieldAllowed   = "allowed"   // what a rule allows, in its own unit
	FieldArea      = "area"      // name of the area
	FieldAsked     = "asked"     // what a rule was asked for, in its own unit
	FieldBytes     = "bytes"     // count
	FieldCharacter = "character" // name of the character
	FieldDoor      = "door"      // "rcce", "rs"...
	FieldDuration  = "duration"  // time.Duration
	FieldErr       = "err"       // error
	FieldFeed      = "feed"      // name that a reader of frames subscribed under
	FieldFile      = "file"      // path
	FieldIntents   = "intents"   // count
	FieldLeftOut   = "left_out"  // lines like this one that were not logged, since the one before
	FieldPacket    = "packet"    // the protocol's own name
	FieldPanic     = "panic"     // value of a recovered panic
	FieldPlayers   = "players"   // count
	FieldReason    = "reason"    // name of a reason.Reason
	FieldSession   = "session"   // session.ID
	FieldStack     = "stack"     // of a recovered panic
	FieldTick      = "tick"      // sim.Tick
	FieldWorld     = "world"     // name of the world
)
