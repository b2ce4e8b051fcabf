package auth

import (
	"bytes"
	"encoding/json"
	"fmt"
	"math"
	"strings"
)

// Limits of a JSON text, required by rule VE-3 of docs/wire/bedrock.md.
const (
	MaxDepth  = 16   // maximum nesting of arrays and objects
	maxValues = 4096 // maximum members and elements per text; a captured login of the bedrock-protocol npm client has about 150
)

// checkLimits returns an error if the JSON text in b is nested too deep or has too many values. Parsers call it first, so
// that a hostile text costs little time. It does not check that b is valid JSON. Errors wrap ErrDepth.
func checkLimits(b []byte) error {
	depth, values := 0, 0
	for i := 0; i < len(b); i++ {
		switch b[i] {
		case '"':
			i += stringEnd(b[i:]) - 1
		case '{', '[':
			if depth++; depth > MaxDepth {
				return fmt.Errorf("JSON text is nested too deep at offset %d, at most %d levels are allowed: %w", i, MaxDepth, ErrDepth)
			}
		case '}', ']':
			depth--
		case ',':
			if values++; values > maxValues {
				return fmt.Errorf("JSON text has too many values at offset %d, at most %d are allowed: %w", i, maxValues, ErrDepth)
			}
		}
	}
	return nil
}

// stringEnd returns the length of the JSON string at the start of b, quotes included, or len(b) if the string is
// unterminated.
func stringEnd(b []byte) int {
	quote := 0 // position of the next quote; searched again only when i has passed the position, so that many escapes take linear time
	for i := 1; i < len(b); {
		if quote < i {
			n := bytes.IndexByte(b[i:], '"')
			if n < 0 {
				break
			}
			quote = i + n
		}
		escape := bytes.IndexByte(b[i:quote], '\\')
		if escape < 0 {
			return quote + 1
		}
		i += escape + 2
	}
	return len(b)
}

// eachMember calls f with the name and the value of every member of the JSON object in b. The caller has checked b with
// checkLimits. Names are case-sensitive. The value is valid JSON and shares the memory of b. If a name occurs several
// times, f is called each time; callers use the last value, as RFC 7519 section 4 says. Errors wrap ErrJSON (invalid JSON
// or not an object) or come from f.
func eachMember(b []byte, f func(name string, value []byte) error) error {
	b = skipSpace(b)
	if !json.Valid(b) || b[0] != '{' {
		return fmt.Errorf("JSON text is not an object: %w", ErrJSON)
	}
	for b = skipSpace(b[1:]); b[0] != '}'; {
		if b[0] == ',' {
			b = skipSpace(b[1:])
		}
		n := stringEnd(b)
		var name string
		if err := readJSON(b[:n], &name); err != nil {
			return err
		}
		b = skipSpace(skipSpace(b[n:])[1:]) // skip the colon
		n = valueEnd(b)
		if err := f(name, b[:n:n]); err != nil {
			return fmt.Errorf("read JSON member %.20q: %w", name, err)
		}
		b = skipSpace(b[n:])
	}
	return nil
}

// valueEnd returns the length of the JSON value at the start of b. The parameter b must be part of a valid JSON text.
func valueEnd(b []byte) int {
	depth := 0
	for i := 0; i < len(b); i++ {
		switch b[i] {
		case '"':
			i += stringEnd(b[i:]) - 1
		case '{', '[':
			depth++
		case '}', ']':
			if depth == 0 {
				return i
			}
			depth--
		case ',':
			if depth == 0 {
				return i
			}
		}
	}
	return len(b)
}

func skipSpace(b []byte) []byte {
	for len(b) > 0 && strings.IndexByte(" \t\r\n", b[0]) >= 0 {
		b = b[1:]
	}
	return b
}

// readJSON decodes a JSON value into v. The caller has checked the value with checkLimits. Errors wrap ErrJSON.
func readJSON(value []byte, v any) error {
	if err := json.Unmarshal(value, v); err != nil {
		return fmt.Errorf("parse JSON value: %v: %w", err, ErrJSON)
	}
	return nil
}

const maxSeconds = 1 << 40 // latest accepted date in seconds since 1970: beyond any real date, and exact in a float64

// readSeconds parses a date of a token: seconds since 1970. A fraction of a second is dropped.
func readSeconds(value []byte) (int64, error) {
	var s float64
	if err := readJSON(value, &s); err != nil {
		return 0, err
	}
	if math.Abs(s) > maxSeconds {
		return 0, fmt.Errorf("token date %g, in seconds since 1970, is too far from 0: %w", s, ErrJSON)
	}
	return int64(s), nil
}
