// Package web implements the protocol of the web door: its control messages, inputs, acknowledgements and snapshots. It uses no
// sockets and no clock. The layouts are in docs/wire/web.md; this package is their reference implementation.
//
// A connection has two channels. Control messages are ordered and reliable. Snapshots (server to client), inputs and
// acknowledgements (client to server) may be lost, duplicated and reordered. All integers are little endian.
package web
