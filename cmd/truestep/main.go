// Command truestep runs and examines authoritative world servers: serve, health, account, backup, restore, store, cluster, admin,
// webhook, token, why, replay, tape, swarm, decode, vectors, bench, schema, check-world, import-accounts.
package main

import (
	"errors"
	"fmt"
	"io"
	"os"
	"reflect"
	"regexp"
	"slices"
	"strings"
	"time"

	"github.com/alecthomas/kong"

	"github.com/truestep-io/truestep/console/adminclient"
	"github.com/truestep-io/truestep/internal/settings"
	"github.com/truestep-io/truestep/server"
)

const description = `An authoritative world server. Clients claim, the server decides, every neighbour learns.

First steps:
  truestep serve                     the embedded world on its usual ports
  truestep serve --demo              with bots in it, to look at
  truestep swarm rcce --clients 50   fifty RealmCrafter clients play in it
  truestep swarm rs --clients 50     fifty RuneScape clients beside them
  truestep why Ann                   why a player was pulled back
  truestep admin players             who is in the world; admin --help has more
  truestep check-world DIR           check your project before you serve it
  truestep serve --rcce-project DIR  your RealmCrafter project`

// cli holds every command. Flags can also be set by TRUESTEP_* variables, and those of serve by a TOML file.
type cli struct {
	Serve          serveCmd          `cmd:"" help:"Run the server."`
	Decode         decodeCmd         `cmd:"" help:"Decode packets and captures into readable text."`
	Vectors        vectorsCmd        `cmd:"" help:"Write test vectors for other implementations."`
	Bench          benchCmd          `cmd:"" help:"Measure protocols without a network."`
	Schema         schemaCmd         `cmd:"" help:"Print which fields, commands and events a world's game declares."`
	Swarm          swarmCmd          `cmd:"" help:"Run many headless clients against a server."`
	CheckWorld     checkWorldCmd     `cmd:"" name:"check-world" help:"Check a world file or a RealmCrafter project."`
	ImportAccounts importAccountsCmd `cmd:"" name:"import-accounts" help:"Import the accounts of a RealmCrafter server."`
	Account        accountCmd        `cmd:"" help:"Show and change stored accounts and characters."`
	Backup         backupCmd         `cmd:"" help:"Back up the stored data of a server, which may be running, to one file."`
	Restore        restoreCmd        `cmd:"" help:"Restore a backup."`
	Store          storeCmd          `cmd:"" help:"Copy accounts and characters between SQLite and PostgreSQL."`
	Cluster        clusterCmd        `cmd:"" help:"Make the keys of a cluster; show which node leads each area, and move areas."`
	Health         healthCmd         `cmd:"" help:"Ask a running server whether it is ready."`
	Admin          adminCmd          `cmd:"" help:"Act as an operator on a running server: bans, messages and more."`
	Webhook        webhookCmd        `cmd:"" help:"Send test messages to the webhook receivers of a server."`
	Token          tokenCmd          `cmd:"" help:"Manage access to the operator's console."`
	Why            whyCmd            `cmd:"" help:"Explain why a player was held, corrected or refused."`
	Replay         replayCmd         `cmd:"" help:"Simulate recorded ticks of an area again, from a tape or a replay file."`
	Tape           tapeCmd           `cmd:"" help:"Examine the tape of a server."`
	Version        versionCmd        `cmd:"" help:"Print the version."`

	PrintVersion kong.VersionFlag `name:"version" short:"v" help:"Print the version and exit."`
}

// clusterCmd groups the commands about clusters. The command that creates keys needs no server; the others ask a running node.
type clusterCmd struct {
	server.Cluster
	adminclient.ClusterCommands
}

func newCLI() *cli { return &cli{Serve: serveCmd{doorFlags: newDoorFlags(server.Doors())}} }

// exitUsage is the exit status for errors that the operator can correct, such as an invalid flag or a port in use.
const exitUsage = 2

// std holds the standard output and the standard error to which commands print. Package kong passes it to their methods Run.
type std struct{ out, err io.Writer }

func main() { os.Exit(run(os.Args[1:])) }

// run parses the command line, runs the command and returns the exit status.
func run(args []string) int { return newCLI().execute(std{os.Stdout, os.Stderr}, args) }

// noExit means that there is no exit status yet. Package kong sets one if the process must exit, for example after --help.
const noExit = -1

// execute parses the arguments, runs the selected command of c, which writes to the given outputs, and returns the exit status.
func (c *cli) execute(to std, args []string) int {
	exit := noExit
	parser := newParser(c, args, to, func(code int) { exit = code })
	if len(args) == 0 || args[0] == "help" { // in "truestep help swarm web", the command follows the word help
		args = append(slices.Clone(args[min(1, len(args)):]), "--help")
	}
	ctx, err := parser.Parse(args)
	if exit != noExit { // --help has been printed
		return exit
	}
	if err != nil {
		return complain(to.err, withHint(err), exitUsage)
	}
	if err := ctx.Run(); err != nil {
		if status, ok := errors.AsType[exitStatus](err); ok {
			return int(status)
		}
		if errors.Is(err, server.ErrRestart) && err.Error() == server.ErrRestart.Error() { // ErrRestart alone, not joined with another error
			return server.ExitRestart
		}
		return complain(to.err, err, statusOf(err))
	}
	return 0
}

