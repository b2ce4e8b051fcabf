package auth

import (
	"crypto/aes"
	"crypto/cipher"
	"crypto/ecdsa"
	"crypto/sha256"
	"crypto/subtle"
	"encoding/binary"
	"errors"
	"fmt"
	"hash"
)

// ErrChecksum reports that the checksum of a batch is wrong. Either the batch was changed, replayed or encrypted with
// another key, or an earlier batch did not arrive before it. The session must be closed, because the key streams of the two
// sides differ from then on.
var ErrChecksum = errors.New("batch checksum mismatch")

// checksumSize is the number of leading bytes of a SHA-256 hash that form the checksum of a batch.
const checksumSize = 8 // bytes

// SessionKey derives the key of a session, which both sides compute alike: SHA-256 of the salt and the x coordinate of the
// ECDH shared point. The parameter own is the P-384 key of this side, and peer is that of the other side. Errors wrap
// ErrKey.
func SessionKey(own *ecdsa.PrivateKey, peer *ecdsa.PublicKey, salt []byte) ([32]byte, error) {
	secret, err := sharedSecret(own, peer)
	if err != nil {
		return [32]byte{}, fmt.Errorf("derive the session key by ECDH: %v: %w", err, ErrKey)
	}
	return sha256.Sum256(append(salt[:len(salt):len(salt)], secret...)), nil
}

// sharedSecret returns the x coordinate of the ECDH shared point, 48 bytes big-endian.
func sharedSecret(own *ecdsa.PrivateKey, peer *ecdsa.PublicKey) ([]byte, error) {
	if own == nil || peer == nil {
		return nil, errors.New("the private key of this side or the public key of the other side is missing")
	}
	d, err := own.ECDH()
	if err != nil {
		return nil, err
	}
	q, err := peer.ECDH()
	if err != nil {
		return nil, err
	}
	return d.ECDH(q)
}

// cipherState is the encryption state of one direction of a session: the key stream and the batch counter.
type cipherState struct {
	stream     cipher.Stream
	hash       hash.Hash
	key        [32]byte
	countBytes [8]byte // counter in little-endian order, as input of the checksum
	counter    uint64  // number of the next batch
	sum        [sha256.Size]byte
}

func newCipherState(key [32]byte) cipherState {
	block, err := aes.NewCipher(key[:])
	if err != nil {
		panic(err) // unreachable, because 32 bytes are a valid AES key
	}
	first := [aes.BlockSize]byte{15: 2}
	copy(first[:12], key[:])
	return cipherState{stream: cipher.NewCTR(block, first[:]), hash: sha256.New(), key: key}
}

// checksum returns the checksum of plain, the next batch before encryption, and increments the batch counter. The result is
// valid until the next call.
func (d *cipherState) checksum(plain []byte) []byte {
	binary.LittleEndian.PutUint64(d.countBytes[:], d.counter)
	d.counter++
	d.hash.Reset()
	d.hash.Write(d.countBytes[:])
	d.hash.Write(plain)
	d.hash.Write(d.key[:])
	return d.hash.Sum(d.sum[:0])[:checksumSize]
}

// Sealer encrypts the batches that one side of a session sends. Batches must be sealed in the order in which they are sent,
// and every sealed batch must be sent. It is not safe for concurrent use.
//
// The cipher is AES-256 in counter mode, with one key stream for all batches. Its initial counter block is the first 12 bytes
// of the key, then 00 00 00 02. The checksum is the first 8 bytes of the SHA-256 hash of the batch counter (u64), the batch
// before encryption and the key. Source: docs/wire/bedrock.md, encryption.
type Sealer struct{ state cipherState }

// NewSealer returns the sealer for one direction of a new session. The parameter key is the result of SessionKey.
func NewSealer(key [32]byte) *Sealer { return &Sealer{newCipherState(key)} }

// Seal encrypts a batch, appends it to dst and returns the extended slice. The parameter plain is the compressor byte and
// the payload, without bedrock.BatchID. The encrypted batch is 8 bytes longer. Seal allocates only if dst lacks the
// capacity. If plain follows dst in memory, as in Seal(buf[:1], buf[1:]), the batch is encrypted in place.
func (s *Sealer) Seal(dst, plain []byte) []byte {
	sum := s.state.checksum(plain)
	start := len(dst)
	dst = append(append(dst, plain...), sum...)
	s.state.stream.XORKeyStream(dst[start:], dst[start:])
	return dst
}

// Opener decrypts the batches that one side of a session receives, in the order in which they were sent. It is not safe for
// concurrent use.
type Opener struct {
	state  cipherState
	failed bool // a checksum did not match, so the key stream is out of step with the sender's
}

// NewOpener returns the opener for one direction of a new session. The parameter key is the result of SessionKey.
func NewOpener(key [32]byte) *Opener { return &Opener{state: newCipherState(key)} }

// Open decrypts the batch b, which does not contain bedrock.BatchID. It decrypts in place and returns b without its last 8
// bytes: the compressor byte and the payload. After an error, which wraps ErrChecksum, the content of b is undefined and
// every later call fails.
func (o *Opener) Open(b []byte) ([]byte, error) {
	if o.failed || len(b) <= checksumSize {
		o.failed = true
		return nil, fmt.Errorf("decrypt batch of %d bytes: it has 8 bytes or fewer, or an earlier batch could not be decrypted: %w", len(b), ErrChecksum)
	}
	o.state.stream.XORKeyStream(b, b)
	plain, sum := b[:len(b)-checksumSize], b[len(b)-checksumSize:]
	if subtle.ConstantTimeCompare(sum, o.state.checksum(plain)) != 1 {
		o.failed = true
		return nil, fmt.Errorf("decrypt batch number %d of this direction, counted from 0: %w", o.state.counter-1, ErrChecksum)
	}
	return plain, nil
}
