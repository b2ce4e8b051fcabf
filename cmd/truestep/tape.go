package main

import (
	"context"
	"time"

	"github.com/truestep-io/truestep/server"
)

// tapeCmd groups the commands that examine the tape of a server.
type tapeCmd struct {
	Verify tapeVerifyCmd `cmd:"" help:"Step a tape again and compare every state with the recorded one."`
	Export tapeExportCmd `cmd:"" help:"Write recorded ticks of an area to a replay file."`
	Bisect tapeBisectCmd `cmd:"" help:"Find the first tick and value in which another truestep program differs."`
	States tapeStatesCmd `cmd:"" help:"Print a hash of the state after each tick of a tape, for other programs."`
}

// tapeVerifyCmd simulates the ticks of a tape again and compares the resulting states with the recorded ones.
type tapeVerifyCmd struct {
	Dir string `arg:"" help:"Folder of the server's data, or of its tape." type:"existingdir"`
	server.WorldConfig
}

// Help returns the text that is printed below the flags of the command.
func (tapeVerifyCmd) Help() string { return helpText("tape-verify") }

// Run verifies the tape and prints the differences.
func (c *tapeVerifyCmd) Run(to std) error {
	v, took, err := server.VerifyTape(c.Dir, c.WorldConfig)
	if err != nil {
		return usage(err)
	}
	return v.Print(to.out, took)
}

// tapeExportCmd writes a stretch of a tape to a replay file.
type tapeExportCmd struct{ server.TapeExport }

// Help returns the text that is printed below the flags of the command.
func (tapeExportCmd) Help() string { return helpText("tape-export") }

// Run writes the replay file.
func (c *tapeExportCmd) Run(to std) error {
	return usage(c.Export(context.Background(), to.out, time.Now()))
}

// tapeBisectCmd finds the first tick of a tape that two versions of the program step differently.
type tapeBisectCmd struct{ server.TapeBisect }

// Help returns the text that is printed below the flags of the command.
func (tapeBisectCmd) Help() string { return helpText("tape-bisect") }

// Run prints the first difference between the two programs. The exit status is 1 if there is one.
func (c *tapeBisectCmd) Run(to std) error {
	differ, err := c.Find(context.Background(), to.out)
	if differ && err == nil {
		return exitStatus(1)
	}
	return usage(err)
}

// tapeStatesCmd prints a hash of the state after each tick of a tape.
type tapeStatesCmd struct{ server.TapeStates }

// Help returns the text that is printed below the flags of the command.
func (tapeStatesCmd) Help() string { return helpText("tape-states") }

// Run prints the hashes.
func (c *tapeStatesCmd) Run(to std) error { return usage(c.Print(to.out)) }
