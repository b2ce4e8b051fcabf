package console

import (
	"bytes"
	"cmp"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"slices"
	"strings"
	"time"
	"unicode"
	"unicode/utf8"
)

// operatorsFile is the JSON content of the file named TokensFile, which has the tokens of the operators:
//
//	{"operators": [{"name": "ann", "role": "admin", "sha256": "9f86...", "createdAt": "2026-01-02T03:04:05Z"}]}
type operatorsFile struct {
	Operators []operatorEntry `json:"operators"` // sorted by name
}

// operatorEntry is an element of operatorsFile: one operator and the hash of its token.
type operatorEntry struct {
	Name      string     `json:"name"`                // name of the operator, unique in the file
	Role      string     `json:"role"`                // "viewer", "moderator" or "admin"
	SHA256    string     `json:"sha256"`              // SHA-256 of the operator's token, 64 hex digits
	CreatedAt time.Time  `json:"createdAt"`           // time at which the token was created
	ExpiresAt *time.Time `json:"expiresAt,omitempty"` // time at which the token expires; missing if never
}

const (
	maxOperators    = 1000 // maximum number of operators in the file; chosen to be far more than a server needs
	maxOperatorName = 64   // maximum length of an operator's name in bytes
)

// checkName returns an error if the name of an operator is empty, too long, or has characters that lists and logs cannot
// display.
func checkName(name string) error {
	switch {
	case name == "":
		return errors.New("the name of an operator is empty")
	case len(name) > maxOperatorName:
		return fmt.Errorf("operator %.20q...: the name is longer than %d bytes", name, maxOperatorName)
	case !utf8.ValidString(name) || strings.ContainsFunc(name, func(r rune) bool { return !unicode.IsPrint(r) }):
		return fmt.Errorf("operator %q: the name has characters that are not printable", name)
	case strings.TrimSpace(name) != name:
		return fmt.Errorf("operator %q: the name begins or ends with a space", name)
	}
	return nil
}

// parseOperators parses the file of operators and sorts it by name. It refuses unknown fields, unknown roles and invalid
// dates, so that a misspelled key does not grant access.
func parseOperators(b []byte) ([]Operator, error) {
	d := json.NewDecoder(bytes.NewReader(b))
	d.DisallowUnknownFields()
	var f operatorsFile
	if err := d.Decode(&f); err != nil {
		return nil, fmt.Errorf("the file of operators is not valid: %w", err)
	}
	if _, err := d.Token(); err != io.EOF {
		return nil, errors.New("the file of operators is not valid: it has data after the JSON object")
	}
	if len(f.Operators) > maxOperators {
		return nil, fmt.Errorf("the file of operators has more than %d entries", maxOperators)
	}
	list := make([]Operator, 0, len(f.Operators))
	for i := range f.Operators {
		o, err := f.Operators[i].parse()
		if err != nil {
			return nil, err
		}
		list = append(list, o)
	}
	slices.SortFunc(list, func(a, b Operator) int { return cmp.Compare(a.Name, b.Name) })
	for i := 1; i < len(list); i++ {
		if list[i].Name == list[i-1].Name {
			return nil, fmt.Errorf("the file of operators has two operators with the name %q", list[i].Name)
		}
	}
	return list, nil
}

// parse checks the entry and converts it to an Operator.
func (e *operatorEntry) parse() (Operator, error) {
	o := Operator{Name: e.Name, Created: e.CreatedAt.UTC()}
	if err := checkName(e.Name); err != nil {
		return o, err
	}
	var err error
	if o.Role, err = ParseRole(e.Role); err != nil {
		return o, fmt.Errorf("operator %q: %w", e.Name, err)
	}
	hash, err := hex.DecodeString(e.SHA256)
	if err != nil || len(hash) != len(o.Hash) {
		return o, fmt.Errorf("operator %q: sha256 must be 64 hex digits", e.Name)
	}
	o.Hash = [32]byte(hash)
	if e.ExpiresAt != nil {
		if e.ExpiresAt.IsZero() {
			return o, fmt.Errorf("operator %q: expiresAt is 0001-01-01, which stands for no date; leave the field out for a token that never expires", e.Name)
		}
		o.Expires = e.ExpiresAt.UTC()
	}
	for _, date := range [...]struct {
		key  string
		time time.Time // UTC, like the file
	}{{"createdAt", o.Created}, {"expiresAt", o.Expires}} {
		if y := date.time.Year(); y < 1 || y > 9999 {
			return o, fmt.Errorf("operator %q: %s is in the year %d, but must be in the years 1 to 9999", e.Name, date.key, y)
		}
	}
	return o, nil
}

// writeOperators encodes operators as the JSON of TokensFile.
func writeOperators(list []Operator) []byte {
	f := operatorsFile{Operators: []operatorEntry{}}
	for i := range list {
		o := &list[i]
		e := operatorEntry{Name: o.Name, Role: o.Role.String(), SHA256: hex.EncodeToString(o.Hash[:]), CreatedAt: o.Created}
		if !o.Expires.IsZero() {
			e.ExpiresAt = &o.Expires
		}
		f.Operators = append(f.Operators, e)
	}
	b, err := json.MarshalIndent(f, "", "  ")
	if err != nil {
		panic(err) // cannot happen: only years beyond 9999 fail, and parse refuses them
	}
	return append(b, '\n')
}
