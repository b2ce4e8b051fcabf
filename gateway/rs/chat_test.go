package rs

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/truestep-io/truestep/content/appearance"
	proto "github.com/truestep-io/truestep/proto/rs"
	"github.com/truestep-io/truestep/session"
	"github.com/truestep-io/truestep/sim"
)

// Original specification, chat message update: all viewers are sent the text that appears above the speaker's head. For the
// chat box, each viewer is sent the index that the speaker has on its own client.
func TestChatReachesAllPlayersInArea(t *testing.T) {
	withServer(t, valeWithoutNPCs(), Options{Register: true}, func(srv *testServer) {
		ada, bob, cy := srv.join("Ada"), srv.join("Bob"), srv.join("Cy")
		cy.send(proto.MoveGameClick{X: cy.ownTile().X + 20, Z: cy.ownTile().Z})
		srv.advanceCycles(22)
		for _, c := range []*client{ada, bob, cy} {
			c.startRecording()
		}
		ada.send(proto.MessagePublicRequest{Text: "Well met, friends"})
		srv.advanceCycles(2)
		for _, c := range []struct {
			*client
			above bool
			box   []string
		}{
			{ada, true, nil},
			{bob, true, []string{fmt.Sprintf("%d says Well met, friends", bob.indexOf("Ada"))}},
			{cy, false, []string{"Ada: Well met, friends"}}, // Cy is too far away to see the speaker, so the text contains the name
		} {
			c.checkNoError()
			if got := c.linesRead(); !slices.Equal(got, c.box) {
				t.Errorf("%s reads %q, want %q", c.name, got, c.box)
			}
			above := 0
			for _, m := range c.recordedUpdates() {
				if m.info.Has.Has(proto.KindSay) && string(m.info.Say) == "Well met, friends" {
					above++
				}
			}
			if (above == 1) != c.above {
				t.Errorf("%s sees the line %d times above a head", c.name, above)
			}
		}
	})
}

// After a pause of an area, one cycle contains the lines of several seconds. The chat limit of an area lets 60 lines through at once.
func TestAllChatLinesOfOneCycleReachChatBox(t *testing.T) {
	const speakers = 50
	withServer(t, valeWithoutNPCs(), Options{Register: true}, func(srv *testServer) {
		ada := srv.join("Ada")
		var others []*session.Session
		for i := range speakers {
			others = append(others, srv.joinByOtherDoor(fmt.Sprintf("Dee%d", i)))
		}
		srv.advanceCycles(10)
		ada.startRecording()
		for i, dee := range others {
			srv.must(dee.Submit(sim.Intent{Kind: sim.IntentChat, Text: fmt.Sprintf("line %d", i)}))
		}
		srv.advanceCycles(2)
		ada.checkNoError()
		lines := strings.Join(ada.linesRead(), "\n") + "\n"
		for i := range speakers {
			if line := fmt.Sprintf("line %d\n", i); strings.Count(lines, line) != 1 {
				t.Errorf("the client reads %d times %q, want once", strings.Count(lines, line), line)
			}
		}
	})
}

// Chat from players of other protocols is converted to text that is valid for RuneScape clients.
func TestChatFromOtherProtocolsIsSanitized(t *testing.T) {
	for _, c := range []struct{ desc, said, above, box string }{
		{"too long", strings.Repeat("x", 3000), strings.Repeat("x", maxChatLine), "says " + strings.Repeat("x", maxChatLine)},
		{"a zero and a line feed", "a\x00b\nc", "abc", "says abc"},
		{"nothing but zeros", "\x00\x00", "", "says "},
		{"leading tildes are removed above the head", "~~hello", "hello", "says ~~hello"},
		{"letters beyond ASCII are Windows-1252 on the wire", "5 € 日", "5 \x80 ?", "says 5 € ?"},
	} {
		withServer(t, valeWithoutNPCs(), Options{Register: true}, func(srv *testServer) {
			ada := srv.join("Ada")
			dee := srv.joinByOtherDoor("Dee")
			srv.advanceCycles(2)
			ada.startRecording()
			srv.must(dee.Submit(sim.Intent{Kind: sim.IntentChat, Text: c.said}))
			srv.advanceCycles(2)
			ada.checkNoError()
			if ada.isClosed() || srv.faults("panic") != 0 {
				t.Errorf("%s: the connection ended or a panic was counted", c.desc)
			}
			above := ""
			for _, m := range ada.updatesOf(ada.indexOf("Dee")) {
				if m.info.Has.Has(proto.KindSay) {
					above = string(m.info.Say)
				}
			}
			if above != c.above {
				t.Errorf("%s: %q above the head", c.desc, above)
			}
			if lines := ada.linesRead(); len(lines) != 1 || !strings.HasSuffix(lines[0], c.box) {
				t.Errorf("%s: reads %q", c.desc, lines)
			}
		})
	}
}

