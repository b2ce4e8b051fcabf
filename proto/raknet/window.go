package raknet

// windowSize is the number of datagram or message numbers that a receiver accepts, counted from the lowest missing number.
// Source: docs/wire/bedrock.md, RK-9 and RK-10.
const windowSize = 2048

// window records which numbers of datagrams or messages were received. The field low is the lowest number that is still awaited.
// The window has one bit for each of the numbers low-windowSize..low+windowSize-1. Lower numbers count as received.
type window struct {
	low  int64                       // lowest number that was neither received nor given up
	bits [2 * windowSize / 64]uint64 // one bit for each tracked number, at number % (2 * windowSize)
}

func (w *window) bit(n int64) (*uint64, uint64) {
	i := uint64(n) % (2 * windowSize)
	return &w.bits[i/64], 1 << (i % 64)
}

// tooFarAhead reports whether the number n is at least windowSize above the lowest missing number, so that the window has
// no bit for it.
func (w *window) tooFarAhead(n int64) bool { return n >= w.low+windowSize }

// seen reports whether the number n was received. tooFarAhead(n) must be false.
func (w *window) seen(n int64) bool {
	if n < w.low-windowSize || n < 0 {
		return true
	}
	word, bit := w.bit(n)
	return *word&bit != 0
}

// mark records that the number n was received. The number must be new, and tooFarAhead(n) must be false.
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

// skipTo stops waiting for the numbers below n: it increases low to at least n. A skipped number may still arrive later.
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

// advance increases low by one. It clears the bit of the number that has become the highest one of the window.
func (w *window) advance() {
	word, bit := w.bit(w.low + windowSize)
	*word &^= bit
	w.low++
}
