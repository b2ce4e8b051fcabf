package rs

import (
	"bytes"
	"testing"
)

// A crowd that fills every packet with what it says must not keep for ever from a client what is to last: a new
// appearance of a high index, or somebody who comes.
func TestNobodyWaitsForEverBehindTalkers(t *testing.T) {
	bothKinds(t, func(t *testing.T, crowd bool) {
		const talkers, late = 40, 50
		m := newSmall(t, Profile667, crowd, talkers)
		m.cycle(1)
		line := &Info{Has: KindsOf(KindSay), Say: bytes.Repeat([]byte("x"), 80)}
		look := bytes.Repeat([]byte{7}, 60)
		m.s.SetInfo(talkers, &Info{Has: KindsOf(KindAppearance), Appearance: look})
		m.s.Add(late, late, Tile{X: 3200, Z: 3200})
		m.s.SetInfo(late, &Info{Has: KindsOf(KindAppearance), Appearance: look})
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
				t.Fatalf("after %d cycles: dressed %v, came %v, %+v", n, dressed, came, m.v.Stats())
			}
		}
	})
}
