package main

import (
	"fmt"
	"os"

	"github.com/truestep-io/truestep/area"
	"github.com/truestep-io/truestep/server"
	"github.com/truestep-io/truestep/sim"
)

// replayCmd steps an area through what it saved when a panic stopped it.
type replayCmd struct {
	File       string `arg:"" help:"Replay file, area-*.replay of the data folder." type:"existingfile"`
	Tick       uint64 `help:"Print the intents and events of this tick; 0: the last." placeholder:"N"`
	All        bool   `help:"Print the intents and events of every tick."`
	ExportTest string `help:"Write a Go test that replays the file, and a copy of the file, into this folder." placeholder:"DIR"`
	server.WorldConfig
}

// Help is what replay --help adds to the flags.
func (replayCmd) Help() string {
	return `Examples:
  truestep replay truestep-data/area-20261122-101530-1.replay
  truestep replay --world world.toml area.replay --tick 5214
  truestep replay area.replay --export-test ./replays

An area that stops on a broken invariant saves a snapshot and the intents since, up to 10 s. This command loads the same
world, steps the area through them, compares the hash of each frame with the recorded one, and prints the tick that panicked
with its intents and the stack. Give the flags of the world that the server had.

Exit status 0: the replay ran as recorded, to its panic. 1: it did not, and the line says at which tick.`
}

// Run plays the file.
func (c *replayCmd) Run(to std) error {
	if err := c.Check(); err != nil {
		return usage(err)
	}
	data, err := os.ReadFile(c.File)
	if err != nil {
		return usage(err)
	}
	r, err := area.ParseReplay(data)
	if err != nil {
		return usage(fmt.Errorf("%s: %w", c.File, err))
	}
	w, err := c.Load()
	if err != nil {
		return usage(err)
	}
	fmt.Fprintf(to.out, "%s of %s, %d ticks\n", r.Area, r.World, len(r.Ticks))
	if r.Panic != "" {
		fmt.Fprintf(to.out, "stopped on: %s\n", r.Panic)
	}
	fmt.Fprintln(to.out)
	show := func(tick sim.Tick, last bool) bool { return c.All || uint64(tick) == c.Tick || c.Tick == 0 && last }
	playback, err := r.Play(w.World.World)
	if err != nil {
		return usage(err)
	}
	if err := playback.Print(to.out, show); err != nil {
		return err
	}
	if c.ExportTest == "" {
		return nil
	}
	test, err := server.ExportReplayTest(c.ExportTest, c.File, data, c.WorldConfig)
	if err != nil {
		return usage(fmt.Errorf("export-test: %w", err))
	}
	fmt.Fprintf(to.out, "wrote %s\n", test)
	return nil
}
