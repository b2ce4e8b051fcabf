// Package oneworld holds the tests of the one world behind all doors: a whole server in one process, with every door
// open on a port of its own, and the headless client of each door walking in. What a client believes is compared with
// the frames of the areas, which are the truth.
//
// It has no code but tests. They run in real time, since sockets do; what they wait for is bounded, and what they
// require of time allows for a busy machine.
package oneworld
