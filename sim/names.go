package sim

// intentKindNames are the names of the kinds of intents in the output of tools. eventKindNames are those of the kinds of events.
var intentKindNames = [...]string{
	IntentJoin:         "join",
	IntentLeave:        "leave",
	IntentClaim:        "claim",
	IntentWarpAck:      "warp_ack",
	IntentAttack:       "attack",
	IntentChat:         "chat",
	IntentJump:         "jump",
	IntentInteract:     "interact",
	IntentDismount:     "dismount",
	IntentSwap:         "swap",
	IntentStack:        "stack",
	IntentDrop:         "drop",
	IntentPickUp:       "pick_up",
	IntentInviteParty:  "invite_party",
	IntentAcceptInvite: "accept_invite",
	IntentLeaveParty:   "leave_party",
	IntentActionBar:    "action_bar",
	IntentPath:         "path",
	IntentGait:         "gait",
	IntentFace:         "face",
	IntentPursue:       "pursue",
	IntentInput:        "input",
	IntentBarrierAck:   "barrier_ack",
	IntentUseItem:      "use_item",
	IntentRespawn:      "respawn",
	IntentMessage:      "message",
	IntentTeleport:     "teleport",
	IntentFreeze:       "freeze",
	IntentSettle:       "settle",
	IntentDisconnect:   "disconnect",
	IntentResume:       "resume",
	IntentCommand:      "command",
	IntentGive:         "give",
	IntentTake:         "take",
	IntentAttribute:    "attribute",
	IntentSpawn:        "spawn",
	IntentRemove:       "remove",
}

var eventKindNames = [...]string{
	EventJoined:      "joined",
	EventLeft:        "left",
	EventDeparted:    "departed",
	EventRemoved:     "removed",
	EventHeld:        "held",
	EventCorrected:   "corrected",
	EventRefused:     "refused",
	EventAttacked:    "attacked",
	EventShotFired:   "shot_fired",
	EventProjectile:  "projectile",
	EventStat:        "stat",
	EventDied:        "died",
	EventXP:          "xp",
	EventRespawned:   "respawned",
	EventPlaced:      "placed",
	EventChat:        "chat",
	EventMessage:     "message",
	EventJumped:      "jumped",
	EventMounted:     "mounted",
	EventDismounted:  "dismounted",
	EventEquipment:   "equipment",
	EventItemDamaged: "item_damaged",
	EventDropped:     "dropped",
	EventPickedUp:    "picked_up",
	EventRecord:      "record",
	EventWeather:     "weather",
	EventParty:       "party",
	EventStance:      "stance",
	EventKnockback:   "knockback",
	EventTeleported:  "teleported",
	EventExpelled:    "expelled",
	EventEffect:      "effect",
	EventOrderDone:   "order_done",
	EventResumed:     "resumed",
	EventCommand:     "command",
	EventGame:        "game",
	EventItemTaken:   "item_taken",
	EventStatMaximum: "stat_maximum",
}

// String returns the name of the kind, such as "claim".
func (k IntentKind) String() string { return nameOf(intentKindNames[:], int(k)) }

// String returns the name of the kind, such as "corrected".
func (k EventKind) String() string { return nameOf(eventKindNames[:], int(k)) }

func nameOf(names []string, i int) string {
	if i < len(names) && names[i] != "" {
		return names[i]
	}
	return "unknown"
}
