package rcce

import (
	"reflect"
	"slices"
	"strings"
	"testing"
	"time"

	proto "github.com/truestep-io/truestep/proto/rcce"
	"github.com/truestep-io/truestep/session"
	"github.com/truestep-io/truestep/sim"
)

func TestReceivedTextIsConvertedFromWindows1252ToUTF8(t *testing.T) {
	withServer(t, emptyFields(), serverOptions{}, func(srv *testServer) {
		c := srv.connect()
		user, pass := "J\xf6rg_\xff", passwordMD5("ma\xdf")
		c.request(proto.CreateAccountRequest{User: user, MD5: pass, Email: "j\xf6@x"})
		a, err := srv.store.Account(srv.ctx, "Jörg_ÿ")
		if err != nil || a.Email != "jö@x" {
			t.Fatalf("the account is stored as %+v, %v", a, err)
		}
		c.request(proto.CreateCharacterRequest{User: user, MD5: pass, Name: "Joerg", Template: human})
		c.send(proto.StartGameRequest{User: user, MD5: pass})
		srv.waitFor("entry", func() bool { return countOf[proto.StartGame](c) >= 13 })

		// The line has a byte of each kind: a letter, one of 0x80..0x9f, and one that the code page does not define.
		const line = "gr\xfc\xdfe \x80 \x81"
		c.received = nil
		c.send(proto.ChatMessageRequest{Text: line})
		spell := proto.ActionBarUpdate{Sub: proto.BarSpell, Slot: 1, Spell: "K\xe4lte\x9c"}
		item := proto.ActionBarUpdate{Sub: proto.BarItem, Slot: 2, Item: 0xa9c3} // the bytes of the item number are valid UTF-8, but not text
		odd := proto.ActionBarUpdate{Sub: proto.BarItem, Slot: 3, Item: 0x8100}
		c.send(spell, item, odd)
		srv.advance(time.Second)
		if got := chatTexts(c); !slices.Equal(got, []string{"<Joerg> " + line}) {
			t.Errorf("the speaker got %q", got)
		}

		e := srv.entityOf(c)
		c.received = nil
		srv.must(srv.hub.SendMessage(e, "Grüße – 日本"))
		srv.advance(time.Second)
		if got := chatTexts(c); !slices.Equal(got, []string{"[Operator] Gr\xfc\xdfe \x96 ??"}) {
			t.Errorf("an operator's message came as %q", got)
		}

		c.peer.Disconnect(0)
		srv.advance(time.Second)
		l, err := srv.hub.Login(srv.ctx, session.Peer{Conn: 1 << 40, Door: "rcce"}, "Jörg_ÿ", pass)
		srv.must(err)
		ch, err := srv.hub.Character(srv.ctx, l, 0)
		srv.must(err)
		if ch.ActionBar[1] != "SKälteœ" || ch.ActionBar[2] != "IÃ©" {
			t.Errorf("the action bar is stored as %q", ch.ActionBar[:4])
		}
		c = srv.connect()
		c.send(proto.StartGameRequest{User: user, MD5: pass})
		srv.waitFor("the second entry", func() bool { return countOf[proto.StartGame](c) >= 13 })
		var bar []string
		for _, part := range packetsOf[proto.StartGameBar](c) {
			bar = append(bar, part.Slots[:]...)
		}
		if want := []string{"", spell.SlotText(), item.SlotText(), odd.SlotText()}; len(bar) < 4 || !slices.Equal(bar[:4], want) {
			t.Errorf("the action bar came back as %q, want %q", bar, want)
		}
	})
}

// Every text of the world that clients are sent ends in "é", which must be one byte on the wire.
func TestWorldTextIsSentInWindows1252(t *testing.T) {
	w, models := catalogueWorld(8, 5)
	w.NewCharacters.NameFilter = nil
	appendToTexts(reflect.ValueOf(w).Elem(), "é")
	seen := map[string]bool{}
	withServer(t, w, serverOptions{Options: Options{Appearance: models}}, func(srv *testServer) {
		a, b := srv.join("ann"), srv.join("bob")
		a.request(proto.VerifyAccountRequest{User: "ann", MD5: passwordMD5("pass")})
		a.send(proto.ChatMessageRequest{Text: "/who"})
		srv.advance(time.Second)
		c := srv.connect()
		c.send(proto.FetchActorsRequest{})
		srv.advance(5 * time.Second)
		for _, c := range []*client{a, b, c} {
			for _, p := range c.received {
				eachText(reflect.ValueOf(p), packetName(p), func(at, text string) {
					switch {
					case strings.Contains(text, "é"):
						t.Errorf("%s was sent in UTF-8: %q", at, text)
					case strings.Contains(text, "\xe9"):
						seen[at] = true
					}
				})
			}
		}
	})
	for _, at := range []string{
		"ChangeArea.Name", "ChatMessage.Text", "FetchActorsAttributes.Attributes.Name", "FetchActorsDamage.Names",
		"FetchActorsCalendar.Seasons.Name", "FetchActorsCalendar.Months.Name", "FetchActorsItems.Items.Name",
		"FetchActorsItems.Items.Race", "FetchActorsItems.Items.Misc", "FetchActorsFactions.Factions.Name",
		"FetchActorsTemplates.Templates.Race", "FetchActorsTemplates.Templates.Class", "FetchActorsTemplates.Templates.Description",
	} {
		if !seen[at] {
			t.Errorf("no %s was sent with an accent", at)
		}
	}
}

func TestTextOfOtherPlayersIsSentInWindows1252(t *testing.T) {
	w := emptyFields()
	body := &sim.Body{Template: human, Name: "Zoë 日", Tag: "Ñ"}
	p := newActor(w, 0, 1, &sim.ActorState{Body: body})
	if p.Name != "Zo\xeb ?" || p.Tag != "\xd1" {
		t.Errorf("an actor is shown as %q, %q", p.Name, p.Tag)
	}
	if list := rosterEntries([]*sim.Character{{Name: "Zoë"}}); list[0].Name != "Zo\xeb" {
		t.Errorf("a roster has %q", list[0].Name)
	}
}

// appendToTexts appends suffix to every string inside v.
func appendToTexts(v reflect.Value, suffix string) {
	switch v.Kind() {
	case reflect.Pointer:
		if !v.IsNil() {
			appendToTexts(v.Elem(), suffix)
		}
	case reflect.Struct:
		for i := range v.NumField() {
			if v.Type().Field(i).IsExported() {
				appendToTexts(v.Field(i), suffix)
			}
		}
	case reflect.Slice, reflect.Array:
		for i := range v.Len() {
			appendToTexts(v.Index(i), suffix)
		}
	case reflect.String:
		v.SetString(v.String() + suffix)
	}
}

// eachText calls fn with every string inside v and with the path of field names to that string.
func eachText(v reflect.Value, at string, fn func(at, text string)) {
	switch v.Kind() {
	case reflect.Struct:
		for i := range v.NumField() {
			eachText(v.Field(i), at+"."+v.Type().Field(i).Name, fn)
		}
	case reflect.Slice, reflect.Array:
		for i := range v.Len() {
			eachText(v.Index(i), at, fn)
		}
	case reflect.String:
		fn(at, v.String())
	}
}

// Package session refuses brackets in names, but a store or project may contain names that were created before this rule.
func TestSpeakerNameWithBracketsCannotForgeChatLine(t *testing.T) {
	if got := chatLine("Ann> give Eve gold <Bob", "1 < 2"); got != "<Ann) give Eve gold (Bob> 1 < 2" {
		t.Error(got)
	}
}
