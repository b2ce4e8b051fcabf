// Package raknet implements RakNet, the transport of Minecraft: Bedrock, as a pure state machine: datagrams and a
// millisecond clock go in, events and datagrams come out. It has a Server, which accepts connections, and a Client,
// which connects. It opens no socket, reads no clock and starts no goroutine; a Server or Client and its Peers are not
// safe for concurrent use.
//
//	s := raknet.NewServer(raknet.Config{GUID: guid, Secret: unpredictable})
//	s.SetPong([]byte("MCPE;..."))
//	for each datagram read:   s.Receive(now, from, datagram, handle)
//	every 10 ms or so:        s.Tick(now, handle)
//	after each Receive, Tick: s.Flush(now, emit)
//
// # Wire format
//
// Outside of a session, the first byte of a datagram is an id below 0x80 and all integers are big-endian. Each message
// contains a magic of 16 bytes: 00ffff00 fefefefe fdfdfdfd 12345678.
//
//	id    name        after the id
//	0x01  ping        time u64, magic, guid u64                       (0x02: answered only if the server accepts another session)
//	0x1c  pong        time u64, guid u64, magic, length u16, text
//	0x05  request 1   magic, protocol u8, padding to the size under test
//	0x06  reply 1     magic, guid u64, secure u8, [cookie u32], mtu u16
//	0x07  request 2   magic, [cookie u32, 0 u8], server's address, mtu u16, guid u64
//	0x08  reply 2     magic, guid u64, client's address, mtu u16, 0 u8
//	0x19  incompatible  protocol u8, magic, guid u64
//	0x14  no free       magic, guid u64
//
// In a session, the first byte has bit 0x80 set. With 0x40 it is an ACK, with 0x20 a NACK: a count u16, then that many
// records, `1 u8, number u24` or `0 u8, first u24, last u24`. Otherwise a datagram number u24 follows, then frames; see
// the type frame for their layout. A u24 is little-endian. Messages inside of frames begin with an id; ids below 0x80 are
// RakNet's own:
//
//	id    name                after the id
//	0x09  connection request  guid u64, time u64, 0 u8
//	0x10  accepted            client's address, 0 u16, addresses, echoed time u64, time u64
//	0x13  new connection      server's address, addresses, echoed time u64, time u64
//	0x00  ping                time u64
//	0x03  pong                echoed time u64, time u64
//	0x15  disconnect
//
// The package implements the rules RK-1 to RK-15 of docs/wire/bedrock.md. The document names the test of each rule.
//
// # Interoperability
//
// The bedrock-protocol npm client has the backends raknet-native, raknet-node and jsp-raknet. Real clients and raknet-native
// retransmit a lost message in a datagram with a new number, and expect the same of the other side. jsp-raknet retransmits a
// datagram under its previous number, once, after a NACK. It never advances past a number that does not arrive, and silently
// drops datagrams and messages more than 256 numbers ahead of it. The server recognizes jsp-raknet by its connection request,
// which is sent unreliably. It then sends everything reliably to this peer, and retransmits under the same number until the
// peer acknowledges. From every peer it accepts both kinds of retransmission. jsp-raknet and raknet-node do not support cookies
// and need Config.NoCookies.
//
// An MTU includes the IP and UDP headers: 28 bytes with IPv4, 48 with IPv6. RakNet's own implementation ignores this
// difference.
//
// # Protection against off-path attackers
//
// No state is kept for an address before it has repeated a cookie, which is a keyed hash of the address that changes every 5 s.
// Until then no answer is longer than its request, except pongs, which are rate limited per network and in total. In a session,
// all memory is bounded per peer and in total; at the total limit the session that uses the most memory ends. A malformed
// datagram is dropped completely, and only many malformed datagrams whose numbers are in the receive window end a session. A
// NACK of a datagram that was sent just now causes no retransmission.
//
// One attack remains possible: RakNet datagrams carry no secret. An attacker can inject messages and disconnects if it sends
// with a client's exact address and port and guesses a datagram number near the next expected one. The layer above must detect
// this. The checksums of the game's encryption do, and the session then ends. Within the RakNet protocol the attack cannot be
// prevented.
package raknet
