// Package bedrock has the packets of Minecraft: Bedrock that Truestep speaks: logging in, entering a world, moving under
// a server that simulates every input, being seen, fighting, talking. Both directions parse and append, because a
// server, a client and a decoder read the same table.
//
// A packet is a header and a body; packets travel in batches, each behind its length:
//
//	+-------------------------------+-------------------------------------------+
//	| varuint32 header              | body                                      |
//	| id | sender << 10 | to << 12  | little-endian, ends with the packet       |
//	+-------------------------------+-------------------------------------------+
//
// Every packet is a struct named as Mojang names it, without "Packet", with these two sides:
//
//   - ParseXxx takes the body, the bytes after the header, and the version that the peer speaks.
//   - Append appends the body for a version; AppendPacket puts the header before it.
//
// So for every body b that is accepted, ParseXxx(b, v) followed by Append(nil, v) gives b again, byte for byte.
//
//	msg := bedrock.AppendPacket(nil, bedrock.SetTime{Time: 6000}, bedrock.V2169) // 0a e0 5d
//	id, _, _, body, err := bedrock.ParseHeader(msg)
//	p, err := bedrock.ParseSetTime(body, bedrock.V2169)
//
// Errors of parsers wrap wire.ErrShort, wire.ErrRange or wire.ErrTrailing. The value that comes with an error is whole
// only with wire.ErrTrailing: newer clients may know a field more at the end, so the owner of a session can count that
// and go on. PlayerAuthInput is the exception, and refuses. Slices in a parsed packet borrow from the input; texts are
// copied.
//
// Byte tables in comments use these encodings:
//
//	u8, bool                  one byte; a bool is 0 or 1
//	u16 i16 u32 i32 u64 i64   little-endian; f32 likewise
//	i32 BE                    big-endian
//	varu32 varu64             LEB128, in its shortest form
//	var32 var64               zigzag, then LEB128
//	str, bytes                varu32 byte count, then the bytes
//	list T                    varu32 count, then the elements
//	opt T                     bool, then T if it was 1
//	vec2, vec3                2 or 3 f32
//	blockpos                  var32 x, y, z
//	uuid                      two 8-byte halves, each back to front
//	nbt                       a named tag in the network form
//	runtime id, unique id     varu64, var64
//
// Directions are degrees: yaw 0 looks along +Z (south), 90 along -X (west). Positions are blocks, Y up. A float may be
// NaN or infinite; what that means is the business of the rules. Nothing here does I/O, starts goroutines or logs.
//
// The wire document is docs/wire/bedrock.md.
package bedrock
