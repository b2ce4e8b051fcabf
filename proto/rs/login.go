package rs

import (
	"encoding/binary"
	"fmt"

	"github.com/truestep-io/truestep/proto/wire"
)

// Revision is the client revision whose transport is here: the value of Login.Build.
const Revision = 667

// First bytes of a connection or of a request before the game. Source: docs/wire/rs.md, login.
const (
	RequestLogin         = 14 // no body; answered by HandshakeContinue or a ResponseCode
	RequestJS5           = 15 // the cache's files; not ours
	RequestGame          = 16 // u16 length, Login
	RequestLobby         = 19 // like RequestGame, for the lobby
	RequestAdvertOver    = 26 // no body, masked with the client's cipher; after ResponseAdvert
	RequestCreateAccount = 29 // the client's social network and account pages; not ours
	RequestCheckAccount  = 30 // likewise
)

// HandshakeContinue answers RequestLogin: the client may send its request.
const HandshakeContinue = 0

// Limits of a login request.
const (
	MaxLogin     = 4096 // bytes of the body   guess: a real one has about 450
	loginHeader  = 1 + 2
	rsaBlockType = 10
)

// Login is the outer part of a login request: the body of request 16.
//
//	off  size  field      encoding  unit and range
//	0    4     Build      u32       667; the server decides which it serves
//	4    1     Reconnect  u8        0 or 1
//	5    2+n   RSA        u16, n    a Secret under the server's public key, n of 1..MaxModulus+1
//	     rest  Zone       bytes     LoginDetails under XTEA with the secret's keys
//
// RSA and Zone are borrowed from what was parsed. Source: docs/wire/rs.md, login.
type Login struct {
	Build     uint32
	Reconnect bool
	RSA, XTEA []byte
}

// ParseLogin decodes the outer part alone; no key is needed and no text is read. b is borrowed by the result.
// Errors wrap wire.ErrShort or wire.ErrRange.
func ParseLogin(b []byte) (Login, error) {
	r := wire.NewReader(b)
	p := Login{Build: r.BE32(), Reconnect: readFlag(&r, tokU8)}
	n := readUpTo[uint16](&r, tokU16, MaxModulus+1)
	if n == 0 {
		r.Fail(errEmpty)
	}
	p.RSA = r.Bytes(int(n))
	p.XTEA = r.Rest()
	return p, r.Done("login")
}

// Append appends the body and returns the longer slice.
func (p Login) Append(b []byte) []byte {
	b = binary.BigEndian.AppendUint32(b, p.Build)
	b = append(b, flagByte(p.Reconnect))
	b = binary.BigEndian.AppendUint16(b, uint16(len(p.RSA)))
	return append(append(b, p.RSA...), p.XTEA...)
}

// SplitLogin takes a login request off the start of b: request 16 or 19, a u16 length and a body, which is borrowed.
// n is the request's whole length; 0 without an error says that b does not hold all of it yet, so that b never needs to
// grow past 3 + MaxLogin bytes. Errors wrap wire.ErrRange: another request, or a longer body than MaxLogin.
func SplitLogin(b []byte) (request uint8, body []byte, n int, err error) {
	if len(b) == 0 {
		return 0, nil, 0, nil
	}
	if b[0] != RequestGame && b[0] != RequestLobby {
		return 0, nil, 0, fmt.Errorf("request %d: %w", b[0], wire.ErrRange)
	}
	if len(b) < loginHeader {
		return 0, nil, 0, nil
	}
	n = loginHeader + int(binary.BigEndian.Uint16(b[1:]))
	if n > loginHeader+MaxLogin {
		return 0, nil, 0, fmt.Errorf("login of %d bytes: %w", n-loginHeader, wire.ErrRange)
	}
	if len(b) < n {
		return 0, nil, 0, nil
	}
	return b[0], b[loginHeader:n:n], n, nil
}

// AppendLogin appends a whole login request as a client sends it: it encrypts secret with the server's public key and
// details with the secret's keys. Errors wrap wire.ErrRange: a secret that the modulus has no room for, or a request
// longer than MaxLogin.
func AppendLogin(b []byte, key *PublicKey, reconnect bool, secret RSABlock, details LoginDetails) ([]byte, error) {
	sealed, err := key.Encrypt(secret.Append(nil))
	if err != nil {
		return b, err
	}
	zone := details.Append(nil)
	XTEAEncrypt(secret.Keys, zone)
	body := Login{Build: Revision, Reconnect: reconnect, RSA: sealed, XTEA: zone}.Append(nil)
	if len(body) > MaxLogin {
		return b, fmt.Errorf("login of %d bytes: %w", len(body), wire.ErrRange)
	}
	b = binary.BigEndian.AppendUint16(append(b, RequestGame), uint16(len(body)))
	return append(b, body...), nil
}

// Secret is the plain RSA block of a login.
//
//	off  size  field     encoding  unit and range
//	0    1     -         u8        10
//	1    16    Keys      4 x u32   drawn by the client for this connection
//	17   8     -         u64       0, the password follows
//	25   n+1   Password  cstr
//	     8     SSOKey    u64       single sign-on; 0 without it
//	     8     Session   u64       the client's own session key
//
// Source: docs/wire/rs.md, login.
type RSABlock struct {
	Keys            Keys
	Password        string
	SSOKey, Session uint64
}

// ParseSecret decodes what PrivateKey.Decrypt returned. b is borrowed, not kept.
// Errors wrap wire.ErrShort, wire.ErrRange (a block that was made for another key) or wire.ErrTrailing.
func ParseRSABlock(b []byte) (RSABlock, error) {
	r := wire.NewReader(b)
	readMark(&r, rsaBlockType)
	p := RSABlock{Keys: readKeys(&r)}
	if readU64(&r) != 0 {
		r.Fail(errValue)
	}
	p.Password, p.SSOKey, p.Session = readText(&r), readU64(&r), readU64(&r)
	return p, r.Done("login secret")
}

// Append appends the plain block and returns the longer slice.
func (p RSABlock) Append(b []byte) []byte {
	b = appendKeys(append(b, rsaBlockType), p.Keys)
	b = appendText(binary.BigEndian.AppendUint64(b, 0), p.Password)
	return binary.BigEndian.AppendUint64(binary.BigEndian.AppendUint64(b, p.SSOKey), p.Session)
}