func TestMarkupInPlayerTextIsEscaped(t *testing.T) {
	if got := escapeMarkup("<img=1>Mod Ada: 1 < 2"); got != "<lt>img=1<gt>Mod Ada: 1 <lt> 2" {
		t.Error(got)
	}
	if got := wrapLines("<col=ff0000>System invites you to a party."); len(got) != 1 || got[0] != "<lt>col=ff0000<gt>System invites you to a party." {
		t.Errorf("markup in a name: %q", got)
	}
	if got := escapeMarkup(strings.Repeat("<", 100)); got != strings.Repeat("<lt>", maxGameLine/4) {
		t.Errorf("a line of 100 brackets is escaped as %q", got)
	}
	if got := appendOverhead(nil, "~<img=1>hi"); string(got) != "<lt>img=1<gt>hi" {
		t.Errorf("markup above the head: %q", got)
	}
	body := &sim.Body{Name: "<img=1>Ada"} // a stored name may have been created before markup was refused
	if got := appearanceOf(&appearance.RuneScape{}, body, true).Name; string(got) != "<lt>img=1<gt>Ada" {
		t.Errorf("markup in the name of an appearance: %q", got)
	}
}

func TestLongServerTextsAreWrappedAtBlanks(t *testing.T) {
	for _, c := range []struct {
		text string
		want []int
	}{
		{"", nil},
		{"short", []int{5}},
		{strings.Repeat("word ", 50), []int{199, 51}},
		{strings.Repeat("x", 500), []int{200, 200, 100}},
	} {
		var got []int
		for _, l := range wrapLines(c.text) {
			got = append(got, len(l))
		}
		if len(got) != len(c.want) || len(got) > 0 && got[0] != c.want[0] {
			t.Errorf("%.20q: lines of %v, want %v", c.text, got, c.want)
		}
	}
	w := valeWithoutNPCs()
	w.NewCharacters.Greeting = strings.Repeat("Welcome to a world of many words. ", 60)
	withServer(t, w, Options{Register: true}, func(srv *testServer) {
		c := srv.join("Ada")
		if n := len(c.linesRead()); n != 11 || srv.faults("panic") != 0 {
			t.Errorf("the greeting has %d lines, want 11", n)
		}
	})
}

func TestUnknownCommandGetsHelpText(t *testing.T) {
	withServer(t, valeWithoutNPCs(), Options{Register: true}, func(srv *testServer) {
		ada, bob := srv.join("Ada"), srv.join("Bob")
		ada.startRecording()
		bob.startRecording()
		ada.send(proto.MessagePublicRequest{Text: "/dance"})
		ada.send(proto.MessagePublicRequest{Text: " \t "})
		ada.send(proto.MessagePublicRequest{Text: "/invite Bob"})
		srv.advanceCycles(2)
		if got := ada.linesRead(); !slices.Contains(got, helpText) {
			t.Errorf("reads %q", got)
		}
		bob.send(proto.MessagePublicRequest{Text: "/accept"})
		srv.advanceCycles(2)
		p := srv.playerNamed("Bob")
		inParty := func() (is bool) {
			p.w.runAndWait(func() {
				is = slices.ContainsFunc(p.scene.partyMembers, func(m partyMember) bool { return m.spot == p.scene.spotOf[p.row] })
			})
			return is
		}
		if got := bob.linesRead(); len(got) == 0 || !inParty() {
			t.Errorf("Bob reads %q", got)
		}
		bob.send(proto.MessagePublicRequest{Text: "/leave"})
		srv.advanceCycles(2)
		if inParty() {
			t.Error("Bob is still in the party")
		}
	})
}
