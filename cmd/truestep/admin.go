package main

import "github.com/truestep-io/truestep/console/adminclient"

// adminCmd acts as an operator on a running server, through its console.
type adminCmd struct{ adminclient.Commands }

// Help implements kong.HelpProvider.
func (adminCmd) Help() string { return helpText("admin") }
