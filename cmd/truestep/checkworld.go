package main

import (
	"context"
	"encoding/json"
	"errors"
	"io"
	"os"
	"os/signal"
	"syscall"

	"github.com/truestep-io/truestep/content"
	"github.com/truestep-io/truestep/server"
)

// checkWorldCmd checks a world file, a RealmCrafter project or the embedded world. It prints the content of the world, or the
// problems for which a server would refuse the world. For a refused world the exit status is 1, with one line for each problem.
type checkWorldCmd struct {
	Path               string `arg:"" optional:"" name:"path" help:"A world file, or the folder of a RealmCrafter project. Default: the embedded world."`
	Rules              string `help:"A file with [rules] and [newcomers] for a project." placeholder:"FILE"`
	NeutralResistances bool   `help:"Read resistance tables of a project that are all 0 as neutral."`
	JSON               bool   `name:"json" help:"Print JSON instead of text: one object."`
	Preview            string `help:"Draw the ground as the console shows it into this PNG file: all areas, or one with --area." placeholder:"FILE"`
	Area               string `help:"The area that --preview draws." placeholder:"NAME"`
	Theme              string `help:"Colours of --preview: light or dark." enum:"light,dark" default:"light"`
	Watch              bool   `help:"Check again whenever a file changes, and print what has changed and whether a server needs a reload or a restart for it."`
	PrintEmbedded      bool   `help:"Print the embedded world's file, as a start for your own, and exit."`

	out io.Writer // receives the output; os.Stdout if nil
}

// Help returns the text that is printed below the flags of the command.
func (checkWorldCmd) Help() string { return helpText("check-world") }

// Run checks the world and prints a report.
func (c *checkWorldCmd) Run() error {
	if c.out == nil {
		c.out = os.Stdout
	}
	if c.PrintEmbedded {
		_, err := c.out.Write(content.DefaultTOML())
		return err
	}
	if c.Watch {
		ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
		defer stop()
		return usage(server.WatchWorld(ctx, c.out, c.Path, c.Rules, c.NeutralResistances))
	}
	w, r, refused, err := server.CheckWorld(c.Path, c.Rules, c.NeutralResistances)
	if err != nil {
		return usage(err)
	}
	if refused == nil && c.Preview != "" {
		if err := server.PreviewWorld(w, c.Area, c.Theme, c.Preview); err != nil {
			return usage(err)
		}
	} else if c.Area != "" && c.Preview == "" {
		return usage(errors.New("--area has an effect only with --preview: name the file into which the area is drawn with --preview FILE"))
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
