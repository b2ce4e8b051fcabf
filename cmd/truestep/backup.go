package main

import (
	"context"
	"os"
	"os/signal"
	"syscall"

	"github.com/truestep-io/truestep/server"
)

// backupCmd copies the data folder of a server, which may be running.
type backupCmd struct{ server.Backup }

// Help returns the text that is printed below the flags of the command.
func (backupCmd) Help() string { return helpText("backup") }

// Run writes the backup and prints what it contains.
func (c *backupCmd) Run(to std) error {
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	defer stop()
	return usage(c.Write(ctx, to.out, to.err))
}

// restoreCmd restores a backup into a data folder.
type restoreCmd struct{ server.Restore }

// Help returns the text that is printed below the flags of the command.
func (restoreCmd) Help() string { return helpText("restore") }

// Run restores the backup and prints what it contains.
func (c *restoreCmd) Run(to std) error { return usage(c.Bring(context.Background(), to.out)) }
