package sim

import (
	"slices"
	"testing"

	"github.com/truestep-io/truestep/sim/geom"
	"github.com/truestep-io/truestep/sim/reason"
)

func inviteIntent(x, y *actor) Intent {
	return Intent{Kind: IntentInviteParty, Who: x.id, Text: y.name}
}

func acceptIntent(x *actor) Intent { return Intent{Kind: IntentAcceptInvite, Who: x.id} }

// A founder that has left its party can no longer invite players into it: the next invitation creates a new party.
func TestFormerPartyFounderInvitesPlayersIntoNewParty(t *testing.T) {
	s := newStage(t, testWorld())
	x, y, z := s.player(1, geom.Vec{}), s.player(2, geom.Vec{}), s.player(3, geom.Vec{})
	s.step(inviteIntent(x, y), acceptIntent(y), Intent{Kind: IntentLeaveParty, Who: 1}, inviteIntent(x, z), acceptIntent(z))
	if x.party == y.party || x.party != z.party || y.party == 0 {
		t.Errorf("parties %d, %d, %d", x.party, y.party, z.party)
	}
	other := NewArea(s.w, areaTown, 1)
	if s.a.newID() == other.newID() {
		t.Error("two areas return the same id")
	}
}

func TestNinthPlayerCannotJoinParty(t *testing.T) {
	s := newStage(t, testWorld())
	x := s.player(1, geom.Vec{})
	for i := EntityID(2); i <= maxParty; i++ {
		y := s.player(i, geom.Vec{})
		s.step(inviteIntent(x, y), acceptIntent(y))
	}
	y := s.player(99, geom.Vec{})
	s.expectRefusal(reason.NotInParty, inviteIntent(x, y), acceptIntent(y))
	if y.party != 0 || s.a.partySize(x.party) != maxParty {
		t.Errorf("player is in party %d, the party has %d members", y.party, s.a.partySize(x.party))
	}
	s.expectMessage(y, "The party that invited you is full.")
	z := s.player(100, geom.Vec{})
	s.step(inviteIntent(z, y), acceptIntent(y))
	if y.party == 0 || y.party != z.party {
		t.Errorf("parties %d and %d: the invitation to the full party was still pending", y.party, z.party)
	}
}

// expectMessage checks that a player got a message in the last tick.
func (s *stage) expectMessage(x *actor, text string) {
	s.t.Helper()
	if !slices.ContainsFunc(s.f.Events, func(e Event) bool { return e.Kind == EventMessage && e.Who == x.id && e.Text == text }) {
		s.t.Errorf("player %d did not get the message %q: %+v", x.id, text, s.f.Events)
	}
}

func TestPlayerWithoutPartyDeclinesInvitationByLeaving(t *testing.T) {
	s := newStage(t, testWorld())
	x, y, z := s.player(1, geom.Vec{}), s.player(2, geom.Vec{}), s.player(3, geom.Vec{})
	leave := Intent{Kind: IntentLeaveParty, Who: z.id}
	s.step(inviteIntent(x, z))
	s.expectMessage(z, x.name+" invites you to a party. Say /accept to join or /leave to decline.")
	s.step(leave)
	s.expectMessage(z, "You declined the invitation to a party.")
	s.expectRefusal(reason.NotInParty, acceptIntent(z))
	s.expectRefusal(reason.NotInParty, leave)
	s.step(inviteIntent(y, z), acceptIntent(z))
	if z.party == 0 || z.party != y.party {
		t.Fatalf("parties %d and %d after the player has accepted the next invitation", z.party, y.party)
	}
	s.step(inviteIntent(x, z))
	s.expectMessage(z, x.name+" invites you to a party. Say /accept to join.")
	s.step(leave)
	if z.party != 0 || !s.a.isInvited(z) {
		t.Errorf("a member that leaves is in party %d, with a pending invitation: %v", z.party, s.a.isInvited(z))
	}
}

func TestMemberOfSamePartyIsNotInvited(t *testing.T) {
	s := newStage(t, testWorld())
	x, y, z := s.player(1, geom.Vec{}), s.player(2, geom.Vec{}), s.player(3, geom.Vec{})
	s.step(inviteIntent(x, y), acceptIntent(y))
	s.step(inviteIntent(x, y))
	s.expectMessage(x, y.name+" is in your party already.")
	if len(s.f.Events) != 1 || s.a.isInvited(y) {
		t.Errorf("the member is invited: %v, events %+v", s.a.isInvited(y), s.f.Events)
	}
	s.step(inviteIntent(z, y), acceptIntent(y))
	if y.party != z.party {
		t.Errorf("parties %d and %d: the member could not be invited by another player", y.party, z.party)
	}
}

// An invitation can be accepted for 30 s. Meanwhile other invitations neither replace it nor send the player messages.
func TestPlayerWithPendingInvitationGetsNoOtherInvitation(t *testing.T) {
	s := newStage(t, testWorld())
	x, y, z := s.player(1, geom.Vec{}), s.player(2, geom.Vec{}), s.player(3, geom.Vec{})
	s.step(inviteIntent(x, z))
	for _, other := range []*actor{y, x} {
		for range 3 {
			s.expectRefusal(reason.AlreadyInvited, inviteIntent(other, z))
			if len(s.f.Events) != 1 {
				t.Fatalf("a refused invitation has the events %+v", s.f.Events)
			}
		}
	}
	again, err := Restore(s.w, s.a.Snapshot(nil))
	if err != nil || again.Hash() != s.a.Hash() {
		t.Fatalf("the snapshot is restored with error %v", err)
	}
	again.find(z.id).invitedUntil++
	if again.Hash() == s.a.Hash() {
		t.Error("the end of the invitation is not in the hash")
	}
	s.step(acceptIntent(z))
	if z.party == 0 || z.party != x.party || y.party != 0 {
		t.Errorf("parties %d, %d and %d: the player accepted the first invitation", x.party, y.party, z.party)
	}
	s.step(inviteIntent(y, z), acceptIntent(z))
	if z.party != y.party || y.party == x.party {
		t.Errorf("parties %d, %d and %d: the player accepted a later invitation", x.party, y.party, z.party)
	}
}

func TestInvitationExpiresAndThenPlayerCanBeInvitedAgain(t *testing.T) {
	s := newStage(t, testWorld())
	x, y, z := s.player(1, geom.Vec{}), s.player(2, geom.Vec{}), s.player(3, geom.Vec{})
	s.step(inviteIntent(x, z))
	s.run(29)
	s.expectRefusal(reason.AlreadyInvited, inviteIntent(y, z))
	s.run(1)
	s.expectRefusal(reason.NotInParty, acceptIntent(z))
	s.step(inviteIntent(y, z), acceptIntent(z))
	if z.party == 0 || z.party != y.party || z.party == x.party {
		t.Errorf("parties %d, %d and %d", x.party, y.party, z.party)
	}
}

func TestPlayerWithoutConnectionIsNotInvited(t *testing.T) {
	s := newStage(t, testWorld())
	x, y := s.player(1, geom.Vec{}), s.player(2, geom.Vec{})
	s.step(Intent{Kind: IntentDisconnect, Who: y.id}, inviteIntent(x, y))
	if s.a.isInvited(y) || x.party != 0 {
		t.Errorf("invited %v, the party of the other is %d", s.a.isInvited(y), x.party)
	}
	s.expectMessage(x, y.name+" has lost its connection and cannot be invited now.")
}
