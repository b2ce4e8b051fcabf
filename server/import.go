package server

import (
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"

	"github.com/truestep-io/truestep/content"
	"github.com/truestep-io/truestep/session"
	"github.com/truestep-io/truestep/store"
	"github.com/truestep-io/truestep/store/sqlite"
)

// ImportConfig says which accounts are imported.
type ImportConfig struct {
	Project string       // folder of a RealmCrafter project with Server Data/Accounts.dat
	DataDir string       // data folder of a server that is not running; created if missing
	DryRun  bool         // change nothing
	Cost    session.Cost // cost of hashing the passwords; zero: session.DefaultCost
}

// ImportResult is what an import has found and stored.
type ImportResult struct {
	Accounts, Characters int // numbers found in the project
	Stored               store.Imported
	Warnings             []content.Warning
}

// importRules stand in for rules of the operator's. A project whose combat runs a script is refused without them, but
// reading accounts needs no combat.
const (
	importRules     = "[rules.combat]\nformula = 1\n"
	importRulesName = "import-accounts"
)

// ImportAccounts stores the accounts and characters of a RealmCrafter project in a data folder. Those that are there
// already stay as they are. If ctx ends, nothing is stored.
func ImportAccounts(ctx context.Context, cfg ImportConfig) (r ImportResult, err error) {
	accounts, warnings, err := readAccounts(cfg.Project)
	if err != nil {
		return r, err
	}
	r.Accounts, r.Warnings = len(accounts), warnings
	for i := range accounts {
		r.Characters += len(accounts[i].Characters)
	}
	if cfg.Cost == (session.Cost{}) {
		cfg.Cost = session.DefaultCost
	}
	if !cfg.DryRun {
		r.Stored, err = importInto(ctx, cfg.DataDir, accounts, cfg.Cost)
		return r, err
	}
	copied, err := os.MkdirTemp("", "truestep-import-")
	if err != nil {
		return r, err
	}
	defer func() { err = errors.Join(err, os.RemoveAll(copied)) }()
	if err := copyStore(ctx, copied, cfg.DataDir); err != nil {
		return r, err
	}
	cheap := session.Cost{MemoryKiB: 8, Passes: 1, Threads: 1} // the hashes are deleted with the copy
	r.Stored, err = importInto(ctx, copied, accounts, cheap)
	return r, err
}

// readAccounts reads the project and its accounts.
func readAccounts(dir string) ([]content.Account, []content.Warning, error) {
	project := os.DirFS(dir)
	b, err := content.AccountsFile(project)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, nil, fmt.Errorf("import-accounts: %s has no Server Data/Accounts.dat: copy it from the server that your players used", dir)
	}
	if err != nil {
		return nil, nil, PrefixProblems(err, dir, importRulesName)
	}
	p, _, err := content.LoadProject(project, content.ProjectOptions{Rules: []byte(importRules), RulesName: importRulesName})
	if err != nil {
		return nil, nil, PrefixProblems(err, dir, importRulesName)
	}
	return content.ReadAccounts(b, p.World)
}

func importInto(ctx context.Context, dir string, accounts []content.Account, cost session.Cost) (done store.Imported, err error) {
	st, err := sqlite.Open(ctx, dir)
	if err != nil {
		return done, err
	}
	defer func() { err = errors.Join(err, st.Close()) }()
	return session.Import(ctx, st, importRecords(accounts), cost)
}

// copyStore copies the database of a data folder, if there is one. Opening it first fails if a server uses it, and
// closing it merges its write-ahead log into the one file.
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

// importRecords are accounts as a store takes them. A secret of a kind that cannot be checked is dropped.
func importRecords(accounts []content.Account) []store.Import {
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
