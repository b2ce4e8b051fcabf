//go:build !amd64

package argon2id

const hasFastCompress = false

func compress(out, x, y *block, xor bool) { panic("argon2id: no compress function for this processor") }
