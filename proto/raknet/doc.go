// Package raknet implements RakNet, the transport of Minecraft: Bedrock, as a pure state machine: datagrams and a
// millisecond clock go in, events and datagrams come out. It has both sides: a Server that accepts and a Client that
// connects. It opens no socket, reads no clock and starts no goroutine; a Server or Client and its Peers are not safe for
// concurrent use.
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
// The rules are RK-1 to RK-15 of docs/wire/bedrock.md; each has a test named after it.
//
// # Interoperability
//
// Real clients and raknet-native retransmit a lost message in a datagram with a new number, and expect the same. The
// jsp-raknet backend retransmits a datagram under its own number, once, on a NACK; it never advances past a number that
// does not arrive, and silently loses what is more than 256 ahead of that. It is recognized by its connection request,
// which it sends unreliably: to such a peer everything is sent reliably and retransmitted under the same number until
// it is acknowledged. Both kinds of retransmission are accepted from every peer. jsp-raknet and raknet-node do not
// support cookies and need Config.NoCookies.
//
// An MTU includes the IP and UDP headers: 28 bytes with IPv4, 48 with IPv6, a difference that RakNet itself ignores.
//
// # Protection against off-path attackers
//
// No state is kept for an address before it has repeated a cookie, which is a keyed hash of the address that changes
// every 5 s. Until then no answer is longer than its request, except pongs, which are rate limited per network and in
// total. In a session, all memory is bounded per peer and in total; at the total limit the session that uses the most
// ends. A malformed datagram is dropped whole, and only many with a plausible number end a session. A NACK of a
// datagram that was sent just now causes no retransmission.
//
// One gap remains: RakNet datagrams carry no secret. A sender with a client's exact address and port that guesses a
// number near the next one can inject messages and disconnects. The layer above must detect that: the checksums of the
// game's encryption do, and the session then ends. Only another protocol can prevent it.
package raknet
