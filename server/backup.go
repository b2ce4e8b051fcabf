package server

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"
	"time"

	"github.com/truestep-io/truestep/chatlog"
	"github.com/truestep-io/truestep/console"
	"github.com/truestep-io/truestep/gateway/rs"
	"github.com/truestep-io/truestep/gateway/web"
	"github.com/truestep-io/truestep/history"
	"github.com/truestep-io/truestep/internal/terminal"
	"github.com/truestep-io/truestep/journal"
	"github.com/truestep-io/truestep/store"
	"github.com/truestep-io/truestep/store/sqlite"
)

// BackupFiles returns the names of the files of a data folder that a backup contains in addition to the database. They always
// include the history file. A server may be writing that file, so its last record may be incomplete in the backup; readers skip
// such a record. If keys is set, the files include the keys of doors and guests, and the operators' tokens and logins. If
// withJournal is set, they include the journal, and if withChat is set, the chat log.
func BackupFiles(keys, withJournal, withChat bool) (files []string) {
	files = append(files, history.FileName)
	if keys {
		files = append(files, rs.KeyFile, rs.PublicFile, web.KeyFile, console.TokensFile, console.LoginsFile)
	}
	if withJournal {
		files = append(files, journal.FileName)
	}
	if withChat {
		files = append(files, chatlog.FileName)
	}
	return files
}

// Backup is the command that writes a backup of a data folder to one file. A server may be using the folder meanwhile.
type Backup struct {
	File    string `arg:"" help:"File to write."`
	DataDir string `help:"Folder of the server's data; default ./truestep-data." default:"./truestep-data" placeholder:"DIR"`
	StoreConfig
	Replace bool `help:"Replace the file if it exists."`
	Keys    bool `help:"Include keys, operators and their logins; on unless --no-keys is given." default:"true" negatable:""`
	Journal bool `help:"Include the journal: corrections and the audit; on unless --no-journal is given." default:"true" negatable:""`
	Chat    bool `help:"Include the chat log; on unless --no-chat is given." default:"true" negatable:""`
	Tape    bool `help:"Include the tape, to look at the past; on unless --no-tape is given." default:"true" negatable:""`
}

// Write writes the backup and prints a summary of its content to out. If the parameter progress is a terminal, Write reports
// there how far the backup is.
func (c *Backup) Write(ctx context.Context, out, progress io.Writer) error {
	if err := c.StoreConfig.Check(); err != nil {
		return fmt.Errorf("backup: %w", err)
	}
	o := sqlite.BackupOptions{Replace: c.Replace, Report: showProgress(progress, time.Now), Files: BackupFiles(c.Keys, c.Journal, c.Chat), Tape: c.Tape}
	sum, err := backUp(ctx, c.DataDir, c.StoreConfig, c.File, o, showRows(progress, time.Now))
	switch {
	case errors.Is(err, context.Canceled):
		return errors.New("backup: interrupted; nothing was written")
	case errors.Is(err, sqlite.ErrExists):
		err = fmt.Errorf("backup: %w: name another file, or replace it with --replace", err)
	case errors.Is(err, os.ErrNotExist):
		if dir := filepath.Dir(c.File); !isFolder(dir) {
			return fmt.Errorf("backup: there is no folder %s: create it, or name a file in another one", dir)
		}
		err = fmt.Errorf("%w: name the folder of the server's data with --data-dir DIR", err)
	}
	if err == nil {
		what := "backup of " + c.DataDir
		if c.Store != "" {
			what += " and " + c.Store.String()
		}
		printSummary(out, what, c.File, sum)
	}
	return err
}

func isFolder(path string) bool {
	info, err := os.Stat(path)
	return err == nil && info.IsDir()
}

// showProgress returns a function that prints the progress of a backup once a second, or nil if the parameter to is not a
// terminal.
func showProgress(to io.Writer, now func() time.Time) sqlite.Progress {
	if !terminal.IsTerminal(to) {
		return nil
	}
	next := now().Add(time.Second)
	return func(done, total int) {
		if at := now(); at.After(next) {
			next = at.Add(time.Second)
			fmt.Fprintf(to, "backup: %d of %d pages\n", done, total)
		}
	}
}

