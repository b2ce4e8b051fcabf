// Package adminclient implements truestep admin: the actions of the operator's console in a terminal. Each command is one call of the
// console's API (docs/console-api.md) of a running server; the package keeps no state and starts no goroutines.
//
// Commands are structs with the tags of github.com/alecthomas/kong, which package main parses. Their Run methods print to an Output.
package adminclient
