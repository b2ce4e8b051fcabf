package raknet

// windowSize limits how far a number may be above the lowest missing number to be accepted. Source: docs/wire/bedrock.md,
// RK-9 and RK-10.
const windowSize = 2048

// window tracks which numbers were received. It is exact for the windowSize numbers below low and the windowSize numbers
// from low on. Older numbers count as received.
type window struct {
	low  int64                       // lowest number that was neither received nor given up
	bits [2 * windowSize / 64]uint64 // one bit for each tracked number, at number % (2 * windowSize)
}

func (w *window) bit(n int64) (*uint64, uint64) {
	i := uint64(n) % (2 * windowSize)
	return &w.bits[i/64], 1 << (i % 64)
}

// tooFarAhead reports whether a number is too far ahead to be tracked.
func (w *window) tooFarAhead(n int64) bool { return n >= w.low+windowSize }

// seen reports whether a number that is not too far ahead was received.
func (w *window) seen(n int64) bool {
	if n < w.low-windowSize || n < 0 {
		return true
	}
	word, bit := w.bit(n)
	return *word&bit != 0
}

// mark records the receipt of a number. The number must be new and not too far ahead.
func (w *window) mark(n int64) {
	word, bit := w.bit(n)
	*word |= bit
	for n == w.low {
		w.advance()
		if word, bit = w.bit(w.low); *word&bit != 0 {
			n = w.low
		}
	}
}

// skipTo advances low to at least n, past numbers that were not received. Skipped numbers may still arrive later.
func (w *window) skipTo(n int64) {
	for w.low < n {
		w.advance()
	}
	for {
		if word, bit := w.bit(w.low); *word&bit == 0 {
			return
		}
		w.advance()
	}
}

// advance increases low by one and clears the slot that is now used for the new highest number.
func (w *window) advance() {
	word, bit := w.bit(w.low + windowSize)
	*word &^= bit
	w.low++
}
