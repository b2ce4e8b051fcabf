package console

import (
	"net/http"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/truestep-io/truestep/store"
	"github.com/truestep-io/truestep/telemetry"
)

// Names of log fields beside those of telemetry.
const (
	fieldAddr     = telemetry.FieldAddr
	fieldOperator = "operator"
	fieldRole     = "role"
	fieldAction   = "action"
	fieldWhy      = "why"
)

// toText converts a name of the world, which is Windows-1252, to UTF-8.
func toText(name string) string { return store.ToText(name) }

// parseText checks a text of an operator and converts it to the world's encoding, Windows-1252.
func parseText(field, text string, least, most int) (string, error) {
	text = strings.TrimSpace(text)
	if !utf8.ValidString(text) || strings.ContainsFunc(text, unicode.IsControl) {
		return "", badRequest("%q must be one line of text", field)
	}
	raw, err := store.FromText(text)
	switch {
	case err != nil:
		return "", badRequest("%q has a letter that not every client can display: use Western European letters", field)
	case len(raw) < least:
		return "", badRequest("%q is missing", field)
	case len(raw) > most:
		return "", badRequest("%q is longer than %d letters", field, most)
	}
	return raw, nil
}

func (k *call) setCookie(cookie *http.Cookie) { http.SetCookie(k.w, cookie) }
