package main

import (
	"context"
	"errors"
	"fmt"
	"os"
	"os/signal"
	"strings"
	"syscall"
	"time"

	"github.com/truestep-io/truestep/internal/terminal"
	"github.com/truestep-io/truestep/server"
	"github.com/truestep-io/truestep/store"
	"github.com/truestep-io/truestep/store/sqlite"
)

// backupCmd copies the data of a server, which may be running.
type backupCmd struct {
	File    string `arg:"" help:"File to write."`
	DataDir string `help:"Folder of the server's data; default ./truestep-data." default:"./truestep-data" placeholder:"DIR"`
	Replace bool   `help:"Replace the file if it exists."`
	Keys    bool   `help:"Include rs-key.pem, rs-public.txt, web.key, operators.json and logins.json; on unless --no-keys is given." default:"true" negatable:""`
	Journal bool   `help:"Include the journal: corrections and the audit."`
}

// Help implements kong.HelpProvider.
func (backupCmd) Help() string { return helpText("backup") }

// Run writes the backup and prints what it contains.
func (c *backupCmd) Run(to std) error {
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	defer stop()
	o := sqlite.BackupOptions{Replace: c.Replace, Report: showProgress(to, time.Now), Files: server.BackupFiles(c.Keys, c.Journal)}
	sum, err := sqlite.Backup(ctx, c.DataDir, c.File, o)
	switch {
	case errors.Is(err, context.Canceled):
		return errors.New("backup: interrupted; nothing was written")
	case errors.Is(err, sqlite.ErrExists):
		err = fmt.Errorf("backup: %w: name another file, or replace it with --replace", err)
	case errors.Is(err, os.ErrNotExist):
		err = fmt.Errorf("%w: name the folder of the server's data with --data-dir DIR", err)
	}
	if err != nil {
		return usage(err)
	}
	printSummary(to, "backup of "+c.DataDir, c.File, sum)
	return nil
}

// showProgress prints the share that is done on a terminal, once a second.
func showProgress(to std, now func() time.Time) sqlite.Progress {
	if !terminal.IsTerminal(to.err) {
		return nil
	}
	next := now().Add(time.Second)
	return func(done, total int) {
		if at := now(); at.After(next) {
			next = at.Add(time.Second)
			fmt.Fprintf(to.err, "backup: %d of %d pages\n", done, total)
		}
	}
}

// printSummary prints what a verified database file contains.
func printSummary(to std, what, file string, sum *sqlite.Summary) {
	at := "an older version"
	if sum.Commit > 0 {
		at = fmt.Sprintf("commit %d at %s", sum.Commit, sum.At.Format(time.DateTime+" UTC"))
	}
	fmt.Fprintf(to.out, "%s, verified: %s and %s of %s\n", what, terminal.Count(int(sum.Accounts), "account"), terminal.Count(int(sum.Characters), "character"), at)
	if len(sum.Files) > 0 {
		var names []string
		for _, f := range sum.Files {
			names = append(names, f.Name)
		}
		fmt.Fprintf(to.out, "with %s\n", strings.Join(names, ", "))
	}
	fmt.Fprintf(to.out, "%s: %d bytes, sha256 %s\n", file, sum.Bytes, sum.SHA256)
}

// restoreCmd restores a backup.
type restoreCmd struct {
	File    string `arg:"" help:"Backup made by truestep backup, or unsaved-*.jsonl of a server that could not save."`
	DataDir string `help:"Folder of the server's data, made if missing; default ./truestep-data." default:"./truestep-data" placeholder:"DIR"`
	Replace bool   `help:"Replace what is there; its files are set aside."`
}

// Help implements kong.HelpProvider.
func (restoreCmd) Help() string { return helpText("restore") }

// Run restores the backup and prints what it contains.
func (c *restoreCmd) Run(to std) error {
	stored, skipped, err := sqlite.RestoreRecords(context.Background(), c.File, c.DataDir)
	if err == nil {
		for _, why := range skipped {
			fmt.Fprintf(to.out, "skipped: %s\n", why)
		}
		fmt.Fprintf(to.out, "restored %s from %s to %s\n", terminal.Count(stored, "player record"), c.File, c.DataDir)
		return nil
	}
	if !errors.Is(err, store.ErrNotFound) {
		return usage(fmt.Errorf("restore: %w", err))
	}
	sum, aside, err := sqlite.Restore(context.Background(), c.File, c.DataDir, c.Replace)
	switch {
	case errors.Is(err, sqlite.ErrExists):
		err = fmt.Errorf("restore: %w; set it aside and replace it with --replace, or choose another folder with --data-dir DIR", err)
	case errors.Is(err, sqlite.ErrIncomplete):
		err = fmt.Errorf("restore: %w; make backups with truestep backup FILE", err)
	case err != nil:
		err = fmt.Errorf("restore: %w", err)
	}
	if err != nil {
		return usage(err)
	}
	printSummary(to, "restored to "+c.DataDir, c.File, sum)
	if aside != "" {
		fmt.Fprintf(to.out, "the files that were there are in %s\n", aside)
	}
	return nil
}
