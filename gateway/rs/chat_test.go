package rs

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	proto "github.com/truestep-io/truestep/proto/rs"
	"github.com/truestep-io/truestep/sim"
)

// Seed, chat message update: the text stands above the head for all who see it, and the box names the speaker by the
// reader's own index.
func TestChatIsReadByAllInTheArea(t *testing.T) {
	bubble(t, quietVale(), Options{Register: true}, func(r *rig) {
		ada, bob, cy := r.join("Ada"), r.join("Bob"), r.join("Cy")
		cy.send(proto.MoveGameClick{X: cy.tile().X + 20, Z: cy.tile().Z})
		r.cycles(22)
		for _, c := range []*client{ada, bob, cy} {
			c.listen()
		}
		ada.send(proto.MessagePublicRequest{Text: "Well met, friends"})
		r.cycles(2)
		for _, c := range []struct {
			*client
			above bool
			box   []string
		}{
			{ada, true, nil},
			{bob, true, []string{fmt.Sprintf("%d says Well met, friends", bob.sees("Ada"))}},
			{cy, false, []string{"Ada: Well met, friends"}}, // too far to see
		} {
			c.fine()
			if got := c.linesRead(); !slices.Equal(got, c.box) {
				t.Errorf("%s reads %q, want %q", c.name, got, c.box)
			}
			above := 0
			for _, m := range c.heard() {
				if m.in.Has.Has(proto.KindSay) && string(m.in.Say) == "Well met, friends" {
					above++
				}
			}
			if (above == 1) != c.above {
				t.Errorf("%s sees it %d times above a head", c.name, above)
			}
		}
	})
}

// What others may say at their doors must not break what clients of this one are sent.
func TestChatOfAnotherDoorIsCutToWhatClientsTake(t *testing.T) {
	for _, c := range []struct{ rule, said, above, box string }{
		{"too long", strings.Repeat("x", 3000), strings.Repeat("x", maxChatLine), "says " + strings.Repeat("x", maxChatLine)},
		{"a zero and a line feed", "a\x00b\nc", "abc", "says abc"},
		{"nothing but zeros", "\x00\x00", "", "says "},
		{"a tilde would put it into the box once more", "~~hello", "hello", "says ~~hello"},
		{"high bytes are Windows-1252", "5 \x80", "5 \x80", "says 5 €"},
	} {
		bubble(t, quietVale(), Options{Register: true}, func(r *rig) {
			ada := r.join("Ada")
			dee := r.stranger("Dee")
			r.cycles(2)
			ada.listen()
			r.must(dee.Submit(sim.Intent{Kind: sim.IntentChat, Text: c.said}))
			r.cycles(2)
			ada.fine()
			if ada.ended() || r.bad("panic") != 0 {
				t.Errorf("%s: the door is broken", c.rule)
			}
			above := ""
			for _, m := range ada.of(ada.sees("Dee")) {
				if m.in.Has.Has(proto.KindSay) {
					above = string(m.in.Say)
				}
			}
			if above != c.above {
				t.Errorf("%s: %q above the head", c.rule, above)
			}
			if lines := ada.linesRead(); len(lines) != 1 || !strings.HasSuffix(lines[0], c.box) {
				t.Errorf("%s: reads %q", c.rule, lines)
			}
		})
	}
}

func TestMarkupInChatIsNotTakenForMarkup(t *testing.T) {
	if got := escape("<img=1>Mod Ada: 1 < 2"); got != "<lt>img=1<gt>Mod Ada: 1 <lt> 2" {
		t.Error(got)
	}
	if got := wrap("<col=ff0000>System invites you to a party."); len(got) != 1 || got[0] != "<lt>col=ff0000<gt>System invites you to a party." {
		t.Errorf("a name is markup: %q", got)
	}
	if got := escape(strings.Repeat("<", 100)); len(got) > maxGameLine+4 {
		t.Errorf("%d bytes", len(got))
	}
}

func TestLongTextsOfTheServerAreBrokenAtBlanks(t *testing.T) {
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
		for _, l := range wrap(c.text) {
			got = append(got, len(l))
		}
		if len(got) != len(c.want) || len(got) > 0 && got[0] != c.want[0] {
			t.Errorf("%.20q: lines of %v, want %v", c.text, got, c.want)
		}
	}
	w := quietVale()
	w.NewCharacters.Greeting = strings.Repeat("Welcome to a world of many words. ", 60)
	bubble(t, w, Options{Register: true}, func(r *rig) {
		c := r.join("Ada")
		if n := len(c.linesRead()); n != 11 || r.bad("panic") != 0 {
			t.Errorf("%d lines", n)
		}
	})
}

func TestOnlyCommandsThatThereAreDoSomething(t *testing.T) {
	bubble(t, quietVale(), Options{Register: true}, func(r *rig) {
		ada, bob := r.join("Ada"), r.join("Bob")
		ada.listen()
		bob.listen()
		ada.send(proto.MessagePublicRequest{Text: "/dance"})
		ada.send(proto.MessagePublicRequest{Text: " \t "})
		ada.send(proto.MessagePublicRequest{Text: "/invite Bob"})
		r.cycles(2)
		if got := ada.linesRead(); !slices.Contains(got, helpText) {
			t.Errorf("reads %q", got)
		}
		bob.send(proto.MessagePublicRequest{Text: "/accept"})
		r.cycles(2)
		p := r.player("Bob")
		inParty := func() (is bool) {
			p.w.on(func() {
				is = slices.ContainsFunc(p.place.party, func(m mate) bool { return m.spot == p.place.spot[p.row] })
			})
			return is
		}
		if got := bob.linesRead(); len(got) == 0 || !inParty() {
			t.Errorf("Bob reads %q", got)
		}
		bob.send(proto.MessagePublicRequest{Text: "/leave"})
		r.cycles(2)
		if inParty() {
			t.Error("still in the party")
		}
	})
}
