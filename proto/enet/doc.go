// Package enet implements ENet 1.1 (June 2007), the transport of RealmCrafter CE, as a pure state machine: datagrams
// and a millisecond clock are inputs, events and datagrams are outputs. It implements both servers and clients. It
// opens no socket, reads no clock and starts no goroutine; a Host and its Peers must be used by one goroutine.
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
// requests an acknowledgement, 0x40 marks it unsequenced. Channel 0xff is for connection control.
//
//	kind  command             size  after the four bytes
//	0x01  acknowledge         8     sequence u16, sent u16            (the sequence in the first four bytes is not set: ignored)
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
// It is not compatible with libenet 1.3. The rules are those of docs/wire/rcce.md, section 1; comments in the code mark
// where it is stricter than libenet 1.1.
//
// # Differences from libenet 1.1
//
// All differences are compatible on the wire; tests replay recorded sessions of libenet 1.1 in both roles byte for
// byte.
//
//   - A datagram is filled to the MTU; libenet 1.1 stops at 32 commands, but its receiver reads them all.
//   - A repeated VERIFY is acknowledged again. Libenet 1.1's client does not repeat a lost acknowledgement. A server of this
//     package therefore sends a challenge (see below) once such a client sends anything else, and accepts the answer in place
//     of the acknowledgement.
//   - A command is retransmitted at least every 2 s, even while its doubled timeout is longer. A peer times out before 30 s
//     only if nothing is received from it; one unacknowledged command is not enough.
//   - Disconnects are reported on arrival, and repetitions are acknowledged for Config.LingerTime.
//   - The amount of data that waits for missing messages or fragments is bounded. Commands beyond the bound are not acknowledged,
//     so the sender retransmits them. A message that stays missing for 30 s ends the connection.
//   - The sender drops no unreliable messages at random. In libenet 1.1 the packet throttle does so when round trips grow.
//
// # Off-path attackers
//
// ENet 1.1 has no server cookie, and old clients take their session from an unseeded rand(), so the session is not
// secret. Within what old clients allow, this package defends as follows:
//
//   - The sent field is opaque to the receiver, which only echoes it. Each peer's clock starts at a random offset, and an
//     acknowledgement is accepted only if it names an outstanding command and echoes exactly one of its send times. A
//     guess succeeds with probability 1/65536; a half-open connection is dropped after a few wrong guesses, so a sender
//     with a spoofed address cannot complete a handshake or redirect traffic to a third party.
//   - Slots are chosen at random among the free ones, so an attacker must guess the peer number as well.
//   - Port migration. Libenet 1.1 moves a connection to the source port of any accepted datagram, which lets any host
//     behind the same address take it over. Here datagrams from another port are not processed. Only when the known port
//     has sent nothing for Config.MigrateAfter (a live client answers pings every 500 ms), the new port is challenged: a
//     ping with 32 random bits in its sequence and sent fields, which every old client echoes in its acknowledgement.
//     After the answer the connection moves; until then replies go to the old port.
//   - An unverified sender receives at most three times the bytes that it sent, including repeated VERIFYs. Half-open
//     connections are limited per address and in total and expire soon. From Config.CookiesAfter half-open connections on, a
//     CONNECT with the parameters that all known clients propose is answered without keeping state (see cookie.go), so forged
//     ones do not displace honest clients. A CONNECT with other parameters is refused at the limit.
//
// Not defended: an attacker that can send from a client's exact address and port and knows session and peer number can
// inject messages and disconnects, because they contain no secret. Only a new protocol can fix that.
package enet
