// Package oneworld tests one world that clients of all protocols share: a whole server in one process with every door open,
// and headless clients of all doors. What each client shows is compared with the frames of the areas.
//
// It has no code but tests. They run in virtual time (synctest) over the in-memory network of internal/netsim, so the checks are exact.
package oneworld
