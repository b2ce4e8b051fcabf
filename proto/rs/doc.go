// Package rs speaks to RuneScape clients of revision 570 and later: the player updating procedure for the profiles 667,
// 634 and OSRS 239, and, for 667, everything around it that a movement and combat server needs. Both directions of
// everything, because a server, a client and a dissector read the same tables.
//
//	TCP  | 14 | -> | 00 | -> | 10  size  Login | -> | Response | -> frames, until somebody closes
//	                              |
//	                              +- RSA:  Secret        session keys, password
//	                              +- XTEA: LoginDetails  user name, window, machine
//
//	frame (client)  | opcode + ISAAC |          | size, if the opcode has none | body |
//	frame (server)  | opcode + ISAAC | (second) | size, if the opcode has none | body |
//
//	PLAYER_INFO     | bits: locals, twice; externals, twice | bytes: extended info of whom the bits have marked |
//
// What there is:
//
//   - Scene and Viewer encode player info, Client decodes it; Profile says how a revision lays extended info out.
//   - SplitLogin, ParseLogin, PrivateKey, ParseSecret and LoginDetails take a login apart; AppendLogin makes one.
//     SplitResponse, Response and Welcome are the answers.
//   - Keys seed the two ISAAC ciphers; FrameReader and FrameWriter are the two ends of a stream of frames.
//   - Table and Lookup know every opcode of 667 by name and size; Parse and FrameWriter.AppendPacket turn the bodies
//     that are described into structs and back. Rows634 is the little that is known of 634's opcodes, enough for a
//     server that has its own transport to use the codec, and not enough to frame a stream.
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
// What there is not: sockets, time, randomness, logging, goroutines; the cache with its interfaces and models, so that
// numbers of components, animations and items are the caller's; NPC_INFO; what a click means. Keys and blinding
// factors are drawn by the caller.
//
// ParseXxx takes the body of a packet, without opcode and length; Append appends the body. What a parser accepts,
// Append writes back byte for byte. Input is borrowed, and kept only where a type says so. Text in packets is a Go
// string that stands for Windows-1252 (AppendText, TextString). In the tables of the doc comments, u16A and the like
// are the client's disguises of plain numbers: A adds 128 to the last byte, N negates, S subtracts from 128, L is low
// byte first, M2 and M3 are the two middle orders of four bytes.
//
// No value of this package starts goroutines, and all of them belong to one goroutine at a time, except keys, tables
// and profiles, which nobody changes. The wire document is docs/wire/rs.md.
package rs
