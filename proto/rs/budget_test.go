package rs

import (
	"bytes"
	"testing"
)

// Chat that fills every packet must not delay other content forever. In this test a player with a high index gets a new
// appearance, and another player joins. The viewer must be sent both.
func TestNewPlayersAndDeferredInfoAreSentDespiteConstantChat(t *testing.T) {
	forBothSceneKinds(t, func(t *testing.T, large bool) {
		const talkers, late = 40, 50
		m := newSmallScene(t, Profile667, large, talkers)
		m.cycle(1)
		line := &Info{Has: InfoKindsOf(KindSay), Say: bytes.Repeat([]byte("x"), 80)}
		look := bytes.Repeat([]byte{7}, 60)
		m.s.SetInfo(talkers, &Info{Has: InfoKindsOf(KindAppearance), Appearance: look})
		m.s.Add(late, late, Tile{X: 3200, Z: 3200})
		m.s.SetInfo(late, &Info{Has: InfoKindsOf(KindAppearance), Appearance: look})
		m.want.Add(late)
		m.lim.Bytes = 2000
		for n := 1; ; n++ {
			for row := 1; row <= talkers; row++ {
				m.s.SetInfo(row, line)
			}
			m.cycle(1)
			dressed, came := m.c.Appearance(m.v.Index(talkers)) != nil, m.v.IsLocal(m.v.Index(late)) && m.v.Index(late) != 0
			if dressed && came {
				return
			}
			if n == maxStarvedPackets+2 {
				t.Fatalf("after %d cycles: appearance sent %v, player added %v, %+v", n, dressed, came, m.v.Stats())
			}
		}
	})
}
