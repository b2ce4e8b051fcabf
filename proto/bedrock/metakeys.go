package bedrock

// MetaKey identifies a value in an actor's Metadata.
type MetaKey uint32

// Values of MetaKey: the keys that players and vehicles use. The protocol defines 144 keys.
//
// Source: docs/wire/bedrock.md, client-bound packets with a tick.
const (
	MetaFlags          MetaKey = 0   // MetaLong: the ActorFlags 0..63
	MetaHealth         MetaKey = 1   // MetaInt: health of the actor
	MetaVariant        MetaKey = 2   // MetaInt: variant of the actor's appearance
	MetaName           MetaKey = 4   // MetaString: name tag
	MetaOwner          MetaKey = 5   // MetaLong: unique id of the owner of the actor
	MetaTarget         MetaKey = 6   // MetaLong: unique id of the actor that this actor targets
	MetaAir            MetaKey = 7   // MetaShort: ticks of air left under water
	MetaEffectColor    MetaKey = 8   // MetaInt: colour of the actor's effect particles
	MetaEffectAmbience MetaKey = 9   // MetaByte: 1 if the effect of MetaEffectColor comes from a beacon
	MetaPaddleLeft     MetaKey = 13  // MetaFloat: time for which the left paddle of a boat has moved
	MetaPaddleRight    MetaKey = 14  // MetaFloat: time for which the right paddle of a boat has moved
	MetaPlayerFlags    MetaKey = 26  // MetaByte: bit 1 means that the player sleeps
	MetaPlayerIndex    MetaKey = 27  // MetaInt: index of the player; not used by Truestep
	MetaBedPosition    MetaKey = 28  // MetaBlock: position of the bed in which the player sleeps
	MetaScale          MetaKey = 38  // MetaFloat: size factor, normally 1
	MetaMaxAir         MetaKey = 42  // MetaShort: maximum of MetaAir, normally 300 ticks
	MetaWidth          MetaKey = 53  // MetaFloat: width of the bounding box, normally 0.6 blocks
	MetaHeight         MetaKey = 54  // MetaFloat: height of the bounding box, normally 1.8 blocks
	MetaSeat           MetaKey = 56  // MetaVec3: offset of the rider's seat from the vehicle
	MetaSeatLocked     MetaKey = 57  // MetaByte: 1 if the rider can only turn within MetaSeatTurn degrees
	MetaSeatTurn       MetaKey = 58  // MetaFloat: degrees by which a rider with MetaSeatLocked can turn
	MetaSeatTurned     MetaKey = 59  // MetaByte: 1 if MetaSeatYaw is in effect
	MetaSeatYaw        MetaKey = 60  // MetaFloat: yaw of the rider relative to its vehicle, degrees
	MetaDriverSeat     MetaKey = 74  // MetaByte: number of the seat whose rider steers the vehicle
	MetaAlwaysShowName MetaKey = 81  // MetaByte: 1 if the name tag is displayed even if the viewer does not look at the actor
	MetaScore          MetaKey = 84  // MetaString: text below the name tag
	MetaFlags2         MetaKey = 92  // MetaLong: the ActorFlags 64..127
	MetaBuoyant        MetaKey = 119 // MetaByte: 1 if the actor floats, as MetaBuoyancy describes
	MetaBuoyancy       MetaKey = 121 // MetaString: JSON that describes how the actor floats
	MetaFilteredName   MetaKey = 132 // MetaString: name tag for players with a chat filter
)

// ActorFlag is a state of an actor.
type ActorFlag uint8

// Values of ActorFlag: the flags that players and vehicles use. The protocol defines about 130 flags.
//
// Source: docs/wire/bedrock.md, client-bound packets with a tick.
const (
	FlagOnFire            ActorFlag = 0   // the actor burns
	FlagSneaking          ActorFlag = 1   // the actor sneaks
	FlagRiding            ActorFlag = 2   // the actor rides another actor
	FlagSprinting         ActorFlag = 3   // the player sprints
	FlagUsingItem         ActorFlag = 4   // the actor uses its held item, for example draws a bow or eats
	FlagInvisible         ActorFlag = 5   // the actor is not drawn
	FlagSaddled           ActorFlag = 8   // the mount wears a saddle
	FlagBaby              ActorFlag = 11  // the actor is young
	FlagCanShowName       ActorFlag = 14  // the name tag may be displayed
	FlagAlwaysShowName    ActorFlag = 15  // the name tag is displayed even if the viewer does not look at the actor
	FlagImmobile          ActorFlag = 16  // the actor cannot move
	FlagSilent            ActorFlag = 17  // the actor makes no sounds
	FlagWallClimbing      ActorFlag = 18  // the actor climbs a wall, as spiders do
	FlagCanClimb          ActorFlag = 19  // the actor can climb ladders
	FlagCanFly            ActorFlag = 21  // the actor can fly
	FlagTamed             ActorFlag = 28  // the animal has an owner
	FlagGliding           ActorFlag = 32  // the player glides with an elytra
	FlagMoving            ActorFlag = 34  // the actor moves
	FlagBreathing         ActorFlag = 35  // the actor can breathe; its air does not decrease
	FlagRearing           ActorFlag = 39  // the horse rears
	FlagWASDControlled    ActorFlag = 44  // the rider steers with the keys
	FlagCanPowerJump      ActorFlag = 45  // the rider can charge a jump
	FlagHasCollision      ActorFlag = 48  // blocks stop the actor
	FlagAffectedByGravity ActorFlag = 49  // the actor falls
	FlagFireImmune        ActorFlag = 50  // fire does not hurt the actor
	FlagSpinAttack        ActorFlag = 56  // the player spins with a riptide trident
	FlagSwimming          ActorFlag = 57  // the player swims
	FlagBlocking          ActorFlag = 71  // the actor blocks with a shield
	FlagSleeping          ActorFlag = 75  // the actor sleeps
	FlagEmoting           ActorFlag = 91  // the player plays an emote
	FlagCrawling          ActorFlag = 114 // the player crawls
	FlagCollidable        ActorFlag = 121 // other actors collide with this actor, for example a boat
	actorFlagsPerWord               = 64  // flags per word of ActorFlags
)

// ActorFlags is a set of actor flags. Flag n is bit n%64 of word n/64. The metadata entry MetaFlags contains the first
// word, MetaFlags2 the second.
type ActorFlags [2]uint64

// ActorFlagsOf returns the set that has exactly the given flags.
func ActorFlagsOf(flags ...ActorFlag) ActorFlags {
	var s ActorFlags
	for _, f := range flags {
		s.Set(f, true)
	}
	return s
}

// Has reports whether f is in the set.
func (s ActorFlags) Has(f ActorFlag) bool {
	return s[f/actorFlagsPerWord&1]>>(f%actorFlagsPerWord)&1 != 0
}

// Set adds f to the set if on is true, and removes it otherwise.
func (s *ActorFlags) Set(f ActorFlag, on bool) {
	word, bit := &s[f/actorFlagsPerWord&1], uint64(1)<<(f%actorFlagsPerWord)
	if *word &^= bit; on {
		*word |= bit
	}
}
