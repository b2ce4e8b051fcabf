package main

import (
	"errors"
	"fmt"
	"os"
	"syscall"

	"github.com/truestep-io/truestep/internal/rsscene"
	"github.com/truestep-io/truestep/proto/rs"
)

// vectorsCmd writes what other implementations can be tested with.
type vectorsCmd struct {
	RS vectorsRSCmd `cmd:"" name:"rs" help:"RuneScape player info: what one client is sent, and what is true after it, as JSON lines."`
}

// vectorsRSCmd is "truestep vectors rs". The format is documented at rsscene.Line.
type vectorsRSCmd struct {
	Profile    string `enum:"634,667,osrs239" default:"667" help:"Revision of the client: ${enum}."`
	Scene      string `enum:"chaos,crowd,walkers" default:"chaos" help:"What happens in the world: ${enum}."`
	Seed       uint64 `default:"1" help:"Seed of all luck. With one version of truestep, the same flags give the same bytes."`
	Players    int    `default:"100" help:"Players in the world, the viewer among them: 1..2046."`
	Cycles     int    `default:"100" help:"Cycles, a packet each: 1..1000000."`
	Reconnects bool   `help:"Now and then the client gets a new placement block: a further init line ahead of a cycle."`
	Out        string `short:"o" default:"-" placeholder:"FILE" help:"Where the lines go; - is standard output."`
}

// Help is what vectors rs --help adds to the flags.
func (vectorsRSCmd) Help() string {
	return `Examples:
  truestep vectors rs --seed 7 > run.jsonl
  truestep vectors rs --profile osrs239 --players 2000 --cycles 200 \
      --scene crowd -o crowd.jsonl
  truestep vectors rs --cycles 1000 |
      truestep decode rs --jsonl - --check --quiet
  truestep vectors rs | jq -c 'select(.t=="cycle").truth'
      what a decoder has to print

Scenes:
  chaos      all that can happen, where it is hardest: corners of squares and
             of the world, players who leave and whose index somebody else has
             in the same cycle, quiet times with long runs
  crowd      everybody in 13 x 13 tiles; most teleport and many speak in every
             cycle
  walkers    towns and country; most stand, some walk, a few run

Lines:
  {"t":"init","self":7,"bytes":"0c80..."}
  {"t":"cycle","bytes":"007ff4","truth":{"local":{"7":[3200,3201,0]},"lowres":{"9":[0,50,49]}}}

The first line is the init, then comes one cycle line for every packet. bytes is hexadecimal: the placement block of
4608 bytes, or the payload of a player-info packet without its opcode and size. self is the viewer's index. Keys of
local and lowres are indices 1..2047 in decimal.

truth is what holds after the cycle, taken from the world and not from the encoder:
  local      every player whom the client has in high resolution, itself
             included: [x, y, plane], absolute tiles, y being north
  lowres     every other index whose low-resolution position is not plane 0,
             square 0,0: [plane, rx, ry], where a square has 64 x 64 tiles
             (rx = x>>6), for osrs239 8192 x 8192 (rx = x>>13)

An index that is in neither is external at plane 0, square 0,0: nobody is there, or somebody who stands in that very
square, which no client can tell apart (in osrs239 it holds everybody on plane 0 with x and y below 8192). Players in
range whom the viewer is not shown are in lowres like all others.

With --reconnects, an init line with the same self between cycles is a reconnection: who is local, all positions
and all skip flags start anew; appearances and remembered speeds stay.`
}

const (
	maxVectorPlayers = 2046
	maxVectorCycles  = 1_000_000
)

// Validate refuses what cannot be played.
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

// Run plays the scene and writes a line at a time.
func (c *vectorsRSCmd) Run(to std) error {
	profile, _ := rs.ProfileNamed(c.Profile)
	scene := rsscene.Config{
		Profile: profile, Scene: c.Scene, Players: c.Players, Viewers: 1, Seed: c.Seed, Reconnect: c.Reconnects,
	}
	if c.Out == "-" {
		return unlessGone(rsscene.WriteRun(to.out, scene, c.Cycles))
	}
	f, err := os.Create(c.Out)
	if err != nil {
		return usage(fmt.Errorf("out: %w", err))
	}
	return unlessGone(errors.Join(rsscene.WriteRun(f, scene, c.Cycles), f.Close()))
}

// unlessGone is the error of writing. If whoever reads has gone, as head does, the program ends without a word, and
// with the status that the signal gives where there is one.
func unlessGone(err error) error {
	if errors.Is(err, syscall.EPIPE) {
		return exitStatus(128 + int(syscall.SIGPIPE))
	}
	return err
}
