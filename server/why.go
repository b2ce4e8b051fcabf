package server

import (
	"context"
	"errors"
	"fmt"
	"path/filepath"
	"slices"
	"time"

	"github.com/truestep-io/truestep/content"
	"github.com/truestep-io/truestep/gateway"
	"github.com/truestep-io/truestep/internal/terminal"
	"github.com/truestep-io/truestep/journal"
	"github.com/truestep-io/truestep/sim/reason"
)

// Why is the command that selects holds, corrections, refusals and hits by lag compensation from the journal of a data folder. A server
// may be using the folder.
type Why struct {
	Player   string   `arg:"" optional:"" help:"Name of a player; case does not matter. Without one, all players."`
	Since    string   `help:"Only entries since then: how long ago (10m, 2h, 3d) or when (15:04, 2026-01-31, '2026-01-31 15:04')." placeholder:"TIME"`
	Until    string   `help:"Only entries before then, written in the same way." placeholder:"TIME"`
	Reason   []string `help:"Only these reasons, such as too_fast,mispredicted." placeholder:"NAME"`
	Verdict  []string `help:"Only these verdicts: held, corrected, refused, hit. Without a player, hits are left out unless a verdict or reason is given." placeholder:"NAME"`
	Area     string   `help:"Only in the area of that name." placeholder:"NAME"`
	Limit    int      `help:"Number of entries at most, the newest." default:"20"`
	ID       int64    `name:"id" help:"Explain this entry instead of the newest." placeholder:"N"`
	HeldBack bool     `help:"List the connections and logins that were held back instead, by network and minute. PLAYER is then an account."`
	JSON     bool     `name:"json" help:"Print JSON instead of text: one object a line for each entry; with --id one object with the events around it."`
	DataDir  string   `help:"Folder of the server's data; default ./truestep-data." default:"./truestep-data" placeholder:"DIR"`
}

// OtherData is the advice at the end of errors about an unusable data folder.
const OtherData = "name the folder of the server's data with --data-dir DIR, and run this as the user of the server"

// Open opens the journal. Its errors tell the operator which folder to name or which version of the program to use.
func (c *Why) Open() (*journal.Reader, error) {
	r, err := journal.OpenReader(filepath.Join(c.DataDir, journal.FileName))
	switch {
	case errors.Is(err, journal.ErrMissing):
		return nil, fmt.Errorf("why: %w; name the folder of a server's data with --data-dir DIR", err)
	case errors.Is(err, journal.ErrVersion):
		return nil, fmt.Errorf("why: %w; use the truestep program of the server that runs with this data folder", err)
	case errors.Is(err, journal.ErrDamaged):
		return nil, fmt.Errorf("why: %w; the server moves the damaged journal aside at its next start and begins a new one", err)
	case err != nil:
		return nil, fmt.Errorf("why: %w", gateway.WithFix(err, OtherData))
	}
	return r, nil
}

// Query converts the flags to a journal query. Its error joins one error for each invalid flag.
func (c *Why) Query(now time.Time) (q journal.Query, err error) {
	var errs []error
	note := func(err error) { errs = append(errs, err) }
	q.Player, q.Area = c.Player, c.Area
	if c.Since != "" {
		if q.Since, err = journal.ParseTime(c.Since, now); err != nil {
			note(fmt.Errorf("--since: %w", err))
		}
	}
	if c.Until != "" {
		if q.Until, err = journal.ParseTime(c.Until, now); err != nil {
			note(fmt.Errorf("--until: %w", err))
		}
	}
	for _, name := range c.Reason {
		why, ok := journal.ParseReason(name)
		if !ok {
			note(fmt.Errorf("--reason %q is not known; %s", name, content.SuggestNames(name, reasonNames())))
		}
		q.Reasons = append(q.Reasons, why)
	}
	for _, name := range c.Verdict {
		v, ok := journal.ParseVerdict(name)
		if !ok {
			note(fmt.Errorf("--verdict %q is not known; give held, corrected, refused or hit", name))
		}
		q.Verdicts = append(q.Verdicts, v)
	}
	if c.withoutHits() {
		q.Verdicts = decisions
	}
	if c.Limit < 1 {
		note(fmt.Errorf("--limit %d: must be 1 or more", c.Limit))
	}
	if c.HeldBack && (c.ID > 0 || len(c.Reason) > 0 || len(c.Verdict) > 0 || c.Area != "") {
		note(errors.New("--held-back lists connections and logins: use it without --id, --reason, --verdict and --area"))
	}
	if c.ID < 0 {
		note(fmt.Errorf("--id %d: must be 1 or more", c.ID))
	}
	if len(errs) == 0 && !q.Since.IsZero() && !q.Until.IsZero() && !q.Since.Before(q.Until) {
		note(fmt.Errorf("--since %s is not before --until %s: nothing can match", c.Since, c.Until))
	}
	return q, errors.Join(errs...)
}

// decisions contains all verdicts except Hit.
var decisions = []journal.Verdict{journal.Held, journal.Corrected, journal.Refused}

// withoutHits reports whether hits by lag compensation are left out, because they would fill a list of all players' entries.
func (c *Why) withoutHits() bool { return c.Player == "" && len(c.Verdict) == 0 && len(c.Reason) == 0 }

func reasonNames() []string {
	var list []string
	for _, r := range reason.All() {
		if r != reason.None {
			list = append(list, r.String())
		}
	}
	slices.Sort(list)
	return list
}

// Nothing returns a sentence that explains an empty result: for example that the journal has no entries about the
// player, or none in the selected time.
func (c *Why) Nothing(ctx context.Context, r *journal.Reader, q journal.Query) (string, error) {
	all := journal.Query{Limit: 1}
	if c.withoutHits() {
		all.Verdicts = decisions
	}
	any, err := r.Entries(ctx, all)
	if err != nil {
		return "", err
	}
	if len(any) == 0 {
		return "nothing was held, corrected or refused yet", nil
	}
	whose := "anybody"
	if c.Player != "" {
		whose = terminal.Printable(c.Player)
		known, err := r.Entries(ctx, journal.Query{Player: c.Player, Limit: 1})
		if err != nil {
			return "", err
		}
		if len(known) == 0 {
			players, err := r.Players(ctx, 10_000)
			return fmt.Sprintf("the journal has nothing about a player %q; %s", whose, terminal.Printable(content.SuggestNames(c.Player, players))), err
		}
	}
	wider := q
	wider.Since, wider.Until, wider.Limit = time.Time{}, time.Time{}, 1
	last, err := r.Entries(ctx, wider)
	if err != nil {
		return "", err
	}
	if len(last) == 0 {
		return fmt.Sprintf("nothing of that kind is in the journal about %s; leave --reason, --verdict and --area out to see the rest", whose), nil
	}
	return fmt.Sprintf("nothing about %s in that time; the last was at %s", whose, last[0].At.Local().Format(time.DateTime)), nil
}
