package sim

import (
	"testing"

	"github.com/truestep-io/truestep/sim/reason"
)

// The server sends texts again that did not find their player, so the refusals contain them.
func TestRefusalOfTextOfAbsentPlayerContainsText(t *testing.T) {
	s := newStage(t, testWorld())
	for _, c := range []struct {
		in   Intent
		kind IntentKind
		text string
	}{
		{Intent{Kind: IntentChat, Text: "hello"}, IntentChat, "hello"},
		{Intent{Kind: IntentInviteParty, Text: "Bob"}, IntentInviteParty, "Bob"},
		{Intent{Kind: IntentAcceptInvite}, IntentAcceptInvite, ""},
		{Intent{Kind: IntentLeaveParty}, IntentLeaveParty, ""},
		{Intent{Kind: IntentCommand, SlotA: CommandLine, Text: "buy bread"}, IntentCommand, "buy bread"},
		{Intent{Kind: IntentCommand, SlotA: CommandLine, Text: "buy bread", Serial: 3}, 0, ""},
		{Intent{Kind: IntentCommand, SlotA: 1, Text: "bread"}, 0, ""},
		{Intent{Kind: IntentJump}, 0, ""},
		{Intent{Kind: IntentActionBar, Text: "slot"}, 0, ""},
	} {
		c.in.Who = 77
		s.step(c.in)
		want := Event{Kind: EventRefused, Who: 77, Reason: reason.Unknown, N: int32(c.kind), Text: c.text}
		if len(s.f.Events) != 1 || s.f.Events[0].Kind != want.Kind || s.f.Events[0].Who != want.Who || s.f.Events[0].Reason != want.Reason || s.f.Events[0].N != want.N || s.f.Events[0].Text != want.Text {
			t.Errorf("%v: events %+v, want %+v", c.in.Kind, s.f.Events, want)
		}
	}
}
