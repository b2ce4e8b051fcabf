package gateway

import "testing"

func TestExperienceTextUsesSingularForOnePoint(t *testing.T) {
	for points, want := range map[int32]string{
		1: "You gain a point of experience.", 2: "You gain 2 points of experience.", 1<<31 - 1: "You gain 2147483647 points of experience.",
	} {
		if got := ExperienceText(points); got != want {
			t.Errorf("%d: %q, want %q", points, got, want)
		}
	}
}
