package rs

import "encoding/binary"

const (
	xteaBlock  = 8 // bytes of a block
	xteaRounds = 32
	xteaDelta  = 0x9e3779b9
)

// XTEAEncrypt encrypts b in place with XTEA: 32 rounds, big-endian words. Each block of 8 bytes is encrypted independently of
// the others. Up to 7 bytes at the end stay unencrypted, as the protocol requires.
func XTEAEncrypt(k Keys, b []byte) {
	for ; len(b) >= xteaBlock; b = b[xteaBlock:] {
		v0, v1 := binary.BigEndian.Uint32(b), binary.BigEndian.Uint32(b[4:])
		var sum uint32
		for range xteaRounds {
			v0 += ((v1<<4 ^ v1>>5) + v1) ^ (sum + k[sum&3])
			sum += xteaDelta
			v1 += ((v0<<4 ^ v0>>5) + v0) ^ (sum + k[sum>>11&3])
		}
		binary.BigEndian.PutUint32(b, v0)
		binary.BigEndian.PutUint32(b[4:], v1)
	}
}

// XTEADecrypt reverses XTEAEncrypt.
func XTEADecrypt(k Keys, b []byte) {
	for ; len(b) >= xteaBlock; b = b[xteaBlock:] {
		v0, v1 := binary.BigEndian.Uint32(b), binary.BigEndian.Uint32(b[4:])
		sum := uint32(xteaDelta * xteaRounds & 0xffffffff)
		for range xteaRounds {
			v1 -= ((v0<<4 ^ v0>>5) + v0) ^ (sum + k[sum>>11&3])
			sum -= xteaDelta
			v0 -= ((v1<<4 ^ v1>>5) + v1) ^ (sum + k[sum&3])
		}
		binary.BigEndian.PutUint32(b, v0)
		binary.BigEndian.PutUint32(b[4:], v1)
	}
}
