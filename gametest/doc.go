// Package gametest checks that the rules of a game can be replayed. Source checks that the code of the rules imports only packages
// that are known to be pure, and uses no clock, no random numbers, no goroutine and no state of its own. Replay checks that the same
// intents give the same states. The tests of a game call both:
//
//	func TestGameRulesContainOnlyDeterministicStatements(t *testing.T) { gametest.Source(t, ".") }
//	func TestGameRulesAreDeterministic(t *testing.T)              { gametest.Replay(t, world(t), 2000, 1) }
package gametest
