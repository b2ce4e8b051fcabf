package webhook

import (
	"crypto/rand"
	"encoding/json"
	"slices"
	"strings"
	"time"
	"unicode"
)

// Kind is the subject matter of an event. Receivers choose events by it.
type Kind string

// Values of Kind.
const (
	ServerUp      Kind = "server_up"      // the server is open for players
	ServerDown    Kind = "server_down"    // the server is stopping
	StopPlanned   Kind = "stop_planned"   // an operator has planned a stop or a restart
	TicksLate     Kind = "ticks_late"     // an area skips ticks for minutes
	AreaStopped   Kind = "area_stopped"   // an area stopped after an error
	DoorClosed    Kind = "door_closed"    // a door closed while the server runs
	WriteFailed   Kind = "write_failed"   // records, database, ledger, tape, journal or history cannot be written
	BackupFailed  Kind = "backup_failed"  // scheduled backups fail
	LoginFailures Kind = "login_failures" // many wrong passwords for minutes
	Suspicious    Kind = "suspicious"     // many suspicious holds and corrections of one player
	Test          Kind = "test"           // sent by truestep webhook test to every receiver
)

// Kinds are all kinds that a receiver can choose, in the order of the documentation.
var Kinds = []Kind{ServerUp, ServerDown, StopPlanned, TicksLate, AreaStopped, DoorClosed, WriteFailed, BackupFailed, LoginFailures, Suspicious}

func kindList() string {
	words := make([]string, len(Kinds))
	for i, k := range Kinds {
		words[i] = string(k)
	}
	return strings.Join(words, ", ")
}

// State says whether an event begins or ends something that lasts.
type State string

// Values of State.
const (
	Info     State = "info"     // it happened once
	Firing   State = "firing"   // it begins, and an event with the same kind and subject and the state Resolved follows when it is over
	Resolved State = "resolved" // it is over
)

// Event is one message. Its JSON is described in docs/webhooks.md.
type Event struct {
	ID      string    `json:"id"`      // unique, equal in every attempt to send the event; set by Send
	Time    time.Time `json:"time"`    // UTC, in whole milliseconds; the zero value is the time of Send
	Kind    Kind      `json:"event"`   // set by the caller
	State   State     `json:"state"`   // Info by default
	World   string    `json:"world"`   // name of the world; set by Send
	Subject string    `json:"subject"` // name of a door, an area, a player or a kind of file; "" for the server
	Text    string    `json:"message"` // one sentence without a full stop; Send replaces control characters and cuts it to maxText
	Skipped int       `json:"skipped"` // events of this kind that were not sent since the last one of this kind; set by Send
}

// maxText is the maximum length of Event.Text in characters. Discord accepts 2000, and an escaped text has at most twice as many.
const maxText = 900

func newID() string { return strings.ToLower(rand.Text()) }

// oneLine returns text without control characters, in at most maxText characters.
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

// Escapes of the characters with a meaning in the texts of Discord and Slack, so that a name is shown as it is.
var (
	discordEscapes = strings.NewReplacer(`\`, `\\`, "*", `\*`, "_", `\_`, "~", `\~`, "`", "\\`", "|", `\|`, "[", `\[`, "]", `\]`, "<", `\<`, ">", `\>`, "#", `\#`)
	slackEscapes   = strings.NewReplacer("&", "&amp;", "<", "&lt;", ">", "&gt;")
)

// noMentions prevents that a name in a message notifies users of Discord.
type noMentions struct {
	Parse []string `json:"parse"`
}

// message is the body of a request.
type message struct {
	*Event
	Content  string      `json:"content,omitempty"`          // Discord only
	Mentions *noMentions `json:"allowed_mentions,omitempty"` // Discord only
	Line     string      `json:"text,omitempty"`             // Slack only
}

// body returns the event in the format of a receiver.
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
		panic(err) // cannot happen: texts, numbers, and a time with a year of four digits
	}
	return b
}

// wants reports whether the receiver is sent events of a kind. Tests are sent to every receiver.
func (r *Receiver) wants(k Kind) bool {
	return k == Test || len(r.Events) == 0 || slices.Contains(r.Events, k)
}
