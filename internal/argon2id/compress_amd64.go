package argon2id

import "golang.org/x/sys/cpu"

// hasFastCompress reports whether compress is faster here than the assembly of golang.org/x/crypto, which is for SSE4.
var hasFastCompress = cpu.X86.HasAVX2

// compress is the function G of RFC 9106, section 3.5: it sets out to G(x, y), or XORs G(x, y) into it. out may be x or y. It must
// be called only if hasFastCompress is set.
func compress(out, x, y *block, xor bool) { compressAVX2(out, x, y, xor) }

//go:noescape
func compressAVX2(out, x, y *block, xor bool)
