// Package web is a headless client of the web protocol, for load tests and end-to-end tests. It predicts its player with the same
// physics as the server, decodes snapshots, and acknowledges what it has received, as the client in a browser does.
//
//	c, err := web.Dial(ctx, "http://127.0.0.1:8090", web.Options{Name: "Ann"})
//	...
//	err = c.Play(ctx, func(w *web.World) keys.Keys { return keys.Keys{Forward: 1} })
package web
