// Package console is the operator's window into a running server: an HTTP API, a live map over WebSockets and the web
// page that uses both and nothing else. docs/console-api.md describes every call and the bytes of the map.
//
//	frames of every area -> watcher -> rows of players, hits     -> answers
//	                            +----> crew of an area and rate  -> one encoded message for all its viewers
//	sessions, journal, metrics -----------------------------------> answers, and a point of the series each second
//
// Nothing here makes an area wait: the watcher is one reader of frames among others, copies what it needs and releases
// each frame at once; a viewer that reads slowly gets the newest message only, and is closed after ten seconds without
// a word.
//
//	c, err := console.New(console.Options{Listener: l, World: w, Hub: hub, Journal: j, Metrics: m, Tokens: tokens})
//	go c.Run()
//	defer c.Close(ctx)
//
// Whoever asks shows a token of Tokens, which says his role: viewers look, moderators act on players, admins ban
// accounts. Every attempt to act is written into the journal.
//
// A Console owns the goroutines that Run starts and those of its HTTP connections; Close ends all of them.
package console
