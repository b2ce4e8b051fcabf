package bedrock

import "strconv"

// inputFlagNames contains the name of each input flag: the name of the flag's constant without the prefix Input.
var inputFlagNames = [InputFlagCount]string{
	"Ascend", "Descend", "NorthJump", "JumpDown", "SprintDown", "ChangeHeight", "Jumping", "AutoJumpingInWater",
	"Sneaking", "SneakDown", "Up", "Down", "Left", "Right", "UpLeft", "UpRight", "WantUp", "WantDown",
	"WantDownSlow", "WantUpSlow", "Sprinting", "AscendBlock", "DescendBlock", "SneakToggleDown", "PersistSneak",
	"StartSprinting", "StopSprinting", "StartSneaking", "StopSneaking", "StartSwimming", "StopSwimming",
	"StartJumping", "StartGliding", "StopGliding", "ItemInteract", "BlockAction", "ItemStackRequest",
	"HandledTeleport", "Emoting", "MissedSwing", "StartCrawling", "StopCrawling", "StartFlying", "StopFlying",
	"ReceivedServerData", "ClientVehicle", "PaddlingLeft", "PaddlingRight", "BlockBreakDelay",
	"HorizontalCollision", "VerticalCollision", "DownLeft", "DownRight", "StartUsingItem", "CameraRelative",
	"RotatedByMove", "StartSpinAttack", "StopSpinAttack", "HotbarOnlyTouch", "JumpReleasedRaw",
	"JumpPressedRaw", "JumpCurrentRaw", "SneakReleasedRaw", "SneakPressedRaw", "SneakCurrentRaw",
	"InternalUpdate",
}

// String returns the name of the flag, or its number if no such flag is defined.
func (f InputFlag) String() string {
	if f < InputFlagCount {
		return inputFlagNames[f]
	}
	return "flag " + strconv.Itoa(int(f))
}

// Each calls f with every flag of the set, in increasing order.
func (d InputData) Each(f func(InputFlag)) {
	for flag := InputFlag(0); flag < InputFlagCount; flag++ {
		if d.Has(flag) {
			f(flag)
		}
	}
}

var actorFlagNames = map[ActorFlag]string{
	FlagOnFire:            "OnFire",
	FlagSneaking:          "Sneaking",
	FlagRiding:            "Riding",
	FlagSprinting:         "Sprinting",
	FlagUsingItem:         "UsingItem",
	FlagInvisible:         "Invisible",
	FlagSaddled:           "Saddled",
	FlagTamed:             "Tamed",
	FlagRearing:           "Rearing",
	FlagWASDControlled:    "WASDControlled",
	FlagCanPowerJump:      "CanPowerJump",
	FlagCollidable:        "Collidable",
	FlagBaby:              "Baby",
	FlagCanShowName:       "CanShowName",
	FlagAlwaysShowName:    "AlwaysShowName",
	FlagImmobile:          "Immobile",
	FlagSilent:            "Silent",
	FlagWallClimbing:      "WallClimbing",
	FlagCanClimb:          "CanClimb",
	FlagCanFly:            "CanFly",
	FlagGliding:           "Gliding",
	FlagMoving:            "Moving",
	FlagBreathing:         "Breathing",
	FlagHasCollision:      "HasCollision",
	FlagAffectedByGravity: "AffectedByGravity",
	FlagFireImmune:        "FireImmune",
	FlagSpinAttack:        "SpinAttack",
	FlagSwimming:          "Swimming",
	FlagBlocking:          "Blocking",
	FlagSleeping:          "Sleeping",
	FlagEmoting:           "Emoting",
	FlagCrawling:          "Crawling",
}

// String returns the name of the flag, or its number if this package has no name for it.
func (f ActorFlag) String() string {
	if name, ok := actorFlagNames[f]; ok {
		return name
	}
	return "flag " + strconv.Itoa(int(f))
}

var metaKeyNames = map[MetaKey]string{
	MetaFlags:          "Flags",
	MetaHealth:         "Health",
	MetaVariant:        "Variant",
	MetaName:           "Name",
	MetaOwner:          "Owner",
	MetaTarget:         "Target",
	MetaAir:            "Air",
	MetaEffectColor:    "EffectColor",
	MetaEffectAmbience: "EffectAmbience",
	MetaPlayerFlags:    "PlayerFlags",
	MetaPlayerIndex:    "PlayerIndex",
	MetaBedPosition:    "BedPosition",
	MetaScale:          "Scale",
	MetaMaxAir:         "MaxAir",
	MetaWidth:          "Width",
	MetaHeight:         "Height",
	MetaSeat:           "Seat",
	MetaSeatLocked:     "SeatLocked",
	MetaSeatTurn:       "SeatTurn",
	MetaSeatTurned:     "SeatTurned",
	MetaSeatYaw:        "SeatYaw",
	MetaDriverSeat:     "DriverSeat",
	MetaPaddleLeft:     "PaddleLeft",
	MetaPaddleRight:    "PaddleRight",
	MetaBuoyant:        "Buoyant",
	MetaBuoyancy:       "Buoyancy",
	MetaAlwaysShowName: "AlwaysShowName",
	MetaScore:          "Score",
	MetaFlags2:         "Flags2",
	MetaFilteredName:   "FilteredName",
}

// String returns the name of the key, or its number if this package has no name for it.
func (k MetaKey) String() string {
	if name, ok := metaKeyNames[k]; ok {
		return name
	}
	return "key " + strconv.Itoa(int(k))
}

// String returns the name of the mode, or its number if no such mode is defined.
func (m MoveMode) String() string {
	if m <= MoveRotation {
		return [...]string{"normal", "reset", "teleport", "rotation"}[m]
	}
	return "mode " + strconv.Itoa(int(m))
}

// String describes the status, or returns its number if this package has no text for it.
func (s PlayStatusCode) String() string {
	switch s {
	case StatusLoginOK:
		return "login accepted"
	case StatusClientTooOld:
		return "client too old"
	case StatusServerTooOld:
		return "server too old"
	case StatusSpawn:
		return "spawn"
	case StatusServerFull:
		return "server full"
	}
	return "status " + strconv.Itoa(int(s))
}
