// Package reason names every way in which the world says no, so that "why was I pulled back?" has one list of answers.
//
// Movement, combat and the area itself refuse, hold and correct; each such event carries one Reason and the figures of
// its rule. The numbers are stable within a release and are written to journals by name.
package reason

// Reason is why a wish was refused, held or corrected. The zero value, None, is no refusal.
type Reason uint8

// Every reason. Names say the rule that spoke; Sentence says it to a person.
const (
	None Reason = iota

	// Claims of position (sim/move).
	TooFast       // ground distance beyond the allowance: X and Z held
	TooFastUp     // height change beyond the allowance: Y held
	NotFinite     // a coordinate was NaN, infinite or outside the world: read as 0
	BackwardRun   // walking backward and running at once: running taken away
	Ridden        // a ridden actor does not move itself
	Warping       // the client has not shown yet that it took the warp
	RepeatedHolds // several holds in a row: the client is told where it is
	Blocked       // no way round what stands between is as short as the allowance

	// Attacks (sim/combat).
	AttackerGone   // the attacker is not in the world
	AttackerDead   // the attacker has no health left
	TooSoon        // the combat delay has not passed
	Mounted        // no attack while riding
	TargetGone     // no such target in this area
	TargetDead     // the target has no health left
	TargetSelf     // nobody attacks himself
	NoPvP          // players are not attackable in this area
	NonCombatant   // one side never fights (aggressiveness 3)
	FriendlyRating // the attacker's faction rates the target's above 150
	OutOfRange     // farther than the weapon reaches
	Covered        // something solid stands between the two
	WeaponBroken   // the ranged weapon has no health left
	NoProjectile   // the ranged weapon names no projectile

	// Everything else (sim).
	Unknown      // nobody of that id is here
	Dead         // the dead do not do this
	TooMuch      // more wishes in a tick than a player may have
	BadSlot      // the inventory slots do not allow this move
	NotRideable  // that actor cannot be ridden, or is ridden already
	TooFar       // farther than one can reach
	NotInParty   // no party, or no invitation, to act on
	PortalLocked // this portal was used less than its lock time ago
	AreaFull     // the area takes no more actors

	// Paths (sim/move).
	NoPath // nothing that can be reached is near the tile
	OffMap // there is no such tile

	OtherAuthority // the player's movement is judged by another rule than that of his wish
	Halted         // an operator has frozen the player

	// Predicted inputs (sim/move).
	Mispredicted      // the predicted position was too far from the simulated one
	MispredictedSpeed // the predicted velocity was too far from the simulated one
	Landing           // a little off where a teleport led
	TickForged        // the input's tick was used already, or no tick at all
	TickGap           // the input's tick is farther ahead than the client's history
	InputOverflow     // more inputs than time: the oldest were dropped
	InputClamped      // an angle or a stick was beyond its range
	NoTeleport        // an acknowledgement of a teleport that was not
	TeleportIgnored   // a teleport was told several times and never acknowledged
	VehicleRefused    // the input is of a vehicle that the player does not ride
	StanceRefused     // a request to sprint, glide, fly or the like that the rules refuse
	Frozen            // no input for a while
	Suspected         // too much odd input

	count // how many reasons there are
)

// entry is how a reason is written: a stable name for machines and a sentence for people.
type entry struct{ name, sentence string }

