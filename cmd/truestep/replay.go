package main

import (
	"fmt"

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

// Help implements kong.HelpProvider.
func (replayCmd) Help() string { return helpText("replay") }

// Run plays the file.
func (c *replayCmd) Run(to std) error {
	r, err := server.LoadReplay(c.File, c.WorldConfig)
	if err != nil {
		return usage(err)
	}
	show := func(tick sim.Tick, last bool) bool { return c.All || uint64(tick) == c.Tick || c.Tick == 0 && last }
	if err := r.Print(to.out, show); err != nil || c.ExportTest == "" {
		return err
	}
	test, err := server.ExportReplayTest(c.ExportTest, c.File, r.Data, c.WorldConfig)
	if err != nil {
		return usage(fmt.Errorf("export-test: %w", err))
	}
	fmt.Fprintf(to.out, "wrote %s\n", test)
	return nil
}
