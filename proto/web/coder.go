package web

import "math/bits"

// The body of a snapshot is coded with an adaptive binary range coder, as in LZMA. Every number is coded as a series of binary
// decisions. Each kind of decision has a context, which holds the probability that the decision is 0. After each decision this
// probability moves toward the outcome. It moves far after the first decisions of a snapshot, then less and less. The first
// byte of the coder's output is always 0 and is omitted. Zero bytes at the end are omitted, too, because the decoder reads
// zeros beyond the end.
const (
	probBits = 15
	probHalf = 1 << (probBits - 1)
	probMin  = 32 // probabilities stay within probMin..1<<probBits-probMin, so that no decision costs more than 10 bits
	probMax  = 1<<probBits - probMin
	topValue = 1 << 24
)

// prob is the context of one kind of binary decision. It holds two numbers. The high bits are the probability that the decision
// is 0, in units of 1/32768. The low countBits bits are the number of earlier decisions from which this probability was
// learned, at most maxCount.
type prob uint32

const (
	countBits = 8
	maxCount  = 62 // maximum count of decisions; from this count on, the probability moves by 1/64 of the distance
)

// newProb returns a context with the probability p, in units of 1/32768. The context then adapts as if p had been learned from
// count decisions.
func newProb(p, count uint32) prob { return prob(p<<countBits | count) }

// adaptation[n] is the part of the distance by which a probability moves toward the outcome after n earlier decisions:
// 1/(n+1.5), in units of 1/32768.
var adaptation = func() (a [maxCount + 1]uint32) {
	for n := range a {
		a[n] = (2<<probBits + uint32(2*n+3)/2) / uint32(2*n+3)
	}
	return a
}()

// update moves the probability toward bit, the outcome of a decision.
func (p *prob) update(bit int) {
	v, n := uint32(*p)>>countBits, uint32(*p)&(1<<countBits-1)
	if bit == 0 {
		v = min(v+(1<<probBits-v)*adaptation[n]>>probBits, probMax)
	} else {
		v = max(v-v*adaptation[n]>>probBits, probMin)
	}
	*p = newProb(v, min(n+1, maxCount))
}

// encoder is the range encoder, which turns binary decisions into bytes.
type encoder struct {
	out   []byte
	low   uint64
	rng   uint32
	cache byte
	size  int  // number of bytes that a carry may still change: the byte cache and the bytes 0xff after it
	first bool // no byte was written yet; the first byte, which is always 0, is left out
}

func (e *encoder) begin(dst []byte) {
	*e = encoder{out: dst, rng: 0xffffffff, size: 1, first: true}
}

func (e *encoder) shiftLow() {
	if uint32(e.low) < 0xff000000 || e.low>>32 != 0 {
		carry := byte(e.low >> 32)
		for c := e.cache; e.size > 0; e.size-- {
			if e.first {
				e.first = false
			} else {
				e.out = append(e.out, c+carry)
			}
			c = 0xff
		}
		e.cache = byte(e.low >> 24)
	}
	e.size++
	e.low = uint64(uint32(e.low) << 8)
}

// bit encodes a decision, 0 or 1, with the context p, and updates the context.
func (e *encoder) bit(p *prob, bit int) {
	bound := (e.rng >> probBits) * uint32(*p>>countBits)
	if bit == 0 {
		e.rng = bound
	} else {
		e.low += uint64(bound)
		e.rng -= bound
	}
	p.update(bit)
	for e.rng < topValue {
		e.rng <<= 8
		e.shiftLow()
	}
}

// direct encodes the low n bits of v, highest bit first. It does not use contexts, so each bit takes one bit of output.
func (e *encoder) direct(v uint32, n int) {
	for i := n - 1; i >= 0; i-- {
		e.rng >>= 1
		if v>>i&1 == 1 {
			e.low += uint64(e.rng)
		}
		for e.rng < topValue {
			e.rng <<= 8
			e.shiftLow()
		}
	}
}

