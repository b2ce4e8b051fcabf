// Package adminclient implements the command truestep admin: the actions of the operator's console in a terminal. Each command
// calls the console's API (docs/console-api.md) of a running server. The package has no state and starts no goroutines.
//
// Commands are structs with the tags of github.com/alecthomas/kong, which package main parses. Their Run methods print to an Output.
package adminclient
