package gateway

import "strconv"

// ExperienceText tells a player about gained experience, at doors whose protocols have no packet for it. points > 0.
func ExperienceText(points int32) string {
	if points == 1 {
		return "You gain a point of experience."
	}
	return "You gain " + strconv.Itoa(int(points)) + " points of experience."
}
