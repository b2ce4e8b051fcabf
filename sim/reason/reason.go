// Package reason lists every reason for which the server refuses a request, holds (rejects) a position claim or corrects a
// position, and the reasons for which the journal records a hit.
//
// Movement, combat and the area emit events with one Reason each. If the broken rule is a limit, the event also has the
// requested and the allowed value. The numeric values of reasons are stable within a release; journals store the names instead.
package reason

// Reason says why a request was refused, a claim held (rejected) or a position corrected. The zero value, None, means
// that nothing was refused, held or corrected.
type Reason uint8

// All reasons, named after the broken rule. Sentence explains each to people.
const (
	None Reason = iota // no reason: nothing was refused, held or corrected

	// Reasons to hold (reject), change or ignore a position claim (sim/move).
	TooFast       // ground distance beyond the allowance; the server retains X and Z
	TooFastUp     // height change beyond the allowance; the server retains Y
	NotFinite     // a coordinate was NaN, infinite or outside the world, and was replaced
	BackwardRun   // the claim says running backward; the actor walks backward instead
	Ridden        // a ridden actor does not move by itself
	Warping       // the client has not confirmed the warp yet
	RepeatedHolds // several claims in a row were rejected, so the client is sent its position
	Blocked       // no path around the obstacle is within the allowance

	// Reasons to refuse an attack (sim/combat).
	AttackerGone   // the attacker is not in the world
	AttackerDead   // the attacker has no health left
	TooSoon        // the combat delay has not passed
	Mounted        // the attacker rides a mount, and riders cannot attack
	TargetGone     // the target is not in this area
	TargetDead     // the target has no health left
	TargetSelf     // the attacker is the target
	NoPvP          // the area does not allow players to attack each other
	NonCombatant   // the attacker or the target is a non-combatant (aggressiveness 3)
	FriendlyRating // the attacker's rating of the target's faction is above combat.Rules.FriendlyAbove
	OutOfRange     // the target is beyond the reach of the weapon
	Covered        // a solid is between attacker and target
	WeaponBroken   // the ranged weapon has no health left
	NoProjectile   // the ranged weapon names no projectile

	// Reasons to refuse requests other than movement and attacks.
	Unknown      // the area has no entity with that id
	Dead         // the player that made the request is dead
	TooMuch      // the player made more requests than allowed, such as too many in one tick
	BadSlot      // the inventory slots do not allow this move
	NotRideable  // the actor cannot be ridden, or is ridden already
	TooFar       // the target or item is out of reach
	NotInParty   // the player has no party or invitation to act on
	PortalLocked // the player used this portal less than its lock time ago
	AreaFull     // the area has reached its limit of actors

	// Reasons to refuse or end a path (sim/move).
	NoPath // no reachable tile near the goal
	OffMap // the requested tile does not exist

	OtherAuthority // the request belongs to another movement authority than the player's
	Halted         // an operator has frozen the player

	// Reasons to correct, drop or suspect the input of a predicting client (sim/move).
	Mispredicted      // the predicted position was too far from the simulated one
	MispredictedSpeed // the predicted velocity was too far from the simulated one
	Landing           // the position at which the client acknowledged a teleport was slightly off the target
	TickForged        // the input's tick was used already, or is invalid
	TickGap           // the input's tick is farther ahead than the client's history
	InputOverflow     // more inputs than elapsed ticks; the oldest were dropped
	InputClamped      // an angle or a move vector was out of range
	NoTeleport        // the client acknowledged a teleport that was not sent
	TeleportIgnored   // a teleport was sent several times without acknowledgement
	VehicleForeign    // the input moves a vehicle that the player does not ride
	StanceRefused     // the player may not sprint, glide, fly or the like now
	Frozen            // the client has sent no input for a while, so its player stands still
	Suspected         // too many of the player's inputs had anomalies

	// Reasons to refuse, correct or suspect a rider under the predict authority.
	VehicleMissing // the input of a driver lacks the movement of its vehicle
	VehicleFlips   // the client switched between walking and riding too often
	SeatTaken      // every seat of the vehicle is taken

	ArrivalGap // a player arrived from another area before a player that had departed from that area earlier

	// Reasons about lag compensation: the client of an attacker states a time at which it showed the target.
	SeenLongAgo // the time is older than any connection explains; the attack is judged by the oldest allowed position
	SeenAhead   // the time is in the future; the attack is judged by the current position of the target

	// Reasons to refuse a command of the game.
	NoSuchCommand // the world declares no such command, or this program has no game rules
	BadArgument   // an argument of a command is out of range
	GameRule      // the rules of the game refused a command

	// Reasons to refuse an order of an operator.
	NoRoom     // the inventory has no room for the items
	NotCarried // the player has fewer items of this kind
	NPCLimit   // the area has its maximum of NPCs that operators have created

	AlreadyInvited // the invited player has an invitation that it can still accept

	// Reasons to record a hit that lag compensation has judged by an earlier position of its target (package journal).
	RewoundHit      // the player hit another player at an earlier position of that player
	RewoundHitTaken // another player hit the player at an earlier position

	count // number of reasons
)

