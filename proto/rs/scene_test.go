package rs

import (
	"errors"
	"fmt"
	"testing"
)

// smallScene is a scene of a few rows with a viewer in row 1 and its client.
type smallScene struct {
	t    *testing.T
	s    *Scene
	v    *Viewer
	c    *PlayerInfoDecoder
	e    PlayerInfoEncoder
	want RowSet
	lim  PacketLimits
}

// newSmallScene returns a scene with avatars in rows 1..avatars, all on one tile. The viewer is to see all of them.
func newSmallScene(t *testing.T, p *Profile, large bool, avatars int) *smallScene {
	t.Helper()
	m := &smallScene{t: t, s: NewScene(p)}
	if large {
		m.s = NewLargeScene(p, 64)
	}
	m.want = NewRowSet(m.s.RowCount())
	for row := 1; row <= avatars; row++ {
		m.s.Add(row, uint64(row), Tile{X: 3200, Z: 3200})
		m.want.Add(row)
	}
	if large {
		m.v = NewLargeSceneViewer(m.s, 9, 1)
	} else {
		m.v = NewViewer(m.s, 1)
	}
	c, err := NewPlayerInfoDecoder(p, m.v.OwnIndex(), m.v.AppendPlacement(nil, m.s))
	if err != nil {
		t.Fatal(err)
	}
	m.c = c
	return m
}

// cycle sends a packet and returns the info that the client received about the avatar in a row.
func (m *smallScene) cycle(row int) (in Info) {
	m.t.Helper()
	m.s.Prepare()
	b, err := m.e.Encode(nil, m.s, m.v, m.want, m.lim)
	if err != nil {
		m.t.Fatal(err)
	}
	m.v.Commit()
	m.s.Advance()
	if err := m.c.Apply(b); err != nil {
		m.t.Fatal(err)
	}
	m.c.Info(m.v.Index(row), &in)
	return in
}

// forBothSceneKinds runs a test with NewScene and with NewLargeScene.
func forBothSceneKinds(t *testing.T, f func(t *testing.T, large bool)) {
	for _, large := range []bool{false, true} {
		t.Run(fmt.Sprintf("large=%v", large), func(t *testing.T) { f(t, large) })
	}
}

func TestChangesToEmptyRowOfSceneAreIgnored(t *testing.T) {
	forBothSceneKinds(t, func(t *testing.T, large bool) {
		m := newSmallScene(t, Profile667, large, 2)
		m.want.Add(3)
		m.s.SetInfo(3, &Info{Has: InfoKindsOf(KindSay, KindPIcon), Say: []byte("ghost"), PIcon: true})
		m.s.SetPrivate(3, InfoKindsOf(KindClanmate))
		m.s.SetFacing(3, 2)
		m.s.Move(3, Tile{X: 100, Z: 100}, MoveWalk)
		if m.cycle(3); m.s.Tile(3) != (Tile{}) {
			t.Errorf("empty row has tile %v", m.s.Tile(3))
		}
		if at, _ := m.c.LowRes(3); at != 0 {
			t.Errorf("the client has square %x for an empty row", at)
		}
		m.s.Add(3, 3, Tile{X: 3201, Z: 3200})
		if in := m.cycle(3); in.Has != 0 || !m.v.IsLocal(m.v.Index(3)) {
			t.Errorf("the avatar added later has kinds %b", in.Has)
		}
	})
}

func TestEncodeFailsIfSceneChangedSincePrepare(t *testing.T) {
	forBothSceneKinds(t, func(t *testing.T, large bool) {
		for name, change := range map[string]func(s *Scene){
			"no Prepare": func(s *Scene) { s.Advance() },
			"Move":       func(s *Scene) { s.Move(1, Tile{X: 3201, Z: 3200}, MoveWalk) },
			"Add":        func(s *Scene) { s.Add(5, 5, Tile{X: 3201, Z: 3200}) },
			"Remove":     func(s *Scene) { s.Remove(2) },
			"SetInfo":    func(s *Scene) { s.SetInfo(2, &Info{Has: InfoKindsOf(KindSpeed), Speed: 2}) },
			"SetFacing":  func(s *Scene) { s.SetFacing(2, 1) },
			"SetPrivate": func(s *Scene) { s.SetPrivate(2, InfoKindsOf(KindHits)) },
		} {
			m := newSmallScene(t, Profile667, large, 2)
			m.s.Prepare()
			change(m.s)
			if _, err := m.e.Encode(nil, m.s, m.v, m.want, PacketLimits{}); !errors.Is(err, ErrNotPrepared) {
				t.Errorf("%s: %v", name, err)
			}
			m.cycle(1)
		}
	})
}

// A client fails on an empty text and treats a 0 byte as the end of the text.
func TestEmptyTextsAreNotSentAndTextsAreCutAtNUL(t *testing.T) {
	for _, c := range []struct{ says, told string }{{"hello", "hello"}, {"a\x00b", "a"}, {"", ""}, {"\x00b", ""}} {
		m := newSmallScene(t, Profile667, false, 1)
		m.s.SetInfo(1, &Info{Has: InfoKindsOf(KindSay, KindAppearance), Say: []byte(c.says)})
		if in := m.cycle(1); string(in.Say) != c.told || in.Has.Has(KindSay) != (c.told != "") || in.Has.Has(KindAppearance) {
			t.Errorf("%q is sent as %q, kinds %b", c.says, in.Say, in.Has)
		}
		m.s.SetPrivate(1, InfoKindsOf(KindSay))
		m.e.PrivateInfo = func(_ *Viewer, _ int, _ InfoKind, in *Info) bool {
			in.Say = append(in.Say, c.says...)
			return true
		}
		if in := m.cycle(1); string(in.Say) != c.told || in.Has.Has(KindSay) != (c.told != "") {
			t.Errorf("private %q is sent as %q, kinds %b", c.says, in.Say, in.Has)
		}
	}
}

func TestAvatarStopsFacingRemovedAvatar(t *testing.T) {
	m := newSmallScene(t, Profile667, true, 3)
	m.cycle(2)
	m.s.SetFacing(2, 3)
	m.cycle(2)
	if got, want := m.c.State(m.v.Index(2)).Target, m.v.Index(3)+32768; got != want {
		t.Fatalf("faces %d, want %d", got, want)
	}
	m.s.Remove(3)
	m.s.Add(3, 77, Tile{X: 3200, Z: 3200})
	for range 3 {
		m.cycle(2)
	}
	if got := m.c.State(m.v.Index(2)).Target; got != None {
		t.Errorf("faces %d, which has another owner", got)
	}
}
