package content

import (
	"slices"
	"strings"
)

// maxListed is the maximum number of known words listed in a message.
const maxListed = 12

// suggest returns the end of a message about an unknown word: "did you mean" with the most similar word in the list known. If no
// word in it is similar, the end of the message is the text intro and the whole list.
func suggest(word string, known []string, intro string) string {
	best, bestDist := "", min(len(word), 1+(len(word)+2)/3) // about a third of the letters may differ, but not all of them
	for _, k := range known {
		if d := editDistance(strings.ToLower(word), strings.ToLower(k)); d < bestDist {
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

// editDistance returns the number of letters to insert, delete or replace to change a into b. For words of more than 64
// bytes it returns a large number.
func editDistance(a, b string) int {
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

// Limits of SuggestNames.
const (
	maxNameLength     = 100 // maximum bytes of a name that is compared
	maxSimilarNames   = 5   // maximum number of similar names in a message
	maxListedNames    = 60  // maximum number of names in a message if none is similar
	maxNameDifference = 2   // maximum number of letters by which similar names differ
)

// SuggestNames returns the end of a message about an unknown name. It lists the similar names in the list known: those that
// differ from the name by at most two letters or begin alike. If there are none, it lists all names. Long lists are cut off.
func SuggestNames(name string, known []string) string {
	var similar []string
	for _, k := range known {
		if isSimilar(name, k) {
			similar = append(similar, k)
		}
	}
	switch {
	case len(similar) > 0:
		return "did you mean " + strings.Join(similar[:min(len(similar), maxSimilarNames)], ", ") + "?"
	case len(known) == 0:
		return "there are no names"
	case len(known) > maxListedNames:
		return "there are " + strings.Join(known[:maxListedNames], ", ") + "..."
	}
	return "there are " + strings.Join(known, ", ")
}

func isSimilar(a, b string) bool {
	a, b = strings.ToLower(a), strings.ToLower(b)
	if len(a) > maxNameLength || len(b) > maxNameLength || a == "" || b == "" {
		return false
	}
	return strings.HasPrefix(a, b) || strings.HasPrefix(b, a) || editDistance(a, b) <= min(maxNameDifference, len(a)/2)
}
