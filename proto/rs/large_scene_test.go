package rs

import "testing"

// The avatar in the row of the viewer's own player is replaced by another one, as when a player switches characters. The
// viewer's client drops all info of the first avatar, and other avatars can face the second.
func TestClientStateIsResetWhenViewersOwnAvatarIsReplaced(t *testing.T) {
	forBothSceneKinds(t, func(t *testing.T, large bool) {
		m := newSmallScene(t, Profile667, large, 2)
		m.s.SetInfo(1, &Info{Has: InfoKindsOf(KindSpeed, KindPIcon), Speed: 2, PIcon: true})
		m.cycle(1)
		m.s.Remove(1)
		m.s.Add(1, 77, Tile{X: 3300, Z: 3200})
		m.s.SetInfo(1, &Info{Has: InfoKindsOf(KindAppearance), Appearance: []byte{7}})
		m.s.Move(2, Tile{X: 3301, Z: 3200}, MoveTeleport)
		m.cycle(1)
		own := m.v.OwnIndex()
		if at, _ := m.c.Local(own); at.X != 3300 || m.c.State(own).PIcon || m.c.State(own).Speed != 1 || len(m.c.Appearance(own)) != 1 {
			t.Errorf("at %v, %+v, appearance %x", at, m.c.State(own), m.c.Appearance(own))
		}
		m.s.SetFacing(2, 1)
		m.cycle(2)
		if got := m.c.State(m.v.Index(2)).Target; got != own+32768 {
			t.Errorf("the other avatar faces %d, want %d", got, own+32768)
		}
	})
}

func TestPlayersHiddenForLackOfClientIndexAreCounted(t *testing.T) {
	const rows = 5000
	s, want := NewLargeScene(Profile667, rows), NewRowSet(rows)
	for row := range rows {
		s.Add(row, uint64(row+1), Tile{X: 3200, Z: 3200})
		want.Add(row)
	}
	v := NewLargeSceneViewer(s, 7, 3)
	var e PlayerInfoEncoder
	s.Prepare()
	if _, err := e.Encode(nil, s, v, want, PacketLimits{}); err != nil || !v.Commit() {
		t.Fatal(err)
	}
	if v.LocalCount() != MaxIndex || v.Stats().PendingAdds != rows-MaxIndex {
		t.Errorf("%d local players, %d pending adds", v.LocalCount(), v.Stats().PendingAdds)
	}
}

func TestNewViewerPanicsOnInvalidOwnIndex(t *testing.T) {
	for _, own := range []Index{0, MaxIndex + 1} {
		for name, make := range map[string]func(){
			"shared": func() { NewViewer(NewScene(Profile667), own) },
			"large":  func() { NewLargeSceneViewer(NewLargeScene(Profile667, 64), own, 1) },
		} {
			func() {
				defer func() {
					if recover() == nil {
						t.Errorf("%s: no panic at own index %d", name, own)
					}
				}()
				make()
			}()
		}
	}
}
