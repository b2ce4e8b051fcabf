// Package oneworld tests a world that clients of all protocols share: a whole server in one process with every door open, and
// headless clients of all doors. The tests compare what each client shows with the frames of the areas.
//
// The package contains only tests. They run in virtual time (testing/synctest) over the in-memory network of internal/netsim,
// so the checks are exact.
package oneworld
