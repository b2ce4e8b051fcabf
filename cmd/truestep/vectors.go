package main

import (
	"errors"
	"fmt"
	"os"
	"syscall"

	"github.com/truestep-io/truestep/internal/rsscene"
	"github.com/truestep-io/truestep/proto/rs"
)

// vectorsCmd writes test vectors for other implementations.
type vectorsCmd struct {
	RS vectorsRSCmd `cmd:"" name:"rs" help:"RuneScape player info: the packets of one client and the true state after each, as JSON lines."`
}

// vectorsRSCmd is "truestep vectors rs". The format is documented at rsscene.Line.
type vectorsRSCmd struct {
	Profile    string `enum:"634,667,osrs239" default:"667" help:"Revision of the client: ${enum}."`
	Scene      string `enum:"chaos,crowd,walkers" default:"chaos" help:"What happens in the world: ${enum}."`
	Seed       uint64 `default:"1" help:"Seed of all random choices. With one version of truestep, the same flags give the same bytes."`
	Players    int    `default:"100" help:"Players in the world, the viewer among them: 1..2046."`
	Cycles     int    `default:"100" help:"Cycles, a packet each: 1..1000000."`
	Reconnects bool   `help:"Send the client a new placement block now and then: another init line before a cycle."`
	Out        string `short:"o" default:"-" placeholder:"FILE" help:"File for the lines; - is standard output."`
}

// Help is printed below the flags.
func (vectorsRSCmd) Help() string { return helpText("vectors-rs") }

const (
	maxVectorPlayers = 2046
	maxVectorCycles  = 1_000_000
)

// Validate refuses values out of range.
func (c *vectorsRSCmd) Validate() error {
	switch {
	case c.Players < 1 || c.Players > maxVectorPlayers:
		return fmt.Errorf("players %d: must be 1..%d", c.Players, maxVectorPlayers)
	case c.Cycles < 1 || c.Cycles > maxVectorCycles:
		return fmt.Errorf("cycles %d: must be 1..%d", c.Cycles, maxVectorCycles)
	case c.Out == "":
		return errors.New("out is empty: name a file, or - for standard output")
	}
	return nil
}

// Run simulates the scene and writes a line after each cycle.
func (c *vectorsRSCmd) Run(to std) error {
	profile, _ := rs.ProfileNamed(c.Profile)
	scene := rsscene.Config{
		Profile: profile, Scene: c.Scene, Players: c.Players, Viewers: 1, Seed: c.Seed, Reconnect: c.Reconnects,
	}
	if c.Out == "-" {
		return quietOnClosedPipe(rsscene.WriteRun(to.out, scene, c.Cycles))
	}
	f, err := os.Create(c.Out)
	if err != nil {
		return usage(fmt.Errorf("out: %w", err))
	}
	return quietOnClosedPipe(errors.Join(rsscene.WriteRun(f, scene, c.Cycles), f.Close()))
}

// quietOnClosedPipe turns a write to a closed pipe, as after head, into the exit status of SIGPIPE without a message. Other
// errors stay as they are.
func quietOnClosedPipe(err error) error {
	if errors.Is(err, syscall.EPIPE) {
		return exitStatus(128 + int(syscall.SIGPIPE))
	}
	return err
}
