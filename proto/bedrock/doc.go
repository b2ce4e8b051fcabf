// Package bedrock implements the packets of Minecraft: Bedrock that Truestep supports: login, world entry, movement (the server
// simulates every input), other actors, combat and chat. Every packet can be parsed and appended, whichever side sends it,
// because a server, a client and a packet dissector use the same table.
//
// A packet is a header and a body. A batch holds packets, each preceded by its length:
//
//	+-------------------------------+-------------------------------------------+
//	| varuint32 header              | body                                      |
//	| id | sender << 10 | to << 12  | little-endian, ends with the packet       |
//	+-------------------------------+-------------------------------------------+
//
// Every packet is a struct with Mojang's name, without "Packet", and has a parser and a method Append:
//
//   - ParseXxx decodes the body, that is, the bytes after the header, in the layout of the peer's protocol version.
//   - Append appends the body in the layout of a version; AppendPacket appends header and body.
//
// For every body b that is accepted, ParseXxx(b, v) followed by Append(nil, v) returns b, byte for byte. The input flags of
// PlayerAuthInput are the exception: Append writes them in one fixed form.
//
//	msg := bedrock.AppendPacket(nil, bedrock.SetTime{Time: 6000}, bedrock.V2169) // 0a e0 5d
//	id, _, _, body, err := bedrock.ParseHeader(msg)
//	p, err := bedrock.ParseSetTime(body, bedrock.V2169)
//
// Errors of parsers wrap wire.ErrShort, wire.ErrRange or wire.ErrTrailing. The value returned with an error is complete only
// with wire.ErrTrailing: newer clients may append a field, so a server may count the error and continue the session.
// PlayerAuthInput is the exception: with trailing bytes it is refused. Slices in a parsed packet borrow from the input, that
// is, they share its memory; texts are copied.
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
//	uuid                      two 8-byte halves, each byte-reversed
//	nbt                       a named tag in the network form
//	runtime id, unique id     varu64, var64
//
// Angles are degrees: yaw 0 faces +Z (south), 90 faces -X (west). Positions are blocks, Y up. A float may be NaN or
// infinite; the game rules must handle that. The package does no I/O, starts no goroutines and does not log.
//
// The wire document is docs/wire/bedrock.md.
package bedrock
