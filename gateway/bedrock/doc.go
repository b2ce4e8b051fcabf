// Package bedrock is the door for Minecraft: Bedrock clients: RakNet sockets, the login, and the two directions of a
// player's traffic. Inputs and clicks become intents; frames become packets, each about the client's own player with the
// tick of the input after which it is true.
//
//	UDP -> raknet.Server -> batch -> packets -> conn -> session.Submit -> area
//	UDP <- raknet.Server <- batch <- packets <- scene, conn <- frame <----+
//
// A Gateway owns one goroutine that reads the socket and a few workers. A connection belongs to the worker that its
// address chooses, for as long as it lives; nothing of it is shared. Checking a login and entering the world may wait and
// are done beside the workers. Sends never wait: who does not read is dropped.
//
//	g, err := bedrock.Listen(hub, world, bedrock.Options{Addr: ":19132"})
//	...
//	err = g.Run(ctx)
package bedrock
