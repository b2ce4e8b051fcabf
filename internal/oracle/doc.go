// Package oracle compares the actors that game clients show with the true positions on the server.
//
// A Truth records the positions of all actors of all areas, tick by tick, from frames in the same process or from the
// console's live map. An Observation is what one client shows at one time. An Oracle compares the two by the rules of the
// client's Protocol (rounding, delay, range, how long the dead stay) and counts verdicts:
//
//	right    the position was true within the allowed time
//	late     it was true, but longer ago than allowed
//	wrong    it was not true at any time within the allowed time
//	missing  an actor that must be shown is not
//	ghost    an actor is shown that is not there
//
// Each finding that is not right has a reason in words. Times of the server are milliseconds since 1970 by the server's
// clock, which frames carry. Truth converts times of this process to that clock.
package oracle
