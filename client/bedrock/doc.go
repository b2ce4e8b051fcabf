// Package bedrock is a headless Minecraft: Bedrock client: one player that logs in over RakNet with encryption, decodes the
// terrain, predicts its own movement with the same function as the server, rewinds and replays on corrections, and walks
// and fights as a Behaviour decides. It is used for load tests, end-to-end tests and bots.
//
//	c, err := bedrock.Dial(ctx, "127.0.0.1:19132", bedrock.Options{Name: "bot0001"})
//	err = c.Play(ctx, &bedrock.Wander{}) // until ctx is done or the connection ends
//	c.Close()
//
// The package has three layers, which can be used separately:
//
//	Client      UDP socket and clock
//	Session     login, encryption, packets, world; messages in and out, without socket or clock
//	Predictor   client-side prediction of the client's player; packets in, inputs out, time in ticks
//
// A Client starts no goroutine. Its methods drive the socket in the caller's goroutine and are not safe for concurrent use,
// except Say, Command, Inspect, Stats, ResetStats and FirstParseError, which may be called at any time. Sessions and
// Predictors are not safe for concurrent use.
//
// In each tick the client first reconciles with the packets that have arrived (rewind, apply, replay). Then the
// Behaviour chooses keys based on the corrected state, the client simulates the tick, and sends PlayerAuthInput with
// the tick and the predicted position and velocity (rules CL-1 to CL-8 of docs/wire/bedrock.md). A correct server
// corrects an honest client only after changes that the client could not know of yet. MoveCounts counts corrections by
// their cause.
//
// A Tamper makes the client cheat or simulates a bad connection: see NewCheat for the kinds that load tests use.
//
// The client can drive horses and boats and predicts their movement. It does not support placing and breaking blocks,
// nor Xbox accounts. It treats unknown blocks as stone.
package bedrock
