// Package server runs a Truestep world in one process: areas, accounts, doors, journal, console and metrics. A Go
// program embeds a server like this:
//
//	cfg := server.Default()
//	cfg.DataDir = "./my-game"
//	if err := server.Run(ctx, cfg); err != nil {
//		log.Fatal(err)
//	}
//
// Config.World is the world; package content reads one from a file. Config.Doors are the protocols through which
// clients connect. A program can add its own door, which implements gateway.Door; toydoor_test.go in this folder is a
// complete example.
//
// The package ends all its goroutines in Server.Close. It opens sockets and the files of the data folder, prints
// nothing, and logs only to Config.Log and Config.PlayerLog. Flags, help and the start screen are in cmd/truestep.
package server