// Weight says how strongly an event with a Reason suggests that the player cheats. Many events are needed for a judgement: a
// single suspicious event may come from a bad connection. Events of the weights Operator and Harmless never suggest it, however
// many there are.
type Weight uint8

// Values of Weight, from events that say nothing about the player to suspicious ones. The zero value is not a weight.
const (
	Operator   Weight = 1 + iota // an operator caused it; it says nothing about the player
	Harmless                     // normal play, such as an attack out of reach, or a small difference that the protocol causes
	Unusual                      // an honest client causes it on a bad connection, and a modified one more often
	Suspicious                   // an honest client does not cause it, or only after a long interruption of its connection
	weights                      // number of weights, the zero value included
)

var weightNames = [weights]string{Operator: "operator", Harmless: "harmless", Unusual: "unusual", Suspicious: "suspicious"}

// String returns the stable name of w, or "invalid" if w is not a weight.
func (w Weight) String() string {
	if w == 0 || w >= weights {
		return "invalid"
	}
	return weightNames[w]
}

// ParseWeight returns the weight with a name, and false if there is none.
func ParseWeight(name string) (Weight, bool) {
	for w := Operator; w < weights; w++ {
		if weightNames[w] == name {
			return w, true
		}
	}
	return 0, false
}

// entry describes a reason: a stable name for logs and metrics, a sentence for people, and how strongly it suggests
// cheating.
type entry struct {
	name, sentence string
	weight         Weight
}

