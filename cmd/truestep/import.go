package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"os/signal"
	"path/filepath"
	"syscall"

	"github.com/truestep-io/truestep/content"
	"github.com/truestep-io/truestep/server"
	"github.com/truestep-io/truestep/session"
	"github.com/truestep-io/truestep/store"
	"github.com/truestep-io/truestep/store/sqlite"
)

// importAccountsCmd takes the accounts and characters of a RealmCrafter server over into a data folder.
type importAccountsCmd struct {
	RcceProject string `help:"RealmCrafter project (the folder with Server Data) whose Accounts.dat is read." required:"" placeholder:"DIR"`
	DataDir     string `help:"Folder of accounts and characters, made if missing; default ./truestep-data." default:"./truestep-data" placeholder:"DIR"`
	DryRun      bool   `help:"Say what would be taken over, and change nothing."`

	out  io.Writer    // os.Stdout if nil
	cost session.Cost // session.DefaultCost if zero
}

// Help is what import-accounts --help adds to the flags.
func (importAccountsCmd) Help() string {
	return `Example:
  truestep import-accounts --rcce-project ./MyGame/data --dry-run

Players keep their names and passwords. What is in the data folder already is left as it is, so the command may be
run again. Stop the server that uses the data folder first.`
}

// Run imports and prints a summary.
func (c *importAccountsCmd) Run() error {
	if c.out == nil {
		c.out = os.Stdout
	}
	if c.cost == (session.Cost{}) {
		c.cost = session.DefaultCost
	}
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	defer stop()
	accounts, warnings, err := c.read()
	if err != nil {
		return usage(err)
	}
	done, err := c.take(ctx, accounts)
	if errors.Is(err, context.Canceled) {
		return errors.New("import-accounts: interrupted; nothing was stored")
	}
	if err != nil {
		return usage(err)
	}
	return c.report(accounts, done, warnings)
}

// noScript is a rule for projects whose fights run a script of theirs: serve refuses those without rules of the
// operator's, but nobody fights while accounts are read.
const (
	noScript     = "[rules.combat]\nformula = 1\n"
	noScriptName = "import-accounts"
)

// read reads the project and its accounts.
func (c *importAccountsCmd) read() ([]content.Account, []content.Warning, error) {
	project := os.DirFS(c.RcceProject)
	b, err := content.AccountsFile(project)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, nil, fmt.Errorf("import-accounts: %s has no Server Data/Accounts.dat: copy it from the server that your players used", c.RcceProject)
	}
	if err != nil {
		return nil, nil, server.PrefixProblems(err, c.RcceProject, noScriptName)
	}
	p, _, err := content.LoadProject(project, content.ProjectOptions{Rules: []byte(noScript), RulesName: noScriptName})
	if err != nil {
		return nil, nil, server.PrefixProblems(err, c.RcceProject, noScriptName)
	}
	return content.ReadAccounts(b, p.World)
}

// take stores the accounts, or with DryRun stores them in a copy that is thrown away.
func (c *importAccountsCmd) take(ctx context.Context, accounts []content.Account) (done store.Imported, err error) {
	dir, cost := c.DataDir, c.cost
	if c.DryRun {
		cost = session.Cost{MemoryKiB: 8, Passes: 1, Threads: 1} // nobody will log in with these
		if dir, err = os.MkdirTemp("", "truestep-import-"); err != nil {
			return done, err
		}
		defer func() { err = errors.Join(err, os.RemoveAll(dir)) }()
		if err := copyStore(ctx, dir, c.DataDir); err != nil {
			return done, err
		}
	}
	st, err := sqlite.Open(ctx, dir)
	if err != nil {
		return done, err
	}
	defer func() { err = errors.Join(err, st.Close()) }()
	return session.Import(ctx, st, batchOf(accounts), cost)
}

// copyStore copies the database of a data folder, if there is one. Opening it first says whether a server uses it, and
// closing it brings everything into the one file.
func copyStore(ctx context.Context, to, from string) error {
	file := filepath.Join(from, sqlite.FileName)
	if _, err := os.Stat(file); errors.Is(err, fs.ErrNotExist) {
		return nil
	}
	st, err := sqlite.Open(ctx, from)
	if err != nil {
		return err
	}
	if err := st.Close(); err != nil {
		return err
	}
	src, err := os.Open(file)
	if err != nil {
		return err
	}
	defer src.Close()
	dst, err := os.OpenFile(filepath.Join(to, sqlite.FileName), os.O_WRONLY|os.O_CREATE|os.O_EXCL, 0o600)
	if err != nil {
		return err
	}
	_, err = io.Copy(dst, src)
	return errors.Join(err, dst.Close())
}

// batchOf turns accounts into what a store takes. A secret that nothing can check is not kept.
func batchOf(accounts []content.Account) []store.Import {
	var batch []store.Import
	for i := range accounts {
		a := &accounts[i]
		in := store.Import{
			Account:    store.Account{Name: a.Name, Secret: a.Secret, Email: a.Email, GM: a.GM, Banned: a.Banned, Ignore: a.Ignore},
			Characters: a.Characters,
		}
		if a.Kind == content.SecretNone {
			in.Account.Secret = ""
		}
		batch = append(batch, in)
	}
	return batch
}

// report prints what was taken and what was not, with the reasons.
func (c *importAccountsCmd) report(accounts []content.Account, done store.Imported, warnings []content.Warning) error {
	characters := 0
	for i := range accounts {
		characters += len(accounts[i].Characters)
	}
	verb := "stored"
	if c.DryRun {
		verb = "would store"
	}
	fmt.Fprintf(c.out, "%s: %d of %d accounts and %d of %d characters in %s\n",
		verb, done.Accounts, len(accounts), done.Characters, characters, c.DataDir)
	for _, s := range done.Skipped {
		what := "account " + content.Display(s.Account)
		if s.Character != "" {
			what += ", character " + content.Display(s.Character)
		}
		fmt.Fprintf(c.out, "skipped: %s: %v\n", what, s.Why)
	}
	for _, w := range warnings {
		if _, err := fmt.Fprintf(c.out, "warning: %v\n", w); err != nil {
			return err
		}
	}
	return nil
}
