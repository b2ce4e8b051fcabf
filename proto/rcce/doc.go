// Package rcce has every packet of the RealmCrafter Community Edition subset that Truestep speaks: logging in, entering
// an area, moving, fighting, items on the ground, chat. Both directions parse and append, because a server, a client
// and a dissector all read the same table.
//
// One ENet packet is one message; there is no length field and no sender on the wire:
//
//	+------+---------------------------------------------+
//	| type | payload, little-endian, ends with the packet |
//	+------+---------------------------------------------+
//	  u8     0..n bytes
//
// The two halves of a codec differ in what they hold, on purpose:
//
//   - ParseXxx takes the payload, the bytes AFTER the type byte: whoever dispatches has read the type already.
//   - Append appends the WHOLE message, type byte and payload: ready to hand to ENet.
//
// So for every message m that is accepted, ParseXxx(m[1:]) followed by Append(nil) gives m again, byte for byte.
//
//	msg := rcce.StandardUpdate{RuntimeID: 300, X: 100, Z: -20.5}.Append(buf[:0]) // 14, then 22 bytes
//	p, err := rcce.ParseStandardUpdate(msg[1:])
//
// Names are the protocol's. Where a type exists in both directions, Xxx is what the server sends and XxxRequest what
// the client sends. Offsets in comments count from 0 at the first payload byte.
//
// Text is bytes: the game uses Windows-1252, and a Go string here holds those bytes as they are. Coordinates may be
// NaN or infinite; what that means is the rules' business (sim/move), not the codec's. Parse borrows its input and
// keeps nothing of it. Nothing here does I/O, starts goroutines or logs.
//
// ParseC2S and ParseS2C read a whole message by the table; Trace names every field with its offset. The wire document
// is docs/wire/rcce.md.
package rcce
