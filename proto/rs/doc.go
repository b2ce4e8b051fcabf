// Package rs implements the protocol of RuneScape clients of revision 570 and later: the player updating procedure for
// the profiles 667, 634 and OSRS 239, and for 667 also the login, the ciphers and the packets that a movement and combat
// server needs. Every packet can be parsed and written, because servers, clients and dissectors share the tables.
//
//	TCP  | 14 | -> | 00 | -> | 10  size  Login | -> | Response | -> frames, until either side closes
//	                              |
//	                              +- RSA:  RSABlock      session keys, password
//	                              +- XTEA: LoginDetails  user name, window, machine
//
//	frame (client)  | opcode + ISAAC |          | size, if the opcode has none | body |
//	frame (server)  | opcode + ISAAC | (second) | size, if the opcode has none | body |
//
//	PLAYER_INFO     | bits: 2 passes of local, 2 of external players | bytes: extended info of the players marked in the bits |
//
// Terms of the player updating procedure: the client of each viewer knows the exact tile of its local players, which it
// draws, and only the map square of external players. A cycle is 600 ms and has one packet of player info. The packet has
// four passes over the local and external players; runs cover the players without a change (idle or skipped players).
// Extended info is what clients draw besides position, in one block per player. Clients keep persistent kinds of info
// beyond the cycle, and use transient kinds once. The placement block is the client's state before the first packet.
//
// Contents:
//
//   - Scene, Viewer and PlayerInfoEncoder encode player info. PlayerInfoDecoder decodes it. Profile is the layout of extended
//     info in one revision.
//   - SplitLogin, ParseLogin, PrivateKey, ParseRSABlock and ParseLoginDetails decode a login; AppendLogin writes one.
//     SplitResponse, Response and Welcome are for the answer of the server.
//   - Keys seed the two ISAAC ciphers; FrameReader and FrameWriter frame a stream.
//   - Table and Lookup list every opcode of 667 with name and size; Parse and FrameWriter.AppendPacket convert the
//     bodies that have a struct here. Packets634 lists the few known opcodes of 634: enough for a server that has its
//     own transport to use the codec, not enough to frame a stream.
//
// One frame, from bytes to a struct and back:
//
//	in := rs.NewFrameReader(rs.C2S, keys.ClientCipher())
//	f, n, err := in.Next(buf)                  // n is 0 until buf holds a whole frame
//	p, err := rs.Parse(rs.C2S, f.Op, f.Body)   // MoveGameClick{X: 3222, Z: 3218}
//
//	out := rs.NewFrameWriter(rs.S2C, keys.ServerCipher())
//	buf, err = out.AppendPacket(buf, rs.UpdateRunEnergy{Percent: 100})
//
// Not included: sockets, time, randomness, logging and goroutines; the game cache, so the caller supplies the numbers of
// components, animations and items; NPC_INFO; the meaning of clicks. The caller generates keys and blinding factors.
//
// Each Parse function takes the body of a packet, without opcode and length; Append appends the body. For a body that Parse
// has accepted, Append writes the same bytes again. Input is borrowed, and kept only where a type says so. Text in packets is
// a Go string that is Windows-1252 on the wire (AppendText, TextString). In the tables of the doc comments, suffixes of u8,
// u16 and u32 name the client's transforms: A adds 128 to the last byte, N negates, S subtracts from 128, L is low byte first,
// M2 and M3 are the two middle byte orders of four bytes.
//
// The package starts no goroutines. A value must be used by one goroutine at a time, except keys, tables and profiles,
// which are immutable. The wire document is docs/wire/rs.md.
package rs
