package console

import (
	"net/http"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/truestep-io/truestep/telemetry"
)

// Names of log fields that only this package uses; the shared names are in package telemetry.
const (
	fieldAddr     = telemetry.FieldAddr
	fieldOperator = "operator"
	fieldRole     = "role"
	fieldAction   = "action"
	fieldWhy      = "why"
)

// parseText trims a text that an operator wrote, and checks that it is a single line of least to most characters. The parameter
// field is the name of the request field, for errors.
func parseText(field, text string, least, most int) (string, error) {
	text = strings.TrimSpace(text)
	unreadable := func(r rune) bool { return unicode.IsControl(r) || r == utf8.RuneError }
	switch length := utf8.RuneCountInString(text); {
	case strings.ContainsFunc(text, unreadable):
		return "", badRequest("%q must be one line of text", field)
	case length < least:
		return "", badRequest("%q is missing", field)
	case length > most:
		return "", badRequest("%q is longer than %d letters", field, most)
	}
	return text, nil
}

func (k *call) setCookie(cookie *http.Cookie) { http.SetCookie(k.w, cookie) }
