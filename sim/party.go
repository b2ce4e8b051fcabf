package sim

import "github.com/truestep-io/truestep/sim/reason"

// maxParty is the maximum number of members of a party in one area, because not all clients can show more: at that number no
// other player there can join. An area does not know the members in other areas, so a party can have more members in total, and
// they may meet in one area. Source: docs/wire/rcce.md.
const maxParty = 8

// inviteMS is how long an invitation can be accepted, in ms. During this time the player gets no other invitation, for two
// reasons: an acceptance always means the invitation that the player has read, and other players cannot flood it with
// invitations, which the rate limit of chat does not cover.
const inviteMS = 30_000

// handleParty executes the intents about parties. A member that changes areas stays in its party, and an invited player stays
// invited. A player can invite only players in its own area. A player without a party declines an invitation by
// IntentLeaveParty.
func (a *Area) handleParty(x *actor, in *Intent) {
	switch in.Kind {
	case IntentInviteParty:
		a.invite(x, in.Text)
	case IntentAcceptInvite:
		switch {
		case !a.isInvited(x):
			a.refuse(x.id, 0, reason.NotInParty, 0, maxParty)
			return
		case a.partySize(x.invited) >= maxParty:
			a.refuse(x.id, 0, reason.NotInParty, 0, maxParty)
			a.emit(Event{Kind: EventMessage, Who: x.id, Text: "The party that invited you is full.", N: ToneSystem})
		default:
			a.setParty(x, x.invited)
		}
		x.invited = 0
	case IntentLeaveParty:
		switch {
		case x.party != 0:
			a.setParty(x, 0)
		case a.isInvited(x):
			x.invited = 0
			a.emit(Event{Kind: EventMessage, Who: x.id, Text: "You declined the invitation to a party.", N: ToneSystem})
		default:
			a.refuse(x.id, 0, reason.NotInParty, 0, 0)
		}
	}
}

func (a *Area) invite(x *actor, name string) {
	for _, y := range a.actors {
		if !y.player || y.gone || y == x || !EqualFold(y.name, name) {
			continue
		}
		if x.party != 0 && y.party == x.party {
			a.emit(Event{Kind: EventMessage, Who: x.id, Text: y.name + " is in your party already.", N: ToneSystem})
			return
		}
		if y.lingers() { // it would not be shown the invitation
			a.emit(Event{Kind: EventMessage, Who: x.id, Text: y.name + " has lost its connection and cannot be invited now.", N: ToneSystem})
			return
		}
		if a.isInvited(y) {
			a.refuse(x.id, 0, reason.AlreadyInvited, 0, 0)
			return
		}
		if x.party == 0 {
			a.setParty(x, PartyID(a.newID())) // a new id, because other players may still be in the last party of this player
		}
		y.invited, y.invitedUntil = x.party, a.now+a.ticks(inviteMS)
		text := x.name + " invites you to a party. Say /accept to join"
		if y.party == 0 { // a player in a party cannot decline with /leave: it would leave its own party
			text += " or /leave to decline"
		}
		a.emit(Event{Kind: EventMessage, Who: y.id, Text: text + ".", N: ToneSystem})
		a.emit(Event{Kind: EventMessage, Who: x.id, Text: "You invited " + y.name + ".", N: ToneSystem})
		return
	}
	a.refuse(x.id, 0, reason.Unknown, 0, 0)
}

// isInvited reports whether a player has an invitation that it can accept.
func (a *Area) isInvited(x *actor) bool { return x.invited != 0 && a.now < x.invitedUntil }

func (a *Area) setParty(x *actor, id PartyID) {
	a.emit(Event{Kind: EventParty, Who: x.id, Party: id, OldParty: x.party})
	x.party = id
}

func (a *Area) partySize(id PartyID) int {
	n := 0
	for _, y := range a.actors {
		if y.player && !y.gone && y.party == id {
			n++
		}
	}
	return n
}
