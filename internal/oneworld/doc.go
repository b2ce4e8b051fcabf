// Package oneworld holds the tests of the one world behind all doors: a whole server in one process, with every door
// open on a port of its own, and the headless client of each door walking in. What a client believes is compared with
// the frames of the areas, which are the truth.
//
// It has no code but tests. They run in synctest bubbles over the in-memory network of internal/netsim: time is virtual, and
// what they require is exact.
package oneworld
