package auth

import (
	"crypto/cipher"
	"crypto/subtle"
	"fmt"
)

// Resync decrypts the batch b of a packet capture, in which earlier batches are missing. It searches the key stream for the
// position at which the checksum of b is right. The parameter lost is the number of missing batches, and maxBytes is the
// maximum of their total size. The search computes about one checksum per 100 bytes of maxBytes. The result is newly allocated.
// After an error, which wraps ErrChecksum, the opener is unchanged, and b counts as one more lost batch. Sessions do not need
// Resync, because RakNet loses no batches between two peers.
func (o *Opener) Resync(b []byte, lost uint64, maxBytes int) ([]byte, error) {
	if o.failed || len(b) <= checksumSize || maxBytes < 0 {
		return nil, fmt.Errorf("decrypt batch of %d bytes: it has 8 bytes or fewer, or an earlier batch could not be decrypted: %w", len(b), ErrChecksum)
	}
	buffered := make([]byte, maxBytes+len(b))
	o.state.stream.XORKeyStream(buffered, buffered)
	before := o.state.counter
	plain := make([]byte, len(b))
	for at := range maxBytes + 1 {
		if !isCompressor(b[0] ^ buffered[at]) {
			continue
		}
		subtle.XORBytes(plain, b, buffered[at:])
		o.state.counter = before + lost
		body, sum := plain[:len(b)-checksumSize], plain[len(b)-checksumSize:]
		if subtle.ConstantTimeCompare(sum, o.state.checksum(body)) == 1 {
			o.state.stream = &bufferedStream{buffered[at+len(b):], o.state.stream}
			return body, nil
		}
	}
	o.state.counter = before
	o.state.stream = &bufferedStream{buffered, o.state.stream}
	return nil, fmt.Errorf("cannot decrypt the batch after %d lost batches: no starting position within the next %d bytes of the key stream fits: %w", lost, maxBytes, ErrChecksum)
}

// isCompressor reports whether c is a valid compressor byte, with which a batch begins and which names the compression. Package
// bedrock defines the values, but this package does not import it.
func isCompressor(c byte) bool { return c <= 1 || c == 0xff }

// bufferedStream is a key stream of which some bytes were read in advance. These bytes are in the field buffered; the following
// ones come from rest.
type bufferedStream struct {
	buffered []byte
	rest     cipher.Stream
}

// XORKeyStream implements cipher.Stream. It uses the buffered bytes of the key stream first.
func (s *bufferedStream) XORKeyStream(dst, src []byte) {
	n := subtle.XORBytes(dst[:len(src)], src, s.buffered)
	s.buffered = s.buffered[n:]
	if n < len(src) {
		s.rest.XORKeyStream(dst[n:len(src)], src[n:])
	}
}
