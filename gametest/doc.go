// Package gametest holds the rules of a game to what a replay needs: Source checks that their code uses no clock, no randomness of its own, no
// goroutine and no state of its own, and Replay that the same intents give the same states. A game's tests call both:
//
//	func TestRulesUseOnlyWhatReplaysRepeat(t *testing.T) { gametest.Source(t, ".") }
//	func TestRulesAreDeterministic(t *testing.T)         { gametest.Replay(t, world(t), 2000, 1) }
package gametest
