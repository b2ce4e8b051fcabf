package main

import (
	"time"

	"github.com/truestep-io/truestep/server"
)

// tapeCmd groups what examines tapes.
type tapeCmd struct {
	Verify tapeVerifyCmd `cmd:"" help:"Step a tape again and compare every state with the recorded one."`
	Export tapeExportCmd `cmd:"" help:"Write a stretch of the past of an area to a replay file."`
}

// tapeVerifyCmd steps a tape again.
type tapeVerifyCmd struct {
	Dir string `arg:"" help:"Folder of the tape: tape in the data folder." type:"existingdir"`
	server.WorldConfig
}

// Help implements kong.HelpProvider.
func (tapeVerifyCmd) Help() string { return helpText("tape-verify") }

// Run verifies the tape and prints what differs.
func (c *tapeVerifyCmd) Run(to std) error {
	v, took, err := server.VerifyTape(c.Dir, c.WorldConfig)
	if err != nil {
		return usage(err)
	}
	return v.Print(to.out, took)
}

// tapeExportCmd writes a part of a tape to a replay file.
type tapeExportCmd struct{ server.TapeExport }

// Help implements kong.HelpProvider.
func (tapeExportCmd) Help() string { return helpText("tape-export") }

// Run writes the file.
func (c *tapeExportCmd) Run(to std) error { return usage(c.Export(to.out, time.Now())) }
