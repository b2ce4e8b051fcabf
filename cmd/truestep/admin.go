package main

import "github.com/truestep-io/truestep/console/adminclient"

// adminCmd groups the commands that an operator runs on a running server, through the server's console.
type adminCmd struct{ adminclient.Commands }

// Help returns the text that is printed below the flags of the command.
func (adminCmd) Help() string { return helpText("admin") }
