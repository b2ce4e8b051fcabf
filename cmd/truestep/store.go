package main

import (
	"context"
	"os"
	"os/signal"
	"syscall"

	"github.com/truestep-io/truestep/server"
)

// storeCmd groups the commands about the store of accounts and characters.
type storeCmd struct {
	Copy storeCopyCmd `cmd:"" help:"Copy all accounts and characters to another store, such as from the data folder to PostgreSQL."`
}

// storeCopyCmd copies all accounts and characters from one store to another.
type storeCopyCmd struct{ server.CopyStore }

// Help returns the text that is printed below the flags of the command.
func (storeCopyCmd) Help() string { return helpText("store-copy") }

// Run copies the store, verifies the copy and prints one line about it.
func (c *storeCopyCmd) Run(to std) error {
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	defer stop()
	return usage(c.CopyStore.Run(ctx, to.out, to.err))
}
