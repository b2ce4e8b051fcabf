package adminclient

import (
	"encoding/json"
	"net/url"
	"strconv"
	"strings"
	"time"

	"github.com/truestep-io/truestep/internal/duration"
)

// Chat is the command "truestep admin chat", which searches the chat log of the server.
type Chat struct {
	Words    []string `arg:"" optional:"" help:"Words, or beginnings of words, that the lines contain. Words in quotation marks within one argument must follow each other."`
	Who      string   `help:"Account or character of the speaker or the recipient." placeholder:"NAME"`
	Account  string   `help:"Account of the speaker or the recipient." placeholder:"NAME"`
	Area     string   `help:"Name of the area." placeholder:"NAME"`
	Channel  string   `help:"Only area, announcement or message." placeholder:"NAME" enum:",area,announcement,message" default:""`
	Withheld bool     `help:"Only lines that no player was shown: of muted players, or above a rate limit."`
	Since    string   `help:"Only lines after this: a period such as 2h or 7d, or a time such as 2026-01-02T15:04:05Z." placeholder:"TIME"`
	Until    string   `help:"Only lines before this." placeholder:"TIME"`
	// Before selects the chat lines that are older than the line with this number; in a cluster it has such a number for each node.
	// "" selects all lines, from the newest on.
	Before string `help:"Continue with older lines than this one, which the end of the previous page names." placeholder:"LINE"`
	Limit  int    `help:"How many lines, 1 to 1000." default:"50"`
}

// query converts the flags to the query string of GET /chat. A flag with a period, such as 2h, becomes the time that long before
// now.
func (s *Chat) query(now time.Time) (string, error) {
	q := url.Values{}
	set := func(key, value string) {
		if value != "" {
			q.Set(key, value)
		}
	}
	set("q", strings.Join(s.Words, " "))
	set("who", s.Who)
	set("account", s.Account)
	set("area", s.Area)
	set("channel", s.Channel)
	if s.Withheld {
		set("withheld", "true")
	}
	for key, text := range map[string]string{"since": s.Since, "until": s.Until} {
		if text == "" {
			continue
		}
		at, err := time.Parse(time.RFC3339, text)
		if err != nil {
			ago, err := duration.Parse(text)
			if err != nil || ago < 0 {
				return "", problem("--%s %q: give a period such as 2h or 7d, or a time such as 2026-01-02T15:04:05Z", key, text)
			}
			at = now.Add(-ago)
		}
		set(key, strconv.FormatInt(max(at.UnixMilli(), 0), 10))
	}
	set("before", s.Before)
	set("limit", strconv.Itoa(s.Limit))
	return q.Encode(), nil
}

// chatLine is one line of the chat log, as GET /chat returns it.
type chatLine struct {
	ID                  int64     // number of the line in the chat log
	At                  time.Time // when the line was written
	Channel             string    // "area", "announcement" or "message"
	Area                string    // name of the area; "" for an announcement to all areas
	Account, Player     string    // account and name of the player who wrote the line; "" if an operator wrote it
	Operator            string    // operator who wrote the line; "" if a player wrote it
	ToAccount, ToPlayer string    // recipient of a message
	Told                int       // number of players that an announcement was sent to
	Text                string    // the line
	Withheld            string    // why no player was shown the line; "" if it was shown
}

// speaker returns as text who wrote a chat line. If an operator wrote it, the text also says who received it: the player, or the
// number of players that an announcement was sent to.
func (l *chatLine) speaker() string {
	switch l.Channel {
	case "announcement":
		return l.Operator + " to " + strconv.Itoa(l.Told)
	case "message":
		return l.Operator + " to " + nameAndAccount(l.ToPlayer, l.ToAccount)
	}
	return nameAndAccount(l.Player, l.Account)
}

// nameAndAccount returns the name of a character, followed by its account in parentheses. If both have the same name, the account
// is left out.
func nameAndAccount(player, account string) string {
	switch {
	case player == "":
		return account
	case account == "" || strings.EqualFold(player, account):
		return player
	}
	return player + " (" + account + ")"
}

// Run prints the matching lines, newest first.
func (s *Chat) Run(a *Access, to Output) error {
	query, err := s.query(time.Now())
	if err != nil {
		return err
	}
	return list(a, to, "/chat?"+query, func(c *client, b *struct {
		Lines   []chatLine
		Next    json.RawMessage // cursor of the next page: a number, or in a cluster a string; null on the last page
		Retain  string
		Missing []string // nodes of the cluster whose lines are missing
	}) error {
		if len(b.Missing) > 0 {
			if err := c.say("without the lines of these nodes, from which no answer came: %s", strings.Join(b.Missing, ", ")); err != nil {
				return err
			}
		}
		if len(b.Lines) == 0 {
			return c.say("no such line; chat is kept for %s", b.Retain)
		}
		var cells [][]string
		for i := range b.Lines {
			l := &b.Lines[i]
			text := l.Text
			if l.Withheld != "" {
				text += " (withheld: " + strings.ReplaceAll(l.Withheld, "_", " ") + ")"
			}
			area := l.Area
			if area == "" {
				area = "everywhere"
			}
			cells = append(cells, []string{when(&l.At, ""), area, l.speaker(), text})
		}
		next := strings.Trim(string(b.Next), `"`)
		if err := c.table("TIME AREA SPEAKER TEXT", cells); err != nil || next == "" || next == "null" {
			return err
		}
		return c.say("more with --before %s", next)
	})
}
