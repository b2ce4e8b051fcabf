package adminclient

import (
	"encoding/json"
	"fmt"
	"strings"
	"time"

	"github.com/truestep-io/truestep/internal/terminal"
)

// printJSON prints a response of the server on one line. Control characters are escaped.
func (c *client) printJSON(answer json.RawMessage) error {
	return terminal.WriteJSON(c.to.Out, answer)
}

// list requests a list from the server and prints it: as JSON if --json is given, otherwise by the function show.
func list[T any](a *Access, to Output, path string, show func(*client, *T) error) error {
	c, err := a.connect(to)
	if err != nil {
		return err
	}
	return askAndShow(c, "GET", path, nil, func(answer *T) error { return show(c, answer) })
}

// askAndShow calls the API and prints the response: as JSON if --json is given, otherwise by the function show.
func askAndShow[T any](c *client, method, path string, body any, show func(*T) error) error {
	var raw json.RawMessage
	if err := c.ask(method, path, body, &raw); err != nil {
		return err
	}
	if c.json {
		return c.printJSON(raw)
	}
	var answer T
	if err := json.Unmarshal(raw, &answer); err != nil {
		return fmt.Errorf("%s sent a response that cannot be decoded: %w", c.server, err)
	}
	return show(&answer)
}

// table prints a table. The text titles has the titles of all columns, separated by spaces. Control characters in cells are
// escaped.
func (c *client) table(titles string, rows [][]string) error {
	var columns []terminal.Column
	for t := range strings.FieldsSeq(titles) {
		columns = append(columns, terminal.Column{Title: t})
	}
	for _, row := range rows {
		for i := range row {
			row[i] = terminal.Printable(row[i])
		}
	}
	for _, line := range terminal.Table(columns, rows) {
		if _, err := fmt.Fprintln(c.to.Out, line); err != nil {
			return err
		}
	}
	return nil
}

// say prints a line of text. Control characters are escaped.
func (c *client) say(format string, args ...any) error {
	_, err := fmt.Fprintln(c.to.Out, terminal.Printable(fmt.Sprintf(format, args...)))
	return err
}

// when returns a time as text in the local time zone. If the pointer t is nil, it returns the text other.
func when(t *time.Time, other string) string {
	if t == nil {
		return other
	}
	return t.Local().Format(time.DateTime)
}

// text returns *s, or "" if s is nil.
func text(s *string) string {
	if s == nil {
		return ""
	}
	return *s
}
