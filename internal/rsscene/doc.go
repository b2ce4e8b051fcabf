// Package rsscene plays small worlds for the RuneScape door and says what is true in them: which viewer sees whom on which
// tile, and in which square everybody else is. It knows this from the world alone, never from the encoder whose packets it
// asks for, so that packets and truth can be held against each other, in our tests and in the tests of other servers.
//
//	run, err := rsscene.New(rsscene.Config{Profile: rs.Profile667, Scene: "chaos", Players: 300, Viewers: 2, Seed: 7})
//	for range 100 {
//		run.Step()
//		for _, v := range run.Viewers {
//			check(v.Packet, v.Truth())
//		}
//	}
//
// Equal configurations give equal runs, byte for byte. A Run belongs to one goroutine.
//
// WriteInit and WriteCycle write a viewer's run as JSON lines, and Check reads them back; see Line for the format.
package rsscene
