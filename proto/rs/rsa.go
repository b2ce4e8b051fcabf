package rs

import (
	"errors"
	"fmt"
	"math/big"

	"github.com/truestep-io/truestep/proto/wire"
)

// RSA as these clients use it: m^e mod n without padding. It hides the session keys and the password from whoever only
// listens, as well as its modulus is long. The client that we know ships a 512-bit modulus and takes any other that is
// patched into it. There is no randomness here: the gateway draws the primes and the blinding factors.

// ErrKey says that numbers are no usable RSA key.
var ErrKey = errors.New("not an RSA key")

// MaxModulus is the longest modulus that we accept, in bytes: 4096 bits. A login is then still small. Guess.
const MaxModulus = 512

const primeRounds = 20 // of Miller and Rabin, beside Baillie-PSW: as crypto/rand draws primes

// DefaultExponent is the public exponent that clients ship with.
const DefaultExponent = 65537

// PublicKey is what is patched into a client. Neither number is changed after it is made.
type PublicKey struct {
	N *big.Int // modulus
	E *big.Int // exponent
}

// PrivateKey is what the server keeps. Make one with NewPrivateKey; it is never changed afterwards and may be used by
// many goroutines at once.
type PrivateKey struct {
	PublicKey
	D *big.Int // private exponent

	p, q       *big.Int // the primes
	dp, dq, qi *big.Int // d mod p-1, d mod q-1, 1/q mod p: a quarter of the work
}

// NewPrivateKey makes a key of two different primes, to be drawn from a cryptographic source, and a public exponent.
// Errors wrap ErrKey.
func NewPrivateKey(p, q, e *big.Int) (*PrivateKey, error) {
	if n := p.BitLen() + q.BitLen(); n > 8*MaxModulus || e.BitLen() > n {
		return nil, fmt.Errorf("%d bits: %w", n, ErrKey)
	}
	one := big.NewInt(1)
	if !p.ProbablyPrime(primeRounds) || !q.ProbablyPrime(primeRounds) || p.Cmp(q) == 0 || e.Cmp(one) <= 0 {
		return nil, fmt.Errorf("primes and exponent: %w", ErrKey)
	}
	p1, q1 := new(big.Int).Sub(p, one), new(big.Int).Sub(q, one)
	k := &PrivateKey{
		PublicKey: PublicKey{N: new(big.Int).Mul(p, q), E: new(big.Int).Set(e)},
		D:         new(big.Int).ModInverse(e, new(big.Int).Mul(p1, q1)),
		p:         new(big.Int).Set(p),
		q:         new(big.Int).Set(q),
		qi:        new(big.Int).ModInverse(q, p),
	}
	if k.D == nil || k.qi == nil {
		return nil, fmt.Errorf("primes do not fit the exponent: %w", ErrKey)
	}
	k.dp, k.dq = new(big.Int).Mod(k.D, p1), new(big.Int).Mod(k.D, q1)
	return k, nil
}

// Size is the length of the modulus in bytes.
func (k *PublicKey) Size() int { return (k.N.BitLen() + 7) / 8 }

// Encrypt encrypts a plain block as a client does: the big-endian number of plain to the power of E, without padding,
// as a signed number, so that a first byte of 00 stands before a set top bit. plain must not begin with 00 and must be
// below the modulus; it is borrowed. Errors wrap wire.ErrRange.
func (k *PublicKey) Encrypt(plain []byte) ([]byte, error) {
	m := new(big.Int).SetBytes(plain)
	if len(plain) == 0 || plain[0] == 0 || m.Cmp(k.N) >= 0 {
		return nil, fmt.Errorf("rsa block of %d bytes under a modulus of %d: %w", len(plain), k.Size(), wire.ErrRange)
	}
	c := m.Exp(m, k.E, k.N).Bytes()
	if len(c) > 0 && c[0] >= 0x80 {
		c = append([]byte{0}, c...)
	}
	return c, nil
}

// Decrypt undoes Encrypt. b is borrowed; it may be shorter than the modulus and may begin with one 00, whether that is
// needed or not. The result has no leading zeros. Errors wrap wire.ErrShort (no bytes) or wire.ErrRange (longer than
// the modulus and a 00, or a number that is not below the modulus).
//
// blind is a number from 2 up to the modulus, drawn anew for every call from a cryptographic source: it keeps the time
// that Decrypt takes from telling anything about the key, since math/big takes its time by the numbers. Without it
// (nil) the time is a side channel that an attacker can measure over many logins. A blind that has no inverse counts as nil.
func (k *PrivateKey) Decrypt(b []byte, blind *big.Int) ([]byte, error) {
	if len(b) == 0 {
		return nil, fmt.Errorf("rsa: %w", wire.ErrShort)
	}
	if len(b) > k.Size()+1 || len(b) == k.Size()+1 && b[0] != 0 {
		return nil, fmt.Errorf("rsa: %d bytes under a modulus of %d: %w", len(b), k.Size(), wire.ErrRange)
	}
	c := new(big.Int).SetBytes(b)
	if c.Cmp(k.N) >= 0 {
		return nil, fmt.Errorf("rsa: number not below the modulus: %w", wire.ErrRange)
	}
	unblind := new(big.Int)
	if blind == nil || unblind.ModInverse(blind, k.N) == nil {
		return k.power(c).Bytes(), nil
	}
	c.Mul(c, new(big.Int).Exp(blind, k.E, k.N))
	m := k.power(c.Mod(c, k.N))
	return m.Mod(m.Mul(m, unblind), k.N).Bytes(), nil
}

// power is c^D mod N by the Chinese remainder theorem.
func (k *PrivateKey) power(c *big.Int) *big.Int {
	mp := new(big.Int).Exp(new(big.Int).Mod(c, k.p), k.dp, k.p)
	mq := new(big.Int).Exp(new(big.Int).Mod(c, k.q), k.dq, k.q)
	h := mp.Sub(mp, mq)
	h.Mod(h.Mul(h, k.qi), k.p)
	return h.Add(h.Mul(h, k.q), mq)
}

// Hex is the modulus and the exponent in hexadecimal, lower case, without a prefix: one of the two forms in which
// client patchers take them.
func (k *PublicKey) Hex() (modulus, exponent string) { return k.N.Text(16), k.E.Text(16) }

// Decimal is the modulus and the exponent in decimal, the other form.
func (k *PublicKey) Decimal() (modulus, exponent string) { return k.N.Text(10), k.E.Text(10) }
