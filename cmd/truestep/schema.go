package main

import "github.com/truestep-io/truestep/server"

// schemaCmd prints the data of a world's game.
type schemaCmd struct{ server.Schema }

// Help implements kong.HelpProvider.
func (schemaCmd) Help() string { return helpText("schema") }

// Run prints the schema.
func (c *schemaCmd) Run(to std) error { return usage(c.Print(to.out)) }
