package content

import (
	"slices"
	"strings"
)

// maxListed is the maximum number of known words listed in a message.
const maxListed = 12

// suggest is the end of a message about an unknown word: the most similar known word, else intro and all known words.
func suggest(word string, known []string, intro string) string {
	best, bestDist := "", min(len(word), 1+(len(word)+2)/3) // at most a third of the letters may differ, and not all
	for _, k := range known {
		if d := EditDistance(strings.ToLower(word), strings.ToLower(k)); d < bestDist {
			best, bestDist = k, d
		}
	}
	if best != "" {
		return `did you mean "` + best + `"?`
	}
	known = slices.DeleteFunc(slices.Clone(known), func(k string) bool { return k == "" })
	if len(known) == 0 {
		return "there are none"
	}
	if len(known) > maxListed {
		return intro + " " + strings.Join(known[:maxListed], ", ") + " and others"
	}
	return intro + " " + strings.Join(known, ", ")
}

// EditDistance is the number of letters to insert, delete or change to turn a into b. Words above 64 bytes count as
// distant.
func EditDistance(a, b string) int {
	const limit = 64
	if len(a) > limit || len(b) > limit {
		return limit
	}
	var rows [2][limit + 1]int
	for j := range len(b) + 1 {
		rows[0][j] = j
	}
	for i := range len(a) {
		last, next := &rows[i%2], &rows[(i+1)%2]
		next[0] = i + 1
		for j := range len(b) {
			cost := 1
			if a[i] == b[j] {
				cost = 0
			}
			next[j+1] = min(last[j]+cost, last[j+1]+1, next[j]+1)
		}
	}
	return rows[len(a)%2][len(b)]
}
