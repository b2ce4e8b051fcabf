// Package oracle compares the actors that game clients show with the true positions on the server.
//
// A Truth records the positions of all actors of all areas in each tick, from frames in the same process or from the console's
// live map. An Observation holds the actors that one client shows at one time. An Oracle compares observations with the Truth by
// the rules of the client's Protocol (rounding, delay, range, how long dead actors stay visible) and counts verdicts:
//
//	right    the actor was at the shown position within the allowed delay
//	late     the actor was at the shown position, but longer ago than allowed
//	wrong    the actor was not at the shown position at any time that the Truth remembers
//	missing  the client does not show an actor that it must show
//	ghost    the client shows an actor that is not there
//
// Each finding other than right has a reason in words. Server times are milliseconds since 1970 by the server's clock, as in
// frames. Truth converts times of this process to that clock.
package oracle