// printSummary prints what a backup or restored database contains. The parameter what is the beginning of the first line.
func printSummary(out io.Writer, what, file string, sum *sqlite.Summary) {
	at := "an older version"
	if sum.Commit > 0 {
		at = fmt.Sprintf("commit %d at %s", sum.Commit, sum.At.Format(time.DateTime+" UTC"))
	}
	fmt.Fprintf(out, "%s, verified: %s and %s of %s\n", what, terminal.Count(int(sum.Accounts), "account"), terminal.Count(int(sum.Characters), "character"), at)
	if names := backupContents(sum); len(names) > 0 {
		fmt.Fprintf(out, "with %s\n", strings.Join(names, ", "))
	}
	fmt.Fprintf(out, "%s: %d bytes, sha256 %s\n", file, sum.Bytes, sum.SHA256)
}

// backupContents returns the texts that list what a backup contains besides the database: the name of each file, and one entry with
// the number and size of the files of the tape.
func backupContents(sum *sqlite.Summary) (names []string) {
	segments, bytes := 0, int64(0)
	for _, f := range sum.Files {
		if strings.HasPrefix(f.Name, sqlite.TapeFolder+"/") {
			segments, bytes = segments+1, bytes+f.Bytes
		} else {
			names = append(names, f.Name)
		}
	}
	if segments > 0 {
		names = append(names, fmt.Sprintf("the tape (%s, %d bytes)", terminal.Count(segments, "file"), bytes))
	}
	return names
}

// Restore is the command that writes the content of a backup file to a data folder.
type Restore struct {
	File    string `arg:"" help:"Backup made by truestep backup, or unsaved-*.jsonl of a server that could not save."`
	DataDir string `help:"Folder of the server's data, made if missing; default ./truestep-data." default:"./truestep-data" placeholder:"DIR"`
	StoreConfig
	Replace bool `help:"Replace what is there; its files are set aside."`
}

// Bring restores the backup and prints a summary of its content.
func (c *Restore) Bring(ctx context.Context, out io.Writer) error {
	if err := c.StoreConfig.Check(); err != nil {
		return fmt.Errorf("restore: %w", err)
	}
	to := c.DataDir
	if c.Store != "" {
		to += " and " + c.Store.String()
	}
	stored, skipped, err := restoreRecords(ctx, c.File, c.DataDir, c.StoreConfig)
	if err == nil {
		for _, why := range skipped {
			fmt.Fprintf(out, "skipped: %s\n", why)
		}
		fmt.Fprintf(out, "restored %s from %s to %s\n", terminal.Count(stored, "player record"), c.File, to)
		return nil
	}
	if !errors.Is(err, store.ErrNotFound) {
		return fmt.Errorf("restore: %w", err)
	}
	sum, aside, err := restore(ctx, c.File, c.DataDir, c.StoreConfig, c.Replace)
	switch {
	case errors.Is(err, store.ErrNotEmpty):
		return fmt.Errorf("%w; replace them with --replace", err)
	case errors.Is(err, sqlite.ErrExists):
		return fmt.Errorf("restore: %w; replace the file with --replace, which moves the old one aside, or choose another folder with --data-dir DIR", err)
	case errors.Is(err, sqlite.ErrIncomplete):
		return fmt.Errorf("restore: %w; restore a file that truestep backup FILE has written", err)
	case err != nil:
		return fmt.Errorf("restore: %w", err)
	}
	printSummary(out, "restored to "+to, c.File, sum)
	if sum.Tape != "" {
		fmt.Fprintf(out, "the tape of the backup is in %s: step it with truestep tape verify\n", sum.Tape)
	}
	if aside != "" {
		fmt.Fprintf(out, "the files that were there are in %s\n", aside)
	}
	return nil
}

// describeBackup describes the content of a backup for a log line.
func describeBackup(sum *sqlite.Summary) string {
	return cmp.Or(strings.Join(backupContents(sum), ", "), "the database only")
}
