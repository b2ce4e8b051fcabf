package main

import (
	"encoding/json"
	"io"
	"os"

	"github.com/truestep-io/truestep/content"
	"github.com/truestep-io/truestep/server"
)

// checkWorldCmd reports what is in a world and what a server would refuse: a world file, a RealmCrafter project, or the
// embedded world. A refused world gives exit status 1 and one line for each problem.
type checkWorldCmd struct {
	Path               string `arg:"" optional:"" name:"path" help:"A world file, or the folder of a RealmCrafter project. Default: the embedded world."`
	Rules              string `help:"A file with [rules] and [newcomers] for a project." placeholder:"FILE"`
	NeutralResistances bool   `help:"Read resistance tables of a project that are all 0 as neutral."`
	JSON               bool   `name:"json" help:"Print one JSON object instead of text."`
	PrintEmbedded      bool   `help:"Print the embedded world's file, as a start for your own, and exit."`

	out io.Writer // receives the output; os.Stdout if nil
}

// Help implements kong.HelpProvider.
func (checkWorldCmd) Help() string { return helpText("check-world") }

// Run checks the world and prints a summary.
func (c *checkWorldCmd) Run() error {
	if c.out == nil {
		c.out = os.Stdout
	}
	if c.PrintEmbedded {
		_, err := c.out.Write(content.DefaultTOML())
		return err
	}
	r, refused, err := server.CheckWorld(c.Path, c.Rules, c.NeutralResistances)
	if err != nil {
		return usage(err)
	}
	if !c.JSON {
		if refused != nil {
			return refused
		}
		return printReport(c.out, r)
	}
	e := json.NewEncoder(c.out)
	e.SetIndent("", "  ")
	if err := e.Encode(r); err != nil {
		return err
	}
	if refused != nil {
		return exitStatus(1)
	}
	return nil
}
