package main

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"os/signal"
	"syscall"

	"github.com/truestep-io/truestep/server"
	"github.com/truestep-io/truestep/session"
)

// importAccountsCmd imports the accounts and characters of a RealmCrafter server into a data folder.
type importAccountsCmd struct {
	RcceProject string `help:"RealmCrafter project (the folder with Server Data) whose Accounts.dat is read." required:"" placeholder:"DIR"`
	DataDir     string `help:"Folder of accounts and characters, made if missing; default ./truestep-data." default:"./truestep-data" placeholder:"DIR"`
	server.StoreConfig
	DryRun bool `help:"Print what would be imported and change nothing."`

	out  io.Writer    // receives the output; os.Stdout if nil
	cost session.Cost // cost of password hashes; session.DefaultCost if zero
}

// Help returns the text that is printed below the flags of the command.
func (importAccountsCmd) Help() string { return helpText("import-accounts") }

// Run imports the accounts and prints a summary.
func (c *importAccountsCmd) Run() error {
	if c.out == nil {
		c.out = os.Stdout
	}
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	defer stop()
	r, err := server.ImportAccounts(ctx, server.ImportConfig{Project: c.RcceProject, DataDir: c.DataDir, StoreConfig: c.StoreConfig, DryRun: c.DryRun, Cost: c.cost})
	if errors.Is(err, context.Canceled) {
		return errors.New("import-accounts: interrupted; nothing was stored")
	}
	if err != nil {
		return usage(err)
	}
	return c.print(&r)
}

// print prints how many accounts and characters were stored, and each skipped one with the reason.
func (c *importAccountsCmd) print(r *server.ImportResult) error {
	verb := "stored"
	if c.DryRun {
		verb = "would store"
	}
	fmt.Fprintf(c.out, "%s: %d of %d accounts and %d of %d characters in %s\n",
		verb, r.Stored.Accounts, r.Accounts, r.Stored.Characters, r.Characters, cmp.Or(c.Store.String(), c.DataDir))
	for _, s := range r.Stored.Skipped {
		what := "account " + s.Account
		if s.Character != "" {
			what += ", character " + s.Character
		}
		fmt.Fprintf(c.out, "skipped: %s: %v\n", what, s.Why)
	}
	for _, w := range r.Warnings {
		if _, err := fmt.Fprintf(c.out, "warning: %v\n", w); err != nil {
			return err
		}
	}
	return nil
}
