// Package rcce implements the RealmCrafter Community Edition packets that Truestep supports: login, area change, movement,
// combat, items on the ground and chat. Packets of both directions can be parsed and written, because servers, clients and
// dissectors use the same packet table (see Table).
//
// One ENet packet is one message; there is no length field and no sender on the wire:
//
//	+------+---------------------------------------------+
//	| type | payload, little-endian, ends with the packet |
//	+------+---------------------------------------------+
//	  u8     0..n bytes
//
// Parse and Append differ in the type byte:
//
//   - Parse functions take the payload, the bytes AFTER the type byte, because the caller has read the type already, to select
//     the parser.
//   - Append appends the WHOLE message, type byte and payload, ready to be sent with ENet.
//
// For every accepted message m, parsing m[1:] and calling Append(nil) gives m again, byte for byte.
//
//	msg := rcce.StandardUpdate{RuntimeID: 300, X: 100, Z: -20.5}.Append(buf[:0]) // 14, then 22 bytes
//	p, err := rcce.ParseStandardUpdate(msg[1:])
//
// Names are the protocol's. If a type exists in both directions, the client's packet has the suffix Request. Offsets in
// comments start with 0 at the first payload byte.
//
// Strings hold Windows-1252 bytes, unconverted. Coordinates may be NaN or infinite; sim/move judges them, not the codec.
// Parse functions borrow their input and keep no reference to it. The package does no I/O, starts no goroutines and does
// not log.
//
// ParseC2S and ParseS2C parse a whole message, as the packet table says; Format.Trace returns every field with its offset. The
// wire document is docs/wire/rcce.md.
package rcce
