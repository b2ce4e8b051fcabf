package rs

import "math/bits"

// RowSet is a bit set of a scene's rows: row r is bit r%64 of word r/64. In a scene made by NewScene, the rows are player
// indices.
type RowSet []uint64

// NewRowSet returns an empty set for a scene of n rows.
func NewRowSet(n int) RowSet { return make(RowSet, (n+63)/64) }

// Add adds row r to the set.
func (s RowSet) Add(r int) { s[r>>6] |= 1 << (r & 63) }

// Remove removes row r from the set.
func (s RowSet) Remove(r int) { s[r>>6] &^= 1 << (r & 63) }

// Has reports whether row r is in the set.
func (s RowSet) Has(r int) bool { return s[r>>6]>>(r&63)&1 != 0 }

// Clear empties the set.
func (s RowSet) Clear() { clear(s) }

// Count returns the number of rows in the set.
func (s RowSet) Count() int {
	n := 0
	for _, w := range s {
		n += bits.OnesCount64(w)
	}
	return n
}

// indexSet is a bit set of player indices 0..2047.
type indexSet [indexSlots / 64]uint64

func (s *indexSet) add(i int)      { s[i>>6&31] |= 1 << (i & 63) }
func (s *indexSet) remove(i int)   { s[i>>6&31] &^= 1 << (i & 63) }
func (s *indexSet) has(i int) bool { return s[i>>6&31]>>(i&63)&1 != 0 }

func (s *indexSet) count() int {
	n := 0
	for _, w := range s {
		n += bits.OnesCount64(w)
	}
	return n
}
