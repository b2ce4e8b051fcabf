package main

import "github.com/truestep-io/truestep/server"

// accountCmd groups the commands that show and change stored accounts and characters.
type accountCmd struct{ server.Accounts }

// Help returns the text that is printed below the flags of the command.
func (accountCmd) Help() string { return helpText("account") }
