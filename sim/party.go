package sim

import "github.com/truestep-io/truestep/sim/reason"

// maxParty is the maximum number of members of a party: the party window of the RealmCrafter client holds 8. The limit of the
// RealmCrafter server is not known.
const maxParty = 8

// handleParty executes the intents about parties. A party persists when its members change areas. To invite a player,
// both must be in one area.
func (a *Area) handleParty(x *actor, in *Intent) {
	switch in.Kind {
	case IntentInviteParty:
		a.invite(x, in.Text)
	case IntentAcceptInvite:
		if x.invited == 0 || a.partySize(x.invited) >= maxParty {
			a.refuse(x.id, 0, reason.NotInParty, 0, maxParty)
			return
		}
		a.setParty(x, x.invited)
		x.invited = 0
	case IntentLeaveParty:
		if x.party == 0 {
			a.refuse(x.id, 0, reason.NotInParty, 0, 0)
			return
		}
		a.setParty(x, 0)
	}
}

func (a *Area) invite(x *actor, name string) {
	for _, y := range a.actors {
		if !y.player || y.gone || y == x || !EqualFold(y.name, name) {
			continue
		}
		if x.party == 0 {
			a.setParty(x, PartyID(a.newID())) // a new id, because other players may still be in the last party of this player
		}
		y.invited = x.party
		a.emit(Event{Kind: EventMessage, Who: y.id, Text: x.name + " invites you to a party. Say /accept to join.", N: ToneSystem})
		a.emit(Event{Kind: EventMessage, Who: x.id, Text: "You invited " + y.name + ".", N: ToneSystem})
		return
	}
	a.refuse(x.id, 0, reason.Unknown, 0, 0)
}

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
