// Package server runs a Truestep world: areas, accounts, doors, journal, console and metrics in one process. A Go
// program embeds it like this:
//
//	cfg := server.Default()
//	cfg.DataDir = "./my-game"
//	if err := server.Run(ctx, cfg); err != nil {
//		log.Fatal(err)
//	}
//
// Config.World is the world (package content reads one from a file), Config.Doors are the protocols that it is served
// through. A program's own door implements gateway.Door; toydoor_test.go in this folder is a complete example.
//
// The package starts every goroutine and ends it in Server.Close. It opens sockets and the files of the data folder,
// prints nothing, and logs only to Config.Log and Config.PlayerLog. Flags, help and the start screen are in cmd/truestep.
package server
