package gateway

import "strconv"

// ExperienceText returns a chat line about experience that a player has gained, for protocols without a packet for
// experience. points must be positive.
func ExperienceText(points int32) string {
	if points == 1 {
		return "You gain a point of experience."
	}
	return "You gain " + strconv.Itoa(int(points)) + " points of experience."
}
