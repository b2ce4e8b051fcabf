package main

import "github.com/truestep-io/truestep/server"

// tapeCmd groups what examines tapes.
type tapeCmd struct {
	Verify tapeVerifyCmd `cmd:"" help:"Step a tape again and compare every state with the recorded one."`
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
