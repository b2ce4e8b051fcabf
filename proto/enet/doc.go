// Package enet speaks ENet 1.1 (June 2007), the transport of RealmCrafter CE, as a pure state machine: datagrams and a
// millisecond count go in, events and datagrams come out. It serves both sides, a server that accepts and a client that
// connects. It opens no socket, reads no clock, starts no goroutine; a Host and its Peers belong to one goroutine.
//
//	h := enet.NewHost(enet.Config{MaxPeers: 1000, SessionSeed: unpredictable})
//	for each datagram read: h.Receive(now, from, datagram, handle)
//	every 10 ms or so:      h.Tick(now, handle)
//	after each of both:     h.Flush(now, emit)
//
// now is in milliseconds from any start and may wrap around; it is only ever compared by signed difference.
//
// # Bytes
//
// All integers are big-endian. A datagram is a header and commands back to back, without padding:
//
//	off  size  field
//	0    4     session   opaque, chosen by the client in CONNECT, in every datagram of both directions
//	4    2     peer      bits 0-14 the receiver's number for this connection (0x7fff: none yet), bit 15: sent follows
//	6    2     sent      sender's clock, low 16 bits of milliseconds; present iff a command wants an acknowledgement
//	6/8        commands
//
// A command begins with four bytes, `kind u8, channel u8, sequence u16`: the low nibble of kind is the command, 0x80
// asks for an acknowledgement, 0x40 marks it unsequenced. Channel 0xff is the connection itself.
//
//	kind  command             size  after the four bytes
//	0x01  acknowledge         8     sequence u16, sent u16            (its own sequence bytes are garbage: ignored)
//	0x82  connect             40    peer u16, mtu u16, window u32, channels u32, in u32, out u32, throttle 3 x u32, session
//	0x83  verify connect      36    the same without session
//	0x84  disconnect          8     data u32                          (0x44: abrupt, not acknowledged)
//	0x85  ping                4
//	0x86  send reliable       6+n   length u16, data
//	0x07  send unreliable     8+n   unreliable sequence u16, length u16, data
//	0x88  send fragment       24+n  start u16, length u16, count u32, number u32, total u32, offset u32, data
//	0x49  send unsequenced    8+n   group u16, length u16, data
//	0x8a  bandwidth limit     12    in u32, out u32
//	0x8b  throttle configure  16    interval u32, acceleration u32, deceleration u32
//
// Stock libenet 1.3 does not speak this. The rules are those of docs/wire/rcce.md, section 1; where we are stricter than
// the original, the code says so at the place.
//
// # Where we differ from the original
//
// None of this shows on the wire as anything but good manners; sessions of the original in both roles are repeated byte
// for byte in the tests.
//
//   - A datagram is filled to the MTU; the original stops at 32 commands, but its receiver reads them all.
//   - A repeated VERIFY is acknowledged again. Facing an original, whose lost acknowledgement is lost for good, a server
//     takes the answer to a challenge (below) instead, as soon as the client sends anything else.
//   - A command is sent again every 2 s at the latest, also while its doubled timeout is longer. Giving up after less than
//     30 s asks for silence, not only for one unlucky command.
//   - Disconnects are reported when they come in, and repetitions are acknowledged for Config.LingerFor.
//   - What would have to be held (messages ahead of a gap, fragments) is bounded. What is not taken is not acknowledged,
//     so an honest sender repeats it. A gap that nobody fills for 30 s ends the peer.
//   - Unreliable messages are never thrown away by chance when round trips grow (the original's packet throttle).
//
// # What an attacker off the path can do
//
// ENet 1.1 has no server-chosen cookie and old clients draw their session from an unseeded rand(), so the session is no
// secret. What the old clients do allow, and what this package therefore does:
//
//   - The sent field is opaque to its receiver, who only echoes it. Each peer's clock starts at a random offset, and an
//     acknowledgement counts only if it names an outstanding command and echoes exactly a time at which that command
//     was sent. A forged one hits with 1/65536; a half-open connection is dropped after a few misses, so a spoofed
//     sender cannot complete a handshake, and nobody can be made to flood a third party.
//   - Slots are chosen at random among the free ones, so the peer number has to be guessed as well.
//   - Port re-learning. The original moves a connection to the source port of any datagram that it accepts, which gives
//     it to anyone behind the same address. Here datagrams from another port are not processed. Only when the known port
//     has been silent for Config.MigrateAfter (a living one answers pings every 500 ms) is the new one asked to prove
//     itself: a ping with 32 random bits in its sequence and sent fields, which every old client echoes in its
//     acknowledgement. Then the connection moves. Until then, answers go to the old port.
//   - Before a connection is complete its sender gets at most three times the bytes that came from it, repeated VERIFY
//     included; half-open connections are bounded per address and in total, expire soon, and the oldest gives way.
//
// What remains open: whoever can send with a client's exact address and port, and knows or guesses session and peer
// number, can inject messages and disconnects, because nothing in them is secret. Only a new protocol can close that.
package enet