// newParser returns a parser that reads the command line, environment variables and the configuration file into commands. The
// parser calls exit after it has printed a help text or the version.
func newParser(commands *cli, args []string, to std, exit func(code int)) *kong.Kong {
	commands.Serve.args = args
	parser, err := kong.New(commands,
		kong.Name("truestep"),
		kong.Description(description),
		kong.Resolvers(readSettings(args)),
		kong.ConfigureHelp(kong.HelpOptions{Compact: true, WrapUpperBound: 100}),
		kong.Writers(to.out, to.err),
		kong.Exit(exit),
		kong.Bind(to, server.Output{Out: to.out, Err: to.err}, adminclient.Output{Out: to.out, Err: to.err}, &commands.Admin.Access),
		kong.Vars{"version": versionText()},
		kong.TypeMapper(reflect.TypeFor[time.Duration](), kong.MapperFunc(settings.DecodeDuration)),
	)
	if err != nil {
		panic(err) // a struct tag of this program is invalid
	}
	return parser
}

const (
	// defaultConfig is the configuration file that is read if it exists and --config names no other.
	defaultConfig = "truestep.toml"

	variablePrefix = "TRUESTEP_" // prefix of the environment variables that set flags
)

// readSettings reads the environment and the configuration file, whose keys are the flags of serve. args is the command line.
func readSettings(args []string) *settings.Source {
	return settings.Read(settings.Options{
		Args: args, Prefix: variablePrefix, File: defaultConfig,
		Commands: []string{"serve", "import-accounts", "backup", "restore", "why", "token", "account", "admin", "cluster", "webhook"}, KeyCommand: "serve",
		Exclusive: [2]string{"world", "rcce-project"}, ExclusiveWhy: "there is only one world",
		Variable: variableOf,
	})
}

// variableOf returns the name from which the environment variable of a flag is formed. It is the flag's name, or a longer name if
// a flag of "swarm mixed" or "cluster keys" has the same name as a flag of serve but another meaning.
func variableOf(command, flag string) string {
	if command == "mixed" && slices.Contains([]string{"rcce", "rs", "bedrock", "web", "console"}, flag) {
		return "swarm-" + flag
	}
	if command == "keys" && flag == "cluster" { // the flag is the name of a cluster here, but a list of nodes in the command serve
		return "cluster-name"
	}
	return flag
}

// withHint rewords an error about the command line, and appends the command with --help that explains the flags.
func withHint(err error) error {
	if _, ok := errors.AsType[*settings.Error](err); ok {
		return err
	}
	help := "truestep --help"
	if bad, ok := errors.AsType[*kong.ParseError](err); ok && bad.Context != nil {
		if node := bad.Context.Selected(); node != nil {
			help = node.FullPath() + " --help"
		}
	}
	text := err.Error()
	for _, p := range plainer {
		text = p.kong.ReplaceAllString(text, p.say)
	}
	if strings.HasSuffix(text, "?") { // kong's own suggestions end with a question mark
		return fmt.Errorf("%s See %s", text, help)
	}
	return fmt.Errorf("%s; see %s", text, help)
}

// plainer maps messages of package kong about invalid values to messages that an operator understands.
var plainer = []struct {
	kong *regexp.Regexp
	say  string
}{
	{regexp.MustCompile(`expected .+ value but got "EOL" \(<EOL>\)`), "a value is missing"},
	{regexp.MustCompile(`expected a valid 64 bit int but got (".*")`), "$1 is not a whole number"},
	{regexp.MustCompile(`expected a valid 64 bit uint but got (".*")`), "$1 is not a whole number of 0 or more"},
}

// complain prints an error, with the program's name before each line. It returns the exit status code unchanged.
func complain(to io.Writer, err error, code int) int {
	for line := range strings.SplitSeq(strings.TrimSpace(err.Error()), "\n") {
		fmt.Fprintln(to, "truestep: "+line)
	}
	return code
}

// exitStatus is an error that only sets the exit status. The command that returns an exitStatus has already printed the cause.
type exitStatus int

// Error returns the number of the exit status. It is not printed.
func (s exitStatus) Error() string { return fmt.Sprintf("exit status %d", int(s)) }

// usageError is an error that the operator can correct. The exit status is then exitUsage.
type usageError struct{ error }

// Unwrap returns the error that the operator can correct.
func (e usageError) Unwrap() error { return e.error }

// usage marks an error as one that the operator can correct. It returns nil for nil.
func usage(err error) error {
	if err == nil {
		return nil
	}
	return usageError{err}
}

func statusOf(err error) int {
	if _, ok := errors.AsType[*server.Problem](err); ok {
		return exitUsage
	}
	if _, ok := errors.AsType[usageError](err); ok {
		return exitUsage
	}
	if _, ok := errors.AsType[*adminclient.Error](err); ok {
		return exitUsage
	}
	return 1
}
