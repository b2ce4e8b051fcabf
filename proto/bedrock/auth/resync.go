package auth

import (
	"crypto/cipher"
	"crypto/subtle"
	"fmt"
)

// Resync opens a batch before which others are missing: lost batches, of together at most most bytes, that a bystander's
// capture does not have. A peer never needs it: nothing is lost between two peers. It looks for the place in the key stream
// at which the checksum fits, so it costs a checksum for every hundredth byte of most. The result is new memory. After an
// error, which wraps ErrChecksum, the opener is as before, and the batch counts as lost, too.
func (o *Opener) Resync(b []byte, lost uint64, most int) ([]byte, error) {
	if o.failed || len(b) <= checksumSize || most < 0 {
		return nil, fmt.Errorf("batch of %d bytes: %w", len(b), ErrChecksum)
	}
	ahead := make([]byte, most+len(b))
	o.d.stream.XORKeyStream(ahead, ahead)
	before := o.d.counter
	plain := make([]byte, len(b))
	for at := range most + 1 {
		if !compresses(b[0] ^ ahead[at]) {
			continue
		}
		subtle.XORBytes(plain, b, ahead[at:])
		o.d.counter = before + lost
		body, sum := plain[:len(b)-checksumSize], plain[len(b)-checksumSize:]
		if subtle.ConstantTimeCompare(sum, o.d.checksum(body)) == 1 {
			o.d.stream = &streamAhead{ahead[at+len(b):], o.d.stream}
			return body, nil
		}
	}
	o.d.counter = before
	o.d.stream = &streamAhead{ahead, o.d.stream}
	return nil, fmt.Errorf("batch behind %d lost ones, within %d bytes: %w", lost, most, ErrChecksum)
}

// compresses tells whether a batch may begin with that byte: the compressors of package bedrock, which this one does not
// import.
func compresses(c byte) bool { return c <= 1 || c == 0xff }

// streamAhead is a key stream of which some bytes have been taken already.
type streamAhead struct {
	ahead []byte
	rest  cipher.Stream
}

// XORKeyStream uses up what was taken before it goes on.
func (s *streamAhead) XORKeyStream(dst, src []byte) {
	n := subtle.XORBytes(dst[:len(src)], src, s.ahead)
	s.ahead = s.ahead[n:]
	if n < len(src) {
		s.rest.XORKeyStream(dst[n:len(src)], src[n:])
	}
}
