package main

import (
	"fmt"
	"log/slog"
	"time"

	"github.com/truestep-io/truestep/internal/stopsignal"
	"github.com/truestep-io/truestep/server"
	"github.com/truestep-io/truestep/sim"
)

// replayCmd simulates ticks of an area again, from a stretch of a tape or a file that was saved when the area panicked.
type replayCmd struct {
	Path       string `arg:"" optional:"" help:"Replay file, area-*.replay of the data folder; or the data folder of a server, to step a stretch of its tape. Default ./truestep-data." type:"path"`
	Tick       uint64 `help:"Of a file: print the intents and events of this tick; 0: the last." placeholder:"N"`
	All        bool   `help:"Of a file: print the intents and events of every tick."`
	ExportTest string `help:"Write a Go test that replays the file, and a copy of the file, into this folder." placeholder:"DIR"`
	server.ReplayTape
	server.WorldConfig
}

// Help returns the text that is printed below the flags of the command.
func (replayCmd) Help() string { return helpText("replay") }

// Run steps the ticks of the file or of the tape, and prints what happens in them or displays it in a console.
func (c *replayCmd) Run(to std) error {
	isTape, err := c.ReplayTape.Check(c.Path, c.Tick != 0 || c.All || c.ExportTest != "")
	if err != nil {
		return usage(err)
	}
	if isTape {
		s, err := c.Open(c.Path, c.WorldConfig, time.Now())
		if err != nil {
			return usage(err)
		}
		defer s.Close()
		if c.Serve == "" {
			return s.Print(to.out)
		}
		ctx, stop := stopsignal.Context()
		defer stop()
		return s.ServeConsole(ctx, to.out, c.Serve, slog.New(slog.NewTextHandler(to.err, &slog.HandlerOptions{Level: slog.LevelWarn})))
	}
	return c.playFile(to)
}

func (c *replayCmd) playFile(to std) error {
	r, err := server.LoadReplay(c.Path, c.WorldConfig)
	if err != nil {
		return usage(err)
	}
	show := func(tick sim.Tick, last bool) bool { return c.All || uint64(tick) == c.Tick || c.Tick == 0 && last }
	if err := r.Print(to.out, show); err != nil || c.ExportTest == "" {
		return err
	}
	test, err := server.ExportReplayTest(c.ExportTest, c.Path, r.Data, c.WorldConfig)
	if err != nil {
		return usage(fmt.Errorf("write the test file of --export-test: %w", err))
	}
	fmt.Fprintf(to.out, "wrote %s\n", test)
	return nil
}
