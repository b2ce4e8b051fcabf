package main

import (
	"errors"
	"fmt"
	"io"
	"os"
	"syscall"

	"github.com/truestep-io/truestep/internal/rsscene"
	"github.com/truestep-io/truestep/internal/webscene"
)

// vectorsCmd groups the commands that write test vectors for other implementations of a protocol.
type vectorsCmd struct {
	RS  vectorsRSCmd  `cmd:"" name:"rs" help:"RuneScape player info: the packets of one client and the true state after each, as JSON lines."`
	Web vectorsWebCmd `cmd:"" name:"web" help:"Web snapshots: what one client receives over a line, and what it means, as JSON lines."`
}

// vectorsRSCmd is the command "truestep vectors rs", which writes RuneScape packets and the decoded states (rsscene.Line).
type vectorsRSCmd struct {
	rsscene.Options
	Out string `short:"o" default:"-" placeholder:"FILE" help:"File for the lines; - is standard output."`
}

// Help returns the text that is printed below the flags of the command.
func (vectorsRSCmd) Help() string { return helpText("vectors-rs") }

// Run simulates the scene and writes a line after each cycle.
func (c *vectorsRSCmd) Run(to std) error {
	return writeTo(c.Out, to, func(w io.Writer) error { return rsscene.WriteRun(w, c.Config(), c.Cycles) })
}

// vectorsWebCmd is the command "truestep vectors web", which writes snapshots and the decoded states (webscene.Line).
type vectorsWebCmd struct {
	webscene.Options
	Out string `short:"o" default:"-" placeholder:"FILE" help:"File for the lines; - is standard output."`
}

// Help returns the text that is printed below the flags of the command.
func (vectorsWebCmd) Help() string { return helpText("vectors-web") }

// Run simulates the scene and its network, and writes a line for each snapshot that arrives.
func (c *vectorsWebCmd) Run(to std) error {
	scene, err := c.Config()
	if err != nil {
		return usage(err)
	}
	return writeTo(c.Out, to, func(w io.Writer) error { return webscene.WriteLines(w, scene) })
}

// benchCmd groups the commands that measure protocols without a network.
type benchCmd struct {
	Web benchWebCmd `cmd:"" name:"web" help:"Bytes and time of the web protocol's snapshots in three scenes, by round trip and loss."`
}

// benchWebCmd is the command "truestep bench web", which measures the bytes and the encoding time of the web protocol.
type benchWebCmd struct{ webscene.Bench }

// Help returns the text that is printed below the flags of the command.
func (benchWebCmd) Help() string { return helpText("bench-web") }

// Run measures and prints the results.
func (c *benchWebCmd) Run(to std) error {
	err := c.Print(to.out)
	if errors.As(err, new(webscene.FlagError)) {
		return usage(err)
	}
	return quietOnClosedPipe(err)
}

// writeTo creates the named file and passes it to the function write. If the name is "-", it passes standard output instead.
func writeTo(name string, to std, write func(w io.Writer) error) error {
	if name == "-" {
		return quietOnClosedPipe(write(to.out))
	}
	if name == "" {
		return usage(errors.New("--out is empty: name a file, or - for standard output"))
	}
	f, err := os.Create(name)
	if err != nil {
		return usage(fmt.Errorf("create the file of --out: %w", err))
	}
	return quietOnClosedPipe(errors.Join(write(f), f.Close()))
}

// quietOnClosedPipe prevents an error message when the reader of the output has ended, as in "truestep ... | head": it replaces
// the error by the exit status of SIGPIPE without a message. It returns other errors unchanged.
func quietOnClosedPipe(err error) error {
	if errors.Is(err, syscall.EPIPE) {
		return exitStatus(128 + int(syscall.SIGPIPE))
	}
	return err
}