var entries = [count]entry{
	None:              {"none", "nothing was refused"},
	TooFast:           {"too_fast", "the claimed position was farther away than the actor could have moved"},
	TooFastUp:         {"too_fast_up", "the claimed height differed more than the actor could have risen or fallen"},
	NotFinite:         {"not_finite", "a claimed coordinate was not a number inside the world and was read as 0"},
	BackwardRun:       {"backward_run", "nobody runs backward; the actor walks"},
	Ridden:            {"ridden", "the actor is ridden and moves only with its rider"},
	Warping:           {"warping", "the client has not confirmed its last warp yet"},
	Blocked:           {"blocked", "something solid stands in the way, and the way round it is longer than the actor could have gone"},
	RepeatedHolds:     {"repeated_holds", "several claims in a row were held, so the client was told its position"},
	AttackerGone:      {"attacker_gone", "the attacker is not in the world"},
	AttackerDead:      {"attacker_dead", "the dead do not fight"},
	TooSoon:           {"too_soon", "the delay between two attacks has not passed"},
	Mounted:           {"mounted", "nobody attacks while riding"},
	TargetGone:        {"target_gone", "there is no such target in this area"},
	TargetDead:        {"target_dead", "the target is dead already"},
	TargetSelf:        {"target_self", "nobody attacks himself"},
	NoPvP:             {"no_pvp", "players do not fight each other in this area"},
	NonCombatant:      {"non_combatant", "one of the two never fights"},
	FriendlyRating:    {"friendly_rating", "the target's faction is a friend of the attacker's"},
	OutOfRange:        {"out_of_range", "the target is farther away than the weapon reaches"},
	Covered:           {"covered", "something solid stands between the player and the target"},
	WeaponBroken:      {"weapon_broken", "the weapon is damaged and must be repaired"},
	NoProjectile:      {"no_projectile", "the weapon has nothing to shoot"},
	Unknown:           {"unknown", "nobody of that id is here"},
	Dead:              {"dead", "the dead cannot do this"},
	TooMuch:           {"too_much", "the player asked for more in one tick than one player may"},
	BadSlot:           {"bad_slot", "the item does not go into that slot"},
	NotRideable:       {"not_rideable", "that actor cannot be ridden now"},
	TooFar:            {"too_far", "it is out of reach"},
	NotInParty:        {"not_in_party", "there is no party or invitation for this"},
	PortalLocked:      {"portal_locked", "the portal was used a moment ago and is still locked"},
	AreaFull:          {"area_full", "the area takes no more actors"},
	NoPath:            {"no_path", "there is no way to that tile"},
	OffMap:            {"off_map", "the tile is outside of the world"},
	Mispredicted:      {"mispredicted", "the client predicted a position that its inputs do not lead to"},
	MispredictedSpeed: {"mispredicted_speed", "the client predicted a velocity that its inputs do not lead to"},
	Landing:           {"landing", "the client stood a little off the place to which it was just moved, and the two were brought together"},
	TickForged:        {"tick_forged", "the input bears a tick that was used already"},
	TickGap:           {"tick_gap", "the input's tick is farther ahead than a client remembers"},
	InputOverflow:     {"input_overflow", "the client sent more inputs than time has passed, and the oldest were dropped"},
	InputClamped:      {"input_clamped", "a stick or an angle was beyond its range and was clamped"},
	NoTeleport:        {"no_teleport", "the client acknowledged a teleport that was not"},
	TeleportIgnored:   {"teleport_ignored", "the client did not acknowledge a teleport that it was told several times"},
	VehicleRefused:    {"vehicle_refused", "the input moves a vehicle that the player does not ride"},
	StanceRefused:     {"stance_refused", "the player may not sprint, glide, swim or fly now"},
	Frozen:            {"frozen", "the client has sent no input for a while, so its player stands still"},
	Suspected:         {"suspected", "the client sent too much that no honest client sends"},
	OtherAuthority:    {"other_authority", "players of this door move by another rule"},
	Halted:            {"halted", "an operator has frozen the player"},
}

// String is the stable name of r, as logs, metrics and journals write it.
func (r Reason) String() string {
	if r >= count {
		return "invalid"
	}
	return entries[r].name
}

// Sentence says r to a person, in one line without a full stop.
func (r Reason) Sentence() string {
	if r >= count {
		return "a reason that this version does not know"
	}
	return entries[r].sentence
}

// All lists every reason in order, None first.
func All() []Reason {
	all := make([]Reason, count)
	for i := range all {
		all[i] = Reason(i)
	}
	return all
}
