package main

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"time"

	"github.com/truestep-io/truestep/internal/terminal"
	"github.com/truestep-io/truestep/journal"
	"github.com/truestep-io/truestep/server"
)

// whyCmd lists and explains journal entries: why players were held, corrected or refused. The server may be running.
type whyCmd struct{ server.Why }

// Help returns the text that is printed below the flags of the command.
func (whyCmd) Help() string { return helpText("why") }

// Run reads the entries from the journal and prints them.
func (c *whyCmd) Run(to std) error {
	q, err := c.Query(time.Now())
	if err != nil {
		return usage(err)
	}
	r, err := c.Open()
	if err != nil {
		return usage(err)
	}
	err = c.answer(context.Background(), to, r, q)
	return usage(errors.Join(err, r.Close()))
}

func (c *whyCmd) answer(ctx context.Context, to std, r *journal.Reader, q journal.Query) error {
	if c.HeldBack {
		return c.heldBack(ctx, to, r, q)
	}
	if c.ID > 0 {
		return c.explain(ctx, to, r, c.ID)
	}
	list, err := r.Latest(ctx, q, c.Limit)
	if err != nil {
		return err
	}
	if len(list) == 0 {
		line, err := c.Nothing(ctx, r, q)
		if err != nil {
			return err
		}
		if c.JSON { // standard output contains only the JSON entries
			_, err = fmt.Fprintln(to.err, line)
		} else {
			_, err = fmt.Fprintln(to.out, strings.Join(terminal.Wrap(line, terminal.Columns), "\n"))
		}
		return err
	}
	if c.JSON {
		return printEntriesJSON(to.out, list)
	}
	if err := printEntries(to.out, list, c.Player == "", time.Now()); err != nil {
		return err
	}
	return c.explain(ctx, to, r, list[0].ID)
}

// explain prints one entry with its explanation and the events around it.
func (c *whyCmd) explain(ctx context.Context, to std, r *journal.Reader, id int64) error {
	e, around, err := r.Entry(ctx, id)
	if errors.Is(err, journal.ErrNotFound) {
		return fmt.Errorf("why: %w; run truestep why without --id to list the newest entries and their numbers", err)
	}
	if err != nil {
		return err
	}
	if c.JSON {
		return terminal.WriteJSON(to.out, struct {
			Entry       journal.Entry         `json:"entry"`
			Sentence    string                `json:"sentence"`
			Explanation string                `json:"explanation"`
			Around      []journal.NearbyEvent `json:"around"`
		}{e, e.Reason.Sentence(), journal.Explain(e), around})
	}
	return printEntry(to.out, e, around)
}
