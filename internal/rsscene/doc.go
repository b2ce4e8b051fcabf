// Package rsscene simulates small worlds for the RuneScape protocol and derives the true state of each viewer's client: the
// tiles of the local players and the squares of all others. The true state comes from the world alone, not from the
// encoder that writes the packets, so packets can be checked against it, here and in the tests of other servers.
//
//	run, err := rsscene.New(rsscene.Config{Profile: rs.Profile667, Scene: "chaos", Players: 300, Viewers: 2, Seed: 7})
//	for range 100 {
//		run.Step()
//		for _, v := range run.Viewers {
//			check(v.Packet, v.Truth())
//		}
//	}
//
// Equal configurations give equal runs, byte for byte. A Run is not safe for concurrent use.
//
// WriteInit and WriteCycle write a viewer's run as JSON lines, which Check reads; see Line for the format.
package rsscene
