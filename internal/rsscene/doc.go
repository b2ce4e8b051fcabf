// Package rsscene simulates small worlds for the RuneScape protocol and derives the state that each viewer's client must have:
// the tiles of its local players and the map squares of all other players. It derives that state from the world alone,
// independently of the encoder that writes the packets. Tests of this and other servers compare decoded packets with it.
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
// WriteInit and WriteCycle write the packets and states of a viewer as JSON lines, which Check reads. Line describes the format.
package rsscene
