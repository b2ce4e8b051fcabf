package gateway

import (
	"errors"
	"net/netip"
	"strings"
	"testing"

	"github.com/truestep-io/truestep/area"
	"github.com/truestep-io/truestep/content"
	"github.com/truestep-io/truestep/internal/emptystore"
	"github.com/truestep-io/truestep/session"
	"github.com/truestep-io/truestep/sim"
	"github.com/truestep-io/truestep/store/sqlite"
)

func TestFirstPlayableTemplateIsNotAnNPCTemplate(t *testing.T) {
	w := &sim.World{Templates: []sim.Template{{ID: 3}, {ID: 5, Playable: true}, {ID: 7, Playable: true}}}
	if id, ok := FirstPlayable(w); !ok || id != 5 {
		t.Errorf("got template %d, %v; want 5", id, ok)
	}
	w.Templates = w.Templates[:1]
	if id, ok := FirstPlayable(w); ok {
		t.Errorf("got template %d of a world for NPCs only", id)
	}
	if _, ok := FirstPlayable(content.DefaultWorld().World); !ok {
		t.Error("the embedded world has no playable template")
	}
}

func TestFirstCharacterGetsNumberIfNameIsTaken(t *testing.T) {
	db, err := sqlite.Open(t.Context(), emptystore.Dir(t))
	if err != nil {
		t.Fatal(err)
	}
	defer db.Close()
	w := area.NewWorld(content.DefaultWorld().World, area.Options{Log: quiet})
	hub := session.NewHub(w, db, session.Options{Log: quiet})
	long := strings.Repeat("x", session.MaxCharacterName-3) + " yz" // truncated before a number, it would end with the space
	for i, c := range []struct {
		wish, want string // want is "" if no name is free
	}{
		{long, long}, {long, long[:len(long)-3] + " 2"}, {"Ada", "Ada"}, {"Ada", "Ada 2"}, {"Ada", "Ada 3"}, {"Ada", "Ada 4"}, {"Ada", "Ada 5"}, {"Ada", "Ada 6"},
		{"Ada", "Ada 7"}, {"Ada", "Ada 8"}, {"Ada", "Ada 9"}, {"Ada", ""},
	} {
		l, err := hub.LoginWithoutSecret(t.Context(), session.Peer{Door: "test", Addr: netip.IPv6Loopback()}, "test:"+string(rune('a'+i)))
		if err != nil {
			t.Fatal(err)
		}
		for range 2 { // the second call finds the character
			if err := EnsureCharacter(t.Context(), hub, w.Def(), l, c.wish); (err == nil) != (c.want != "") || err != nil && !errors.Is(err, session.ErrNameTaken) {
				t.Fatalf("%d, %s: %v", i, c.wish, err)
			}
		}
		roster, err := hub.Roster(t.Context(), l)
		if n := len(roster); err != nil || (n == 1) != (c.want != "") || n == 1 && (roster[0].Name != c.want) {
			t.Errorf("%d: wished for %q, has %d characters, want %q: %v", i, c.wish, n, c.want, err)
		}
		if err := EnsureCharacter(t.Context(), hub, &sim.World{}, l, "Bob"); (c.want == "") != errors.Is(err, session.ErrTemplate) {
			t.Errorf("%d: in a world without playable templates: %v", i, err)
		}
	}
	if err := errors.Join(w.Stop(t.Context()), hub.Close(t.Context())); err != nil {
		t.Error(err)
	}
}
