package server_test

import (
	"context"
	"fmt"
	"log/slog"
	"os"

	"github.com/truestep-io/truestep/content"
	"github.com/truestep-io/truestep/gateway"
	"github.com/truestep-io/truestep/gateway/rcce"
	"github.com/truestep-io/truestep/server"
)

// The example is a Go program that serves a world of its own to RealmCrafter clients.
func Example() {
	dir, _ := os.MkdirTemp("", "example-")
	defer os.RemoveAll(dir)
	ctx, stop := context.WithCancel(context.Background())

	door := rcce.NewDoor()
	door.Rcce = "127.0.0.1:0" // any port
	cfg := server.Default()
	cfg.World = content.DefaultWorld()
	cfg.Doors = []gateway.Door{door}
	cfg.DataDir, cfg.Console, cfg.Metrics = dir, gateway.Off, gateway.Off
	cfg.Log = slog.New(slog.DiscardHandler)
	cfg.Ready = func(s *server.Server) {
		fmt.Println("open:", s.Addr("rcce").IsValid())
		stop()
	}
	fmt.Println("stopped:", server.Run(ctx, cfg))
	// Output:
	// open: true
	// stopped: <nil>
}
