package rs

import (
	"bytes"
	"errors"
	"math/big"
	"strings"
	"testing"

	"github.com/truestep-io/truestep/proto/wire"
)

const (
	testPrimeP = "d39fa6d88594faa1aa8d7d93330390c48ba9dbb06f5cd69d4a8f6e244771e0e3"
	testPrimeQ = "c26c76e3aa72dd9f9c793e2f09518cf07135f6768eeff26caec25d81de619f05"
)

// testKey returns a 512-bit key of two fixed primes; it is not secret.
func testKey(tb testing.TB) *PrivateKey {
	tb.Helper()
	p, _ := new(big.Int).SetString(testPrimeP, 16)
	q, _ := new(big.Int).SetString(testPrimeQ, 16)
	k, err := NewPrivateKey(p, q, big.NewInt(DefaultExponent))
	if err != nil {
		tb.Fatal(err)
	}
	return k
}

func TestRSADecryptReversesEncrypt(t *testing.T) {
	k := testKey(t)
	seen := map[int]bool{}
	for i := range 400 {
		plain := append([]byte{10, byte(i), byte(i >> 8)}, bytes.Repeat([]byte{0xa5}, i%61)...)
		c, err := k.Encrypt(plain)
		if err != nil {
			t.Fatal(err)
		}
		seen[len(c)] = true
		for _, blind := range []*big.Int{nil, big.NewInt(int64(2 + i)), new(big.Int).Set(k.p)} {
			if got, err := k.Decrypt(c, blind); err != nil || !bytes.Equal(got, plain) {
				t.Fatalf("blind %v: %x decrypted as %x, %v", blind, plain, got, err)
			}
		}
	}
	if !seen[64] || !seen[65] {
		t.Errorf("lengths %v, want 64 and 65: a signed number of 512 bits takes either", seen)
	}
}

func TestRSADecryptionByCRTEqualsPlainExponentiation(t *testing.T) {
	k := testKey(t)
	c := big.NewInt(3)
	for range 50 {
		if got, want := k.power(c), new(big.Int).Exp(c, k.D, k.N); got.Cmp(want) != 0 {
			t.Fatalf("%v: %v, want %v", c, got, want)
		}
		c = new(big.Int).Mod(new(big.Int).Mul(c, c), k.N)
	}
}

func TestRSADecryptRefusesInvalidBlocks(t *testing.T) {
	k := testKey(t)
	for name, b := range map[string][]byte{
		"longer than the modulus": append([]byte{1}, make([]byte, 64)...),
		"two leading zeros":       make([]byte, 66),
		"the modulus":             k.N.Bytes(),
		"all ones":                bytes.Repeat([]byte{0xff}, 64),
	} {
		if _, err := k.Decrypt(b, nil); !errors.Is(err, wire.ErrRange) {
			t.Errorf("%s: %v", name, err)
		}
	}
	if _, err := k.Decrypt(nil, nil); !errors.Is(err, wire.ErrShort) {
		t.Errorf("no bytes: %v", err)
	}
}

func TestRSAEncryptRefusesBlocksThatCannotBeDecrypted(t *testing.T) {
	k := testKey(t)
	for _, plain := range [][]byte{nil, {0, 10}, k.N.Bytes(), bytes.Repeat([]byte{1}, 65)} {
		if _, err := k.Encrypt(plain); !errors.Is(err, wire.ErrRange) {
			t.Errorf("%x: %v", plain, err)
		}
	}
}

func TestPublicKeyIsWrittenInHexAndDecimal(t *testing.T) {
	k := testKey(t)
	n, e := k.Hex()
	if e != "10001" || len(n) != 128 || n != strings.ToLower(n) {
		t.Errorf("hex %s %s", n, e)
	}
	n, e = k.Decimal()
	if back, ok := new(big.Int).SetString(n, 10); e != "65537" || !ok || back.Cmp(k.N) != 0 {
		t.Errorf("decimal %s %s", n, e)
	}
}

func TestNewPrivateKeyRefusesNumbersThatFormNoRSAKey(t *testing.T) {
	e := big.NewInt(DefaultExponent)
	for _, c := range [][3]*big.Int{
		{big.NewInt(1), big.NewInt(7), e},
		{big.NewInt(7), big.NewInt(7), e},
		{big.NewInt(8), big.NewInt(7), e},
		{big.NewInt(-7), big.NewInt(11), e},
		{big.NewInt(61), big.NewInt(53), big.NewInt(1)},
		{big.NewInt(61), big.NewInt(53), big.NewInt(3)},  // 3 divides 60, so the exponent is not invertible
		{big.NewInt(91), big.NewInt(53), big.NewInt(17)}, // 91 is 7 x 13, so it is not a prime
		{new(big.Int).Lsh(big.NewInt(1), 8*MaxModulus), big.NewInt(53), e},
	} {
		if _, err := NewPrivateKey(c[0], c[1], c[2]); !errors.Is(err, ErrKey) {
			t.Errorf("%v: %v", c, err)
		}
	}
}

func FuzzRSADecrypt(f *testing.F) {
	k := testKey(f)
	c, err := k.Encrypt([]byte{10, 1, 2, 3})
	if err != nil {
		f.Fatal(err)
	}
	f.Add(c, int64(77))
	f.Add(k.N.Bytes(), int64(0))
	f.Fuzz(func(t *testing.T, b []byte, blind int64) {
		plain, err := k.Decrypt(b, nil)
		blinded, blindErr := k.Decrypt(b, big.NewInt(blind))
		if (err == nil) != (blindErr == nil) || !bytes.Equal(plain, blinded) {
			t.Fatalf("%x, %v; blinded %x, %v", plain, err, blinded, blindErr)
		}
	})
}
