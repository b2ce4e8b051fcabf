package gateway

import "strconv"

// ExperienceText returns a chat line about gained experience, for protocols that have no packet for experience. points must be positive.
func ExperienceText(points int32) string {
	if points == 1 {
		return "You gain a point of experience."
	}
	return "You gain " + strconv.Itoa(int(points)) + " points of experience."
}
