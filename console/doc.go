// Package console serves the operators of a running server: an HTTP API, a live map over WebSockets, and a web page that
// uses only these two. docs/console-api.md describes every call and the binary messages of the map.
//
//	frames of every area -> frameReader -> state of players, hits       -> answers
//	                             +-------> viewerGroup (area and rate)  -> one encoded message for all its viewers
//	sessions, journal, metrics -----------------------------------------> answers, and a point of the series each second
//
// This package never blocks an area: the frameReader copies what it needs and releases each frame immediately. A live map that reads
// slowly gets only the newest frame, and its connection is closed after ten seconds without a successful write.
//
//	c, err := console.New(console.Options{Listener: l, World: w, Hub: hub, Journal: j, Metrics: m, Tokens: tokens})
//	go c.Run()
//	defer c.Close(ctx)
//
// Every request carries a token of Tokens, which determines the role: viewers read, moderators act on players, admins ban
// accounts. Every attempted action is recorded in the audit log, which is part of the journal.
//
// A Console owns the goroutines that Run starts and those of its HTTP connections; Close ends all of them.
package console
