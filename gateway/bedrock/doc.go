// Package bedrock is the door for Minecraft: Bedrock clients: RakNet over UDP, the login, and the traffic of players in
// both directions. Inputs and clicks become intents; frames become packets. A packet about the client's own player carries the
// tick of the last input that the server had processed when it sent the packet.
//
//	UDP -> raknet.Server -> batch -> packets -> conn -> session.Submit -> area
//	UDP <- raknet.Server <- batch <- packets <- scene, conn <- frame <----+
//
// A Gateway has one goroutine that reads the socket and a few workers. The source address of a connection determines its
// worker; workers share no connection state. Verifying a login and entering the world may block, so they run on other
// goroutines. Sends never block: a client that does not read is disconnected.
//
//	g, err := bedrock.Listen(hub, world, bedrock.Options{Addr: ":19132"})
//	...
//	err = g.Run(ctx)
package bedrock
