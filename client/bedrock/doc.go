// Package bedrock is a Minecraft: Bedrock client without a screen: one player that logs in over real RakNet, encrypted,
// decodes the ground that it is sent, predicts its own movement on it with the very function that the server judges by,
// rewinds when it is corrected, and walks and fights by a Behaviour. Load tests, end-to-end tests and bots are made of it.
//
//	c, err := bedrock.Dial(ctx, "127.0.0.1:19132", bedrock.Options{Name: "bot0001"})
//	err = c.Play(ctx, &bedrock.Wander{}) // until ctx ends or the connection does
//	c.Close()
//
// It has three layers, each of use alone:
//
//	Client      a UDP socket and a clock
//	Session     login, encryption, packets, the world; messages in and out, no socket and no clock
//	Predictor   the own movement; packets in, inputs out, its time is the tick
//
// A Client starts no goroutine. Its methods drive the socket in the caller's goroutine and belong to one at a time; Say,
// Command, Look, Stats, ResetStats and FirstBad may be called from others meanwhile. Sessions and Predictors belong to
// one goroutine.
//
// In each tick the client first settles what arrived (rewind, apply, replay), then lets the Behaviour choose its keys by
// the state that is true, steps, and sends PlayerAuthInput with the tick, the position and the velocity that it predicts
// (docs/wire/bedrock.md, CL-1 to CL-8). An honest client of an honest server is never corrected but for what it could
// not know: MoveCounts tells these kinds apart.
//
// A Tamper makes it dishonest, or its line bad: see Cheat for the kinds that load tests use.
//
// What it lacks: vehicles, items in hands, breaking and placing blocks, swimming as the game has it (it drifts, and the
// server takes its word within limits), accounts of Xbox. Blocks that it does not know it takes for stone.
package bedrock