// finish ends the encoding and returns the buffer. The parameter "from" is the offset in the buffer at which the output of the
// encoder begins. Of all outputs that decode to the same decisions, it writes the shortest.
func (e *encoder) finish(from int) []byte {
	// Every value within low..low+rng-1 decodes to the same decisions. Write the one with the most zeros at the end, because
	// these zeros are omitted.
	high := e.low + uint64(e.rng) - 1
	for keep := 32; keep >= 0; keep -= 8 {
		mask := uint64(1)<<keep - 1
		if v := (e.low + mask) &^ mask; v <= high {
			e.low = v
			break
		}
	}
	for range 5 {
		e.shiftLow()
	}
	for len(e.out) > from && e.out[len(e.out)-1] == 0 {
		e.out = e.out[:len(e.out)-1]
	}
	return e.out
}

// decoder is the range decoder, which turns bytes into binary decisions. It reads zeros beyond the end of its input, because the
// encoder omits zero bytes at the end.
type decoder struct {
	in   []byte
	at   int // number of bytes read, including zeros beyond the end of in
	rng  uint32
	code uint32
}

func (d *decoder) begin(b []byte) {
	*d = decoder{in: b, rng: 0xffffffff}
	for range 4 {
		d.code = d.code<<8 | uint32(d.next())
	}
}

func (d *decoder) next() (c byte) {
	if d.at < len(d.in) {
		c = d.in[d.at]
	}
	d.at++
	return c
}

func (d *decoder) bit(p *prob) int {
	bound := (d.rng >> probBits) * uint32(*p>>countBits)
	b := 0
	if d.code < bound {
		d.rng = bound
	} else {
		d.code -= bound
		d.rng -= bound
		b = 1
	}
	p.update(b)
	for d.rng < topValue {
		d.rng <<= 8
		d.code = d.code<<8 | uint32(d.next())
	}
	return b
}

func (d *decoder) direct(n int) (v uint32) {
	for range n {
		d.rng >>= 1
		b := uint32(0)
		if d.code >= d.rng {
			d.code -= d.rng
			b = 1
		}
		v = v<<1 | b
		for d.rng < topValue {
			d.rng <<= 8
			d.code = d.code<<8 | uint32(d.next())
		}
	}
	return v
}

// maxLength is the maximum bit length of the absolute value of a coded number.
const maxLength = 32

// number holds the contexts with which a signed number is coded. There are contexts for (1) whether the number is zero, (2) its
// sign, (3) the number of its bits, in unary, and (4) its second-highest bit. Lower bits are coded without contexts.
type number struct {
	zero, sign prob
	length     [maxLength]prob
	top        [maxLength + 1]prob
}

// encode encodes the number v with the contexts in c, and updates these contexts.
func (c *number) encode(e *encoder, v int32) {
	if v == 0 {
		e.bit(&c.zero, 0)
		return
	}
	e.bit(&c.zero, 1)
	m := uint32(v)
	if v < 0 {
		e.bit(&c.sign, 1)
		m = -m
	} else {
		e.bit(&c.sign, 0)
	}
	c.magnitude(e, m)
}

// magnitude encodes m, the absolute value of a number, which is at least 1.
func (c *number) magnitude(e *encoder, m uint32) {
	n := bits.Len32(m)
	for i := 1; i < n; i++ {
		e.bit(&c.length[i-1], 1)
	}
	if n < maxLength {
		e.bit(&c.length[n-1], 0)
	}
	if n > 1 {
		e.bit(&c.top[n], int(m>>(n-2)&1))
		e.direct(m, n-2)
	}
}

func (c *number) decode(d *decoder) int32 {
	if d.bit(&c.zero) == 0 {
		return 0
	}
	negative := d.bit(&c.sign) == 1
	m := c.decodeMagnitude(d)
	if negative {
		m = -m
	}
	return int32(m)
}

func (c *number) decodeMagnitude(d *decoder) uint32 {
	n := 1
	for n < maxLength && d.bit(&c.length[n-1]) == 1 {
		n++
	}
	m := uint32(1)
	if n > 1 {
		m = m<<1 | uint32(d.bit(&c.top[n]))
		m = m<<(n-2) | d.direct(n-2)
	}
	return m
}
