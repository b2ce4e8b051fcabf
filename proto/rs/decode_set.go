package rs

import "math/bits"

// indexAfter returns the smallest member of s that is greater than i, or 0 if there is none.
func indexAfter(s *indexSet, i Index) Index {
	i++
	if i > MaxIndex {
		return 0
	}
	word := int(i >> 6)
	for rest := s[word] &^ (1<<(i&63) - 1); ; rest = s[word] {
		if rest != 0 {
			return Index(word<<6 + bits.TrailingZeros64(rest))
		}
		if word++; word == len(s) {
			return 0
		}
	}
}

// passList holds the players of one pass that have not been visited, and yields them in ascending order. A pass is a part of a
// packet, with the entries of these players. As in the client, the list is made before the packet is read. It therefore lacks
// the players that the packet itself adds.
type passList struct {
	members indexSet // players not visited yet
	word    int      // index of a word of members below which all words are empty
}

// next removes the smallest member from the list and returns it. It returns 0 if the list is empty.
func (l *passList) next() Index {
	for ; l.word < len(l.members); l.word++ {
		if w := l.members[l.word]; w != 0 {
			l.members[l.word] = w & (w - 1)
			return Index(l.word<<6 + bits.TrailingZeros64(w))
		}
	}
	return 0
}

// skip moves the next n members of the list to the set idle, or all members if fewer than n are left. The result "open" is
// n minus the number of moved members. The result "last" is the last member that was moved, or 0 if none was.
func (l *passList) skip(n int, idle *indexSet) (open int, last Index) {
	for ; l.word < len(l.members) && n > 0; l.word++ {
		w := l.members[l.word]
		if c := bits.OnesCount64(w); c > n {
			rest := w
			for ; n > 0; n-- {
				rest &= rest - 1
			}
			w &^= rest
			l.members[l.word] = rest
			idle[l.word] |= w
			return 0, Index(l.word<<6 + 63 - bits.LeadingZeros64(w))
		} else if c > 0 {
			n -= c
			l.members[l.word] = 0
			idle[l.word] |= w
			last = Index(l.word<<6 + 63 - bits.LeadingZeros64(w))
		}
	}
	return n, last
}