var entries = [count]entry{
	None:              {"none", "nothing was refused", Harmless},
	TooFast:           {"too_fast", "the claimed position was farther away than the actor could have moved", Suspicious},
	TooFastUp:         {"too_fast_up", "the claimed height differed by more than the actor could have risen or fallen", Suspicious},
	NotFinite:         {"not_finite", "a coordinate was not a number inside the world and was replaced", Suspicious},
	BackwardRun:       {"backward_run", "running backward is not possible; the actor walks", Harmless},
	Ridden:            {"ridden", "the actor is ridden and moves only with its rider", Harmless},
	Warping:           {"warping", "the client has not confirmed its last warp yet", Harmless},
	Blocked:           {"blocked", "an obstacle is in the way, and the path around it is longer than the actor could have moved", Unusual},
	RepeatedHolds:     {"repeated_holds", "several claims in a row were rejected, so the client was sent its position", Unusual},
	AttackerGone:      {"attacker_gone", "the attacker is not in the world", Harmless},
	AttackerDead:      {"attacker_dead", "the attacker is dead", Harmless},
	TooSoon:           {"too_soon", "the delay between two attacks has not passed", Harmless},
	Mounted:           {"mounted", "a mounted player cannot attack", Harmless},
	TargetGone:        {"target_gone", "the target is not in this area", Harmless},
	TargetDead:        {"target_dead", "the target is already dead", Harmless},
	TargetSelf:        {"target_self", "an actor cannot attack itself", Harmless},
	NoPvP:             {"no_pvp", "players cannot attack each other in this area", Harmless},
	NonCombatant:      {"non_combatant", "the attacker or the target is a non-combatant", Harmless},
	FriendlyRating:    {"friendly_rating", "the target's faction is friendly to the attacker's", Harmless},
	OutOfRange:        {"out_of_range", "the target is beyond the reach of the weapon", Harmless},
	Covered:           {"covered", "an obstacle stands between the player and the target", Harmless},
	WeaponBroken:      {"weapon_broken", "the weapon is broken and must be repaired", Harmless},
	NoProjectile:      {"no_projectile", "the weapon has no projectile to shoot", Harmless},
	Unknown:           {"unknown", "there is no entity with that id in this area", Harmless},
	Dead:              {"dead", "a dead player cannot do this", Harmless},
	TooMuch:           {"too_much", "the player made more requests in one tick than allowed", Suspicious},
	BadSlot:           {"bad_slot", "the item does not fit into that slot", Harmless},
	NotRideable:       {"not_rideable", "that actor cannot be ridden now", Harmless},
	TooFar:            {"too_far", "the target of the request is out of reach", Harmless},
	NotInParty:        {"not_in_party", "there is no party or invitation to act on", Harmless},
	PortalLocked:      {"portal_locked", "the portal was used a moment ago and is still locked", Harmless},
	AreaFull:          {"area_full", "the area has reached its limit of actors", Harmless},
	NoPath:            {"no_path", "no path leads to that tile or near it", Harmless},
	OffMap:            {"off_map", "the tile is outside the world", Unusual},
	Mispredicted:      {"mispredicted", "the client predicted a position that its inputs do not lead to", Unusual},
	MispredictedSpeed: {"mispredicted_speed", "the client predicted a velocity that its inputs do not lead to", Unusual},
	Landing:           {"landing", "the client was slightly off its position after a teleport and was corrected", Harmless},
	TickForged:        {"tick_forged", "the tick of the input was already used or is invalid", Suspicious},
	TickGap:           {"tick_gap", "the tick of the input is farther ahead than the client's history", Unusual},
	InputOverflow:     {"input_overflow", "the client sent more inputs than time has passed; the oldest were dropped", Suspicious},
	InputClamped:      {"input_clamped", "a movement or angle input was out of range and was clamped", Suspicious},
	NoTeleport:        {"no_teleport", "the client acknowledged a teleport that was not sent", Suspicious},
	TeleportIgnored:   {"teleport_ignored", "the client did not acknowledge a teleport that was sent several times", Suspicious},
	VehicleForeign:    {"vehicle_foreign", "the input moves a vehicle that the player does not ride", Suspicious},
	VehicleMissing:    {"vehicle_missing", "the input does not move the vehicle that the player drives", Unusual},
	VehicleFlips:      {"vehicle_flips", "the client changed between walking and riding more often than players can", Suspicious},
	SeatTaken:         {"seat_taken", "every seat of the vehicle is taken", Harmless},
	ArrivalGap:        {"arrival_gap", "a player from another area came before one that left there earlier", Harmless},
	SeenLongAgo:       {"seen_long_ago", "the client claims to have drawn its target longer ago than its connection explains", Suspicious},
	SeenAhead:         {"seen_ahead", "the client claims to have drawn its target at a time that has not come yet", Suspicious},
	NoSuchCommand:     {"no_such_command", "this world has no such command", Unusual},
	BadArgument:       {"bad_argument", "an argument of the command is outside of its range", Unusual},
	GameRule:          {"game_rule", "the rules of the game do not allow it now", Harmless},
	NoRoom:            {"no_room", "the inventory has no room for the items", Operator},
	NotCarried:        {"not_carried", "the player does not carry so many items of this kind", Operator},
	NPCLimit:          {"npc_limit", "the area has its maximum of NPCs that operators have created", Operator},
	AlreadyInvited:    {"already_invited", "the player was invited to a party a moment ago; try again in half a minute", Harmless},
	RewoundHit:        {"rewound_hit", "the player hit its target at the position at which the player's client showed it", Harmless},
	RewoundHitTaken:   {"rewound_hit_taken", "the player was hit at the position at which the attacker's client showed it", Harmless},
	StanceRefused:     {"stance_refused", "the player is not allowed to sprint, glide, swim or fly now", Harmless},
	Frozen:            {"frozen", "the client has sent no input for a while, so its player stands still", Harmless},
	Suspected:         {"suspected", "the client sent too many inputs that an honest client does not send", Suspicious},
	OtherAuthority:    {"other_authority", "players of this door move under another movement authority", Suspicious},
	Halted:            {"halted", "an operator has frozen the player", Operator},
}

// String returns the stable name of r, as in logs, metrics and journals.
func (r Reason) String() string {
	if r >= count {
		return "invalid"
	}
	return entries[r].name
}

// Sentence returns an explanation of r for people, in one line without a full stop.
func (r Reason) Sentence() string {
	if r >= count {
		return "unknown reason"
	}
	return entries[r].sentence
}

// Weight returns how strongly an event with reason r suggests that the player cheats. It returns Unusual if this program does not
// know the reason.
func (r Reason) Weight() Weight {
	if r >= count {
		return Unusual
	}
	return entries[r].weight
}

// Valid reports whether r is None or one of the reasons.
func (r Reason) Valid() bool { return r < count }

// All returns all reasons in order, None first.
func All() []Reason {
	all := make([]Reason, count)
	for i := range all {
		all[i] = Reason(i)
	}
	return all
}
