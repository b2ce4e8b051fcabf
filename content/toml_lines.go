package content

import (
	"fmt"
	"strconv"
	"strings"
)

// maxNesting is the maximum depth of nested values in a TOML file. World files need five levels.
const maxNesting = 32

// lineScan finds the line of every key in a TOML file with valid syntax. The TOML library reports lines only for syntax
// errors, but messages about values need line numbers, too.
type lineScan struct {
	src    string
	pos    int
	line   int
	prefix string         // path of the current table, "" for the root table
	counts map[string]int // number of elements of each array of tables so far
	lines  map[string]int // line number of each key, by the path of the key
}

// scanLines returns the line of every path in a TOML file. Paths are like "rules.step", "area[0].portal[2].radius" and
// "item[3]".
func scanLines(src string) map[string]int {
	s := &lineScan{src: src, line: 1, counts: map[string]int{}, lines: map[string]int{}}
	for s.skipBlank(); s.pos < len(s.src); s.skipBlank() {
		before := s.pos
		switch {
		case s.has("[["):
			s.scanHeader(2)
		case s.has("["):
			s.scanHeader(1)
		default:
			s.scanPair(s.prefix, 0)
		}
		if s.pos == before {
			break // invalid TOML, which the parser has already reported
		}
	}
	return s.lines
}

func (s *lineScan) has(p string) bool { return strings.HasPrefix(s.src[s.pos:], p) }

// skipBlank skips white space, line ends and comments.
func (s *lineScan) skipBlank() {
	for s.pos < len(s.src) {
		switch c := s.src[s.pos]; c {
		case '\n':
			s.line++
			s.pos++
		case ' ', '\t', '\r':
			s.pos++
		case '#':
			end := strings.IndexByte(s.src[s.pos:], '\n')
			if end < 0 {
				end = len(s.src) - s.pos
			}
			s.pos += end
		default:
			return
		}
	}
}

// scanHeader reads a table header: [a.b] if the parameter brackets is 1, [[a.b]] if it is 2.
func (s *lineScan) scanHeader(brackets int) {
	line := s.line
	s.pos += brackets
	keys := s.scanKeys()
	s.skipBlank()
	if s.has("]]") && brackets == 2 {
		s.pos += 2
	} else if s.has("]") {
		s.pos++
	}
	path := ""
	for i, k := range keys {
		path = joinPath(path, k)
		n := s.counts[path]
		if i == len(keys)-1 && brackets == 2 {
			s.counts[path]++
			s.recordLine(path, line)
			path = fmt.Sprintf("%s[%d]", path, n)
		} else if n > 0 {
			path = fmt.Sprintf("%s[%d]", path, n-1)
		}
		s.recordLine(path, line)
	}
	s.lines[path] = line
	s.prefix = path
}

// recordLine records the line of a path, unless one is recorded already.
func (s *lineScan) recordLine(path string, line int) {
	if _, ok := s.lines[path]; !ok {
		s.lines[path] = line
	}
}

// scanPair reads a key, which may be dotted, and its value, in the table whose path is prefix. It records the line of the key.
func (s *lineScan) scanPair(prefix string, depth int) {
	line := s.line
	path := prefix
	for _, k := range s.scanKeys() {
		path = joinPath(path, k)
		s.recordLine(path, line)
	}
	s.skipBlank()
	if !s.has("=") {
		return
	}
	s.pos++
	s.scanValue(path, depth)
}

// scanKeys reads a dotted key and returns its parts.
func (s *lineScan) scanKeys() []string {
	var keys []string
	for {
		s.skipBlank()
		k, ok := s.scanKey()
		if !ok {
			return keys
		}
		keys = append(keys, k)
		s.skipBlank()
		if !s.has(".") {
			return keys
		}
		s.pos++
	}
}

func (s *lineScan) scanKey() (string, bool) {
	if s.has(`"`) || s.has(`'`) {
		raw := s.scanQuoted()
		if k, err := strconv.Unquote(raw); err == nil && raw[0] == '"' {
			return k, true
		}
		return strings.Trim(raw, raw[:1]), true
	}
	start := s.pos
	for s.pos < len(s.src) && strings.IndexByte(" \t\r\n.=]}#,", s.src[s.pos]) < 0 {
		s.pos++
	}
	return s.src[start:s.pos], s.pos > start
}

// scanQuoted reads a string on one line and returns it with its quotes.
func (s *lineScan) scanQuoted() string {
	start, quote := s.pos, s.src[s.pos]
	for s.pos++; s.pos < len(s.src) && s.src[s.pos] != quote && s.src[s.pos] != '\n'; s.pos++ {
		if s.src[s.pos] == '\\' && quote == '"' {
			s.pos++
		}
	}
	s.pos = min(s.pos+1, len(s.src))
	return s.src[start:s.pos]
}

// scanValue reads a value and records the lines of the keys inside it.
func (s *lineScan) scanValue(path string, depth int) {
	s.skipBlank()
	switch {
	case depth > maxNesting:
		s.pos = len(s.src)
	case s.has(`"""`), s.has(`'''`):
		s.scanLongString()
	case s.has(`"`), s.has(`'`):
		s.scanQuoted()
	case s.has("["):
		s.scanArray(path, depth)
	case s.has("{"):
		s.scanInlineTable(path, depth)
	default:
		for s.pos < len(s.src) && strings.IndexByte(",]}\n#", s.src[s.pos]) < 0 {
			s.pos++
		}
	}
}

// scanLongString reads a string in triple quotes. Up to two more quotes may be directly before the closing three.
func (s *lineScan) scanLongString() {
	quote := s.src[s.pos : s.pos+3]
	for s.pos += 3; s.pos < len(s.src); s.pos++ {
		switch c := s.src[s.pos]; {
		case c == '\n':
			s.line++
		case c == '\\' && quote == `"""`:
			s.pos++
			if s.pos < len(s.src) && s.src[s.pos] == '\n' {
				s.line++
			}
		case s.has(quote):
			s.pos += 3
			for n := 0; n < 2 && s.has(quote[:1]); n++ {
				s.pos++
			}
			return
		}
	}
}

func (s *lineScan) scanArray(path string, depth int) {
	s.pos++
	for i := 0; ; i++ {
		s.skipBlank()
		if s.pos >= len(s.src) || s.has("]") {
			break
		}
		element := fmt.Sprintf("%s[%d]", path, i)
		s.recordLine(element, s.line)
		s.scanValue(element, depth+1)
		s.skipBlank()
		if !s.has(",") {
			break
		}
		s.pos++
	}
	s.scanClose("]")
}

func (s *lineScan) scanInlineTable(path string, depth int) {
	s.pos++
	for {
		s.skipBlank()
		if s.pos >= len(s.src) || s.has("}") {
			break
		}
		s.scanPair(path, depth+1)
		s.skipBlank()
		if !s.has(",") {
			break
		}
		s.pos++
	}
	s.scanClose("}")
}

func (s *lineScan) scanClose(bracket string) {
	if s.has(bracket) {
		s.pos++
	}
}

// joinPath returns the path of a key, where the parameter path is that of the table with the key: "rules" and "step" give
// "rules.step". The path of the top-level table is "".
func joinPath(path, key string) string {
	if path == "" {
		return key
	}
	return path + "." + key
}
