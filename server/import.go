package server

import (
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"log/slog"
	"os"
	"path/filepath"

	"github.com/truestep-io/truestep/content"
	"github.com/truestep-io/truestep/session"
	"github.com/truestep-io/truestep/store"
	"github.com/truestep-io/truestep/store/postgres"
	"github.com/truestep-io/truestep/store/sqlite"
)

// ImportConfig configures an import of accounts.
type ImportConfig struct {
	Project string // folder of a RealmCrafter project with Server Data/Accounts.dat
	DataDir string // data folder of a server that is not running; created if missing
	StoreConfig
	DryRun bool         // report what would be imported without changing anything
	Cost   session.Cost // cost of hashing the passwords; the zero value selects session.DefaultCost
}

// ImportResult holds the numbers of accounts and characters that an import has found and stored, and its warnings.
type ImportResult struct {
	Accounts, Characters int               // numbers of accounts and characters found in the project
	Stored               store.Imported    // numbers of stored accounts and characters, and the skipped ones
	Warnings             []content.Warning // problems of the project's files that did not prevent the import
}

// importRules is the rules file with which a project is loaded to read its accounts, instead of the operator's rules file.
// Without a rules file, a project whose combat is a script would be refused.
const (
	importRules     = "[rules.combat]\nformula = 1\n"
	importRulesName = "import-accounts"
)

// ImportAccounts stores the accounts and characters of a RealmCrafter project in a data folder. It does not change
// accounts and characters that already exist there. If ctx ends, nothing is stored.
func ImportAccounts(ctx context.Context, cfg ImportConfig) (r ImportResult, err error) {
	if err := cfg.StoreConfig.Check(); err != nil {
		return r, err
	}
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
		r.Stored, err = importInto(ctx, cfg.DataDir, cfg.StoreConfig, accounts, cfg.Cost)
		return r, err
	}
	copied, err := os.MkdirTemp("", "truestep-import-")
	if err != nil {
		return r, err
	}
	defer func() { err = errors.Join(err, os.RemoveAll(copied)) }()
	if err := copyStore(ctx, copied, cfg.DataDir, cfg.StoreConfig); err != nil {
		return r, err
	}
	cheap := session.Cost{MemoryKiB: 8, Passes: 1, Threads: 1} // lowest cost, because a dry run deletes the copy with the hashes
	r.Stored, err = importInto(ctx, copied, StoreConfig{}, accounts, cheap)
	return r, err
}

// readAccounts reads the accounts file of a RealmCrafter project, and the tables of the project that the accounts refer to.
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

func importInto(ctx context.Context, dir string, c StoreConfig, accounts []content.Account, cost session.Cost) (done store.Imported, err error) {
	st, err := openStore(ctx, dir, c, storeOptions{})
	if err != nil {
		return done, err
	}
	defer func() { err = errors.Join(err, st.Close()) }()
	return session.Import(ctx, st, importRecords(accounts), cost)
}

// copyStore copies the accounts and characters of a server to the folder newDir: from the PostgreSQL database that c names or, if
// c names none, from the SQLite file of dataDir. If that file is missing, copyStore does nothing. copyStore first opens and
// closes the SQLite file, for two reasons: (1) opening fails if a server uses the file, and (2) closing merges the write-ahead
// log into the file.
func copyStore(ctx context.Context, newDir, dataDir string, c StoreConfig) error {
	if c.Store != "" {
		db, err := postgres.OpenReader(ctx, string(c.Store), false, slog.Default())
		if err != nil {
			return err
		}
		return errors.Join(copyToNew(ctx, db, newDir, nil), db.Close())
	}
	if err := c.CheckFolder(dataDir); err != nil {
		return err
	}
	file := filepath.Join(dataDir, sqlite.FileName)
	if _, err := os.Stat(file); errors.Is(err, fs.ErrNotExist) {
		return nil
	}
	st, err := sqlite.Open(ctx, dataDir)
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
	dst, err := os.OpenFile(filepath.Join(newDir, sqlite.FileName), os.O_WRONLY|os.O_CREATE|os.O_EXCL, 0o600)
	if err != nil {
		return err
	}
	_, err = io.Copy(dst, src)
	return errors.Join(err, dst.Close())
}

// importRecords converts accounts of a project to records of the store. It drops a secret in an unsupported format.
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
