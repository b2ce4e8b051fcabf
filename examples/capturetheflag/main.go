// Command capturetheflag is an example of a game with rules of its own on a Truestep server: two teams, two flags and a trader.
// The rules are in rules.go; arena.toml has the world and declares the data of the game.
package main

import (
	"context"
	_ "embed"
	"flag"
	"fmt"
	"os"
	"os/signal"

	"github.com/truestep-io/truestep/server"
)

//go:embed arena.toml
var arena []byte

func main() {
	data := flag.String("data", "capturetheflag-data", "folder of accounts, characters and the tape")
	verify := flag.Bool("verify", false, "step the tape of the last run again, compare every state, and exit")
	web := flag.String("web", "", "HOST:PORT of the web door; all other doors, the console and the metrics are then off")
	flag.Parse()
	if err := run(*data, *verify, *web); err != nil {
		fmt.Fprintln(os.Stderr, "capturetheflag:", err)
		os.Exit(1)
	}
}

// run starts the server with its data in the folder data or, if verify is true, verifies the tape of the last run. If web is not
// "", the server has only the web door, at that address.
func run(data string, verify bool, web string) error {
	config := server.WorldConfig{World: "arena.toml", Text: arena, Game: newRules}
	if verify {
		v, took, err := server.VerifyTape(data+"/tape", config)
		if err != nil {
			return err
		}
		return v.Print(os.Stdout, took)
	}
	w, err := config.Load()
	if err != nil {
		return err
	}
	cfg := server.Default()
	cfg.World, cfg.DataDir = w.World, data
	cfg.OnlyWeb(web)
	cfg.Ready = func(s *server.Server) { fmt.Printf("play http://127.0.0.1:%d/\n", s.Addr("web").Port()) }
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt)
	defer stop()
	return server.Run(ctx, cfg)
}
