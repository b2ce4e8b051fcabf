package raknet

import (
	"crypto/sha256"
	"encoding/binary"
	"net/netip"

	"github.com/truestep-io/truestep/proto/wire"
)

const cookiePeriod = 5000 // length in ms of a cookie period; a cookie stays valid until the end of the next period

// keyedHash returns 8 bytes of a hash of its parameters. Without the secret the result cannot be predicted. The parameter
// purpose is a letter that differs for each use of the function. The parameter turn is, for example, the number of a cookie
// period.
func keyedHash(secret *[32]byte, purpose byte, turn uint64, a netip.AddrPort) uint64 {
	var in [32 + 1 + 8 + 16 + 2]byte
	copy(in[:], secret[:])
	in[32] = purpose
	binary.BigEndian.PutUint64(in[33:], turn)
	ip := a.Addr().As16()
	copy(in[41:], ip[:])
	binary.BigEndian.PutUint16(in[57:], a.Port())
	sum := sha256.Sum256(in[:])
	return binary.BigEndian.Uint64(sum[:])
}

// cookie returns the cookie of an address for a cookie period; turn is the number of the period. A client that repeats the
// cookie proves that it receives datagrams at the address.
func (s *Server) cookie(from netip.AddrPort, turn int64) uint32 {
	return uint32(keyedHash(&s.cfg.Secret, 'c', uint64(turn), from))
}

func (s *Server) validCookie(from netip.AddrPort, cookie uint32) bool {
	turn := s.now / cookiePeriod
	return cookie == s.cookie(from, turn) || cookie == s.cookie(from, turn-1)
}

// pongLimit counts the pongs in the current second, per network. The counters are in a hash table of fixed size, and networks
// with the same hash share a counter. The hash is keyed, so an attacker cannot choose an address that shares the counter of a
// certain network.
type pongLimit struct {
	second  int64        // current second of the clock
	total   int          // pongs in that second
	perSlot [4096]uint16 // pongs in that second by hash of the network
}

func (s *Server) allowPong(from netip.AddrPort) bool {
	l := &s.pongs
	if second := s.now / 1000; second != l.second {
		*l = pongLimit{second: second}
	}
	place := keyedHash(&s.cfg.Secret, 'p', 0, netip.AddrPortFrom(wire.NetworkOf(from.Addr()), 0)) % uint64(len(l.perSlot))
	if l.total >= s.cfg.PongsPerSecond || int(l.perSlot[place]) >= s.cfg.PongsPerAddr {
		return false
	}
	l.total++
	l.perSlot[place]++
	return true
}
