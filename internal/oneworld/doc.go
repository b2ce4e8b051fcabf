// Package oneworld tests one world behind all doors: a whole server in one process with every door open, and the headless
// clients of all doors. What each client shows is compared with the frames of the areas.
//
// It has no code but tests. They run in synctest bubbles over the in-memory network of internal/netsim, so time is virtual
// and the checks are exact.
package oneworld
