package postgres

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"time"

	"github.com/truestep-io/truestep/store"
	"github.com/truestep-io/truestep/store/ledger"
	"github.com/truestep-io/truestep/telemetry"
)

// ErrLoss means that the database lacks commits that are recorded in the ledger of the data folder.
var ErrLoss = errors.New("stored data is missing from the database")

// HasLedger reports whether a data folder has a ledger, that is, belongs to a PostgreSQL database.
func HasLedger(dir string) bool {
	_, err := os.Stat(filepath.Join(dir, LedgerName))
	return err == nil
}

// SetLedgerAside renames the ledger of a data folder. The folder then belongs to no PostgreSQL database.
func SetLedgerAside(dir string) error {
	return os.Rename(filepath.Join(dir, LedgerName), filepath.Join(dir, LedgerName+".old"))
}

// checkLedger compares the database with the ledger of the data folder and sets s.fitsTape; see also checkJoined. The parameter
// version is the schema version of the database, 0 if it has no tables. If commits are missing and the operator has not accepted
// the loss, checkLedger returns an error and changes nothing.
func (s *Store) checkLedger(ctx context.Context, version int64) error {
	path := filepath.Join(s.dir, LedgerName)
	had, damaged, err := ledger.Read(path)
	if err != nil {
		return err
	}
	if damaged > 0 {
		s.log.Warn("the commit ledger of the database is damaged; commits after its newest intact line cannot be checked", telemetry.FieldFile, path, "damaged_lines", damaged)
	}
	has := &ledger.Commit{}
	if version > 0 {
		if has, err = readState(ctx, s.owner.conn); err != nil {
			return err
		}
	}
	s.fitsTape = had == nil && has.Run == 0 || had != nil && had.ID == has.ID && had.Run == has.Run
	switch {
	case had == nil || had.ID == has.ID && had.Generation <= has.Generation:
		return nil
	case !s.acceptLoss:
		return s.lossError(had, has)
	}
	s.log.Warn("stored data is missing; the loss was accepted, and the old ledger was kept", telemetry.FieldFile, path+".old",
		telemetry.FieldReason, whyLost(had, has), "loss", counts(had, has))
	return SetLedgerAside(s.dir)
}

// checkJoined sets s.fitsTape to false if nodes of a cluster have used the database since the last process that had it for itself alone (see
// MarkLinked), or if a process without ContinuesTape found then that the tape does not fit. It is called after migrate and before begin.
func (s *Store) checkJoined(ctx context.Context) error {
	var joined bool
	err := s.owner.conn.QueryRow(ctx, `SELECT joined >= run FROM store`).Scan(&joined)
	s.fitsTape = s.fitsTape && !joined
	return err
}

func (s *Store) lossError(had, has *ledger.Commit) error {
	return fmt.Errorf("%s: %w: %w: %s (%s); change --store if it names the wrong database; restore the newer database if an older copy has replaced it; "+
		"or start once with --accept-loss to continue without the lost data", s.where, store.ErrCorrupt, ErrLoss, whyLost(had, has), counts(had, has))
}

func whyLost(had, has *ledger.Commit) string {
	switch {
	case has.ID == "":
		return "the database is empty, although the ledger in the data folder lists commits"
	case had.ID != has.ID:
		return "the database is not the one with which the data folder was used before, or its content was replaced"
	}
	return "the database is older than the ledger of the data folder: an old copy was restored, or a standby took over that had not received everything"
}

// counts describes a loss for a message: the numbers of missing commits, and of the accounts and characters before and after the
// loss. The parameter had is the newest commit of the ledger. The parameter has is the newest commit of the database.
func counts(had, has *ledger.Commit) string {
	if had.ID != has.ID {
		return fmt.Sprintf("this database has %d accounts and %d characters; the one that the ledger belongs to had %d and %d at %s", has.Accounts, has.Characters, had.Accounts, had.Characters, had.At())
	}
	return fmt.Sprintf("%d commits are missing, the last of %s; %d of %d accounts and %d of %d characters are left",
		had.Generation-has.Generation, had.At(), has.Accounts, had.Accounts, has.Characters, had.Characters)
}

// readState returns the newest commit of the database.
func readState(ctx context.Context, db querier) (*ledger.Commit, error) {
	c := &ledger.Commit{}
	var at time.Time
	err := db.QueryRow(ctx, `SELECT id, run, commits, committed, accounts, characters FROM store`).
		Scan(&c.ID, &c.Run, &c.Generation, &at, &c.Accounts, &c.Characters)
	c.CommittedMS = at.UnixMilli()
	return c, err
}

// createLedger creates a new ledger that contains the newest commit of the database.
func (s *Store) createLedger(ctx context.Context) error {
	if err := os.MkdirAll(s.dir, 0o700); err != nil {
		return fmt.Errorf("create the data directory: %w", err)
	}
	now, err := readState(ctx, s.owner.conn)
	if err != nil {
		return err
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	s.ledger, err = ledger.Create(filepath.Join(s.dir, LedgerName), now)
	s.entered = now.Generation
	return err
}

// enter writes a commit to the ledger, unless the ledger already has a later one. It returns no error, because the
// commit is already made; it logs the first of consecutive errors.
func (s *Store) enter(now *ledger.Commit) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.ledger == nil || now.Generation <= s.entered {
		return
	}
	err := s.ledger.Append(now)
	if err == nil {
		s.entered = now.Generation
	}
	file := filepath.Join(s.dir, LedgerName)
	if err != nil && s.ledgerFailure == nil {
		s.log.Error("cannot write the commit ledger of the database; a loss of stored data might not be detected", telemetry.FieldFile, file, telemetry.FieldErr, err)
	} else if err == nil && s.ledgerFailure != nil {
		s.log.Info("the commit ledger of the database is written again", telemetry.FieldFile, file)
	}
	s.ledgerFailure = s.ledgerFailure.Next("LEDGER NOT WRITTEN", err, time.Now())
	if s.metrics != nil {
		s.metrics.LedgerFailing.Set(map[bool]int{true: 1}[err != nil])
	}
}
