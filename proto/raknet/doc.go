// Package raknet speaks RakNet, the transport of Minecraft: Bedrock, as a pure state machine: datagrams and a millisecond
// count go in, events and datagrams come out. It serves both sides: a Server that accepts and a Client that connects. It
// opens no socket, reads no clock, starts no goroutine; a Server or Client and its Peers belong to one goroutine.
//
//	s := raknet.NewServer(raknet.Config{GUID: guid, Secret: unpredictable})
//	s.SetPong([]byte("MCPE;..."))
//	for each datagram read: s.Receive(now, from, datagram, handle)
//	every 10 ms or so:      s.Tick(now, handle)
//	after each of both:     s.Flush(now, emit)
//
// # Bytes
//
// Before a session, the first byte of a datagram is an id below 0x80, and all integers are big-endian. A magic of 16
// bytes, 00ffff00 fefefefe fdfdfdfd 12345678, is in each message.
//
//	id    name        after the id
//	0x01  ping        time u64, magic, guid u64                       (0x02: answered only while there is room)
//	0x1c  pong        time u64, guid u64, magic, length u16, text
//	0x05  request 1   magic, protocol u8, padding to the size that is tried
//	0x06  reply 1     magic, guid u64, secure u8, [cookie u32], mtu u16
//	0x07  request 2   magic, [cookie u32, 0 u8], server's address, mtu u16, guid u64
//	0x08  reply 2     magic, guid u64, client's address, mtu u16, 0 u8
//	0x19  incompatible  protocol u8, magic, guid u64
//	0x14  no free       magic, guid u64
//
// In a session, the first byte has 0x80. With 0x40 it is an ACK, with 0x20 a NACK: a count u16, then as many records,
// `1 u8, number u24` or `0 u8, first u24, last u24`. Otherwise a number u24 follows, and frames; see frame for their
// layout. A u24 is little-endian. Messages inside of frames begin with an id again; below 0x80 they are RakNet's own:
//
//	id    name                after the id
//	0x09  connection request  guid u64, time u64, 0 u8
//	0x10  accepted            client's address, 0 u16, addresses, echoed time u64, time u64
//	0x13  new connection      server's address, addresses, echoed time u64, time u64
//	0x00  ping                time u64
//	0x03  pong                echoed time u64, time u64
//	0x15  disconnect
//
// The rules are those of docs/wire/bedrock.md, RakNet, RK-1 to RK-15; each has a test of its name.
//
// # Who is on the other side
//
// Real clients and raknet-native repeat a lost message in a datagram with a new number, and expect the same. The backend
// jsp-raknet repeats a datagram under its own number, once, when it is asked for it; it never gets past a number that
// does not come, and silently loses what is more than 256 ahead of that. It is told by its connection request, which it
// sends unreliably: to such a peer everything goes reliably, and again under its number until it is acknowledged. From
// everybody both ways are taken. jsp-raknet and raknet-node do not know cookies and need Config.NoCookies.
//
// A MTU counts IP and UDP headers: 28 bytes with IPv4, and with IPv6, where RakNet itself forgets the difference, 48.
//
// # What an attacker off the path can do
//
// Nothing is remembered of an address before it has repeated a cookie, which is a keyed hash of the address that changes
// every 5 s; no answer until then is longer than its question, but for pongs, which are limited per network and in
// total. In a session everything that would have to be held is bounded for the peer and for all together, and where all
// together hold too much the greediest session ends. Datagrams that make no sense are dropped whole and end a session
// only in numbers, of the next ones. NACKs bring no resend of what was sent just now.
//
// What remains open: RakNet has no secret in its datagrams. Whoever can send with a client's exact address and port, and
// guesses a number near the next, can inject messages and disconnects. What is above has to notice: the checksums of the
// game's encryption do, and then the session is over. Only another protocol can close that.
package raknet
