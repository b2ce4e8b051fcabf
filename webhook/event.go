package webhook

import (
	"crypto/rand"
	"encoding/json"
	"slices"
	"strings"
	"time"
	"unicode"
)

// Kind is the type of an event. A receiver selects events by kind.
type Kind string

// Values of Kind.
const (
	ServerUp      Kind = "server_up"      // the server is open for players
	ServerDown    Kind = "server_down"    // the server is stopping
	StopPlanned   Kind = "stop_planned"   // an operator has planned a stop or a restart
	TicksLate     Kind = "ticks_late"     // an area has skipped ticks for minutes because the machine is too slow
	AreaStopped   Kind = "area_stopped"   // an area stopped after an error
	DoorClosed    Kind = "door_closed"    // a door closed while the server runs
	WriteFailed   Kind = "write_failed"   // records, database, ledger, tape, journal or history cannot be written
	BackupFailed  Kind = "backup_failed"  // scheduled backups fail
	LoginFailures Kind = "login_failures" // many logins with wrong passwords for minutes
	Suspicious    Kind = "suspicious"     // many suspicious holds and corrections of one player's movement
	Test          Kind = "test"           // sent by truestep webhook test to every receiver
)

// Kinds lists all kinds that a receiver can select, in the order of the documentation.
var Kinds = []Kind{ServerUp, ServerDown, StopPlanned, TicksLate, AreaStopped, DoorClosed, WriteFailed, BackupFailed, LoginFailures, Suspicious}

func kindList() string {
	words := make([]string, len(Kinds))
	for i, k := range Kinds {
		words[i] = string(k)
	}
	return strings.Join(words, ", ")
}

// State says whether an event is a single occurrence, or the beginning or end of a lasting problem.
type State string

// Values of State.
const (
	Info State = "info" // a single occurrence
	// a problem begins; an event with the same kind and subject and the state Resolved follows when it ends
	Firing   State = "firing"
	Resolved State = "resolved" // the problem has ended
)

// Event is one message to receivers. docs/webhooks.md documents its JSON.
type Event struct {
	ID      string    `json:"id"`      // unique ID, the same in every attempt to send the event; set by Send
	Time    time.Time `json:"time"`    // UTC, in whole milliseconds; Send replaces the zero value by the current time
	Kind    Kind      `json:"event"`   // type of the event
	State   State     `json:"state"`   // Info by default
	World   string    `json:"world"`   // name of the world; set by Send
	Subject string    `json:"subject"` // name of a door, an area, a player or a kind of file; "" for the server
	Text    string    `json:"message"` // one sentence without a full stop; Send replaces control characters and cuts it to maxText
	// Skipped is the number of events of this kind that the rate limit dropped since the last one that was sent; set by Send.
	Skipped int `json:"skipped"`
}

// maxText is the maximum length of Event.Text in characters. Discord accepts 2000 characters, and escaping at most
// doubles the length.
const maxText = 900

func newID() string { return strings.ToLower(rand.Text()) }

// oneLine replaces control characters in text by spaces and truncates it to maxText characters.
func oneLine(text string) string {
	runes := []rune(strings.ToValidUTF8(text, "�"))
	if len(runes) > maxText {
		runes = append(runes[:maxText-1], '…')
	}
	for i, r := range runes {
		if unicode.IsControl(r) || unicode.Is(unicode.Bidi_Control, r) {
			runes[i] = ' '
		}
	}
	return string(runes)
}

// discordEscapes and slackEscapes escape the characters that have a meaning in Discord and Slack, so that a player's
// name is shown literally.
var (
	discordEscapes = strings.NewReplacer(`\`, `\\`, "*", `\*`, "_", `\_`, "~", `\~`, "`", "\\`", "|", `\|`, "[", `\[`, "]", `\]`, "<", `\<`, ">", `\>`, "#", `\#`)
	slackEscapes   = strings.NewReplacer("&", "&amp;", "<", "&lt;", ">", "&gt;")
)

// noMentions is the field allowed_mentions of a message to Discord. With an empty list, a player's name such as @everyone in the
// text notifies no one.
type noMentions struct {
	Parse []string `json:"parse"` // kinds of mentions that Discord may notify; always empty
}

// message is the JSON body of a request to a receiver: the event, and its text once more in the field that Discord or Slack
// displays.
type message struct {
	*Event
	Content  string      `json:"content,omitempty"`          // text for Discord; empty for other formats
	Mentions *noMentions `json:"allowed_mentions,omitempty"` // for Discord; nil for other formats
	Line     string      `json:"text,omitempty"`             // text for Slack; empty for other formats
}

// body returns the JSON body of a request in the given format: JSON, Discord or Slack.
func (e *Event) body(format string) []byte {
	m := message{Event: e}
	line := oneLine("[" + e.World + "] " + e.Text)
	switch format {
	case Discord:
		m.Content, m.Mentions = discordEscapes.Replace(line), &noMentions{Parse: []string{}}
	case Slack:
		m.Line = slackEscapes.Replace(line)
	}
	b, err := json.Marshal(&m)
	if err != nil {
		panic(err) // cannot happen: m contains only strings, numbers and a time whose year has four digits
	}
	return b
}

// wants reports whether the receiver selects events of kind k. Events of kind Test go to every receiver.
func (r *Receiver) wants(k Kind) bool {
	return k == Test || len(r.Events) == 0 || slices.Contains(r.Events, k)
}
