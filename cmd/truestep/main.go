// Command truestep runs and examines authoritative world servers: serve, swarm, decode, check-world, import-accounts.
package main

import (
	"errors"
	"fmt"
	"os"
	"strings"

	"github.com/alecthomas/kong"
)

const description = `An authoritative world server. Clients claim, the server decides, every neighbour learns.

First steps:
  truestep serve                          the embedded world on its usual ports
  truestep swarm rcce --clients 50        fifty clients that walk and fight in it
  truestep serve --rcce-project DIR       your RealmCrafter project`

// cli is every command. Flags can also be set by TRUESTEP_* variables; serve also reads a TOML file.
type cli struct {
	Serve          serveCmd          `cmd:"" help:"Run the server."`
	Decode         decodeCmd         `cmd:"" help:"Show what bytes and captures mean."`
	Swarm          swarmCmd          `cmd:"" help:"Run many headless clients against a server."`
	CheckWorld     checkWorldCmd     `cmd:"" name:"check-world" help:"Check a world file or a RealmCrafter project."`
	ImportAccounts importAccountsCmd `cmd:"" name:"import-accounts" help:"Take over the accounts of a RealmCrafter server."`
	Version        versionCmd        `cmd:"" help:"Print the version."`
}

// exitUsage is the exit status of a wrong flag, a bad file or a taken port: things that the operator can mend.
const exitUsage = 2

func main() { os.Exit(run(os.Args[1:])) }

// run parses the command line, runs the command and returns the exit status.
func run(args []string) int {
	var c cli
	exit := -1
	parser, err := kong.New(&c,
		kong.Name("truestep"),
		kong.Description(description),
		kong.DefaultEnvars("TRUESTEP"),
		kong.Resolvers(configFile(args)),
		kong.ConfigureHelp(kong.HelpOptions{Compact: true, WrapUpperBound: 100}),
		kong.Exit(func(code int) { exit = code }),
	)
	if err != nil {
		panic(err) // a wrong struct tag of ours
	}
	if len(args) == 0 {
		args = []string{"--help"}
	}
	ctx, err := parser.Parse(args)
	if exit >= 0 { // --help has been printed
		return exit
	}
	if err != nil {
		return complain(err, exitUsage)
	}
	if err := ctx.Run(); err != nil {
		var status exitStatus
		if errors.As(err, &status) {
			return int(status)
		}
		return complain(err, statusOf(err))
	}
	return 0
}

// complain prints an error, one line for each of its problems.
func complain(err error, code int) int {
	for line := range strings.SplitSeq(strings.TrimSpace(err.Error()), "\n") {
		fmt.Fprintln(os.Stderr, "truestep: "+line)
	}
	return code
}

// exitStatus ends the program with that status without another word: the command has said all.
type exitStatus int

func (s exitStatus) Error() string { return fmt.Sprintf("exit status %d", int(s)) }

// usageError is something that the operator can mend.
type usageError struct{ error }

func (e usageError) Unwrap() error { return e.error }

// usage marks an error as the operator's to mend; nil stays nil.
func usage(err error) error {
	if err == nil {
		return nil
	}
	return usageError{err}
}

func statusOf(err error) int {
	var u usageError
	if errors.As(err, &u) {
		return exitUsage
	}
	return 1
}
