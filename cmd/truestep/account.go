package main

import "github.com/truestep-io/truestep/server"

// accountCmd groups the commands that show and change stored accounts and characters.
type accountCmd struct{ server.Accounts }

// Help implements kong.HelpProvider.
func (accountCmd) Help() string { return helpText("account") }
