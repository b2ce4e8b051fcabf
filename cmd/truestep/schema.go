package main

import "github.com/truestep-io/truestep/server"

// schemaCmd prints which fields, commands and events the game of a world declares, as JSON or TypeScript.
type schemaCmd struct{ server.Schema }

// Help returns the text that is printed below the flags of the command.
func (schemaCmd) Help() string { return helpText("schema") }

// Run prints the schema.
func (c *schemaCmd) Run(to std) error { return usage(c.Print(to.out)) }
