package raknet

import "encoding/binary"

// maxNumbers is the maximum number of datagram numbers in one ACK or NACK. Source: docs/wire/bedrock.md, RK-14.
const maxNumbers = 8192

// span is a range of datagram numbers. It includes first and last.
type span struct{ first, last int64 }

// parseRecords reads the ranges of datagram numbers in an ACK or NACK and appends them to dst. The parameter b is the
// datagram without its first byte. The numbers have 24 bits. ok is false if b is malformed or if the ranges contain more
// than maxNumbers numbers.
func parseRecords(dst []span, b []byte) (spans []span, ok bool) {
	if len(b) < 2 {
		return dst, false
	}
	count, total := int(binary.BigEndian.Uint16(b)), int64(0)
	b = b[2:]
	for range count {
		if len(b) < 4 || b[0] > 1 {
			return dst, false
		}
		s := span{int64(u24(b[1:])), int64(u24(b[1:]))}
		if b[0] == 0 {
			if len(b) < 7 {
				return dst, false
			}
			s.last = int64(u24(b[4:]))
			b = b[3:]
		}
		b = b[4:]
		if total += s.last - s.first + 1; s.last < s.first || total > maxNumbers {
			return dst, false
		}
		dst = append(dst, s)
	}
	return dst, len(b) == 0
}

// appendRecords appends an ACK or NACK with the first byte flags to b. It writes as many of the spans as fit into size bytes
// and together have at most maxNumbers numbers, and returns how many it wrote. The first span alone must be within these two
// limits. No span may contain the point where the 24-bit numbers wrap.
func appendRecords(b []byte, flags byte, spans []span, size int) ([]byte, int) {
	start, n, total := len(b), 0, int64(0)
	b = append(b, flags, 0, 0)
	for _, s := range spans {
		total += s.last - s.first + 1
		if len(b)-start+7 > size || total > maxNumbers {
			break
		}
		if s.first == s.last {
			b = appendU24(append(b, 1), uint32(s.first))
		} else {
			b = appendU24(appendU24(append(b, 0), uint32(s.first)), uint32(s.last))
		}
		n++
	}
	binary.BigEndian.PutUint16(b[start+1:], uint16(n))
	return b, n
}
