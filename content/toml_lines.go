package content

import (
	"fmt"
	"strconv"
	"strings"
)

// maxNesting bounds how deep values may be nested; a world file needs five levels.
const maxNesting = 32

// lineScan finds the line of every key of a TOML file that is known to be well-formed. The TOML library tells lines
// only for syntax; a wrong radius deserves one too.
type lineScan struct {
	src    string
	pos    int
	line   int
	prefix string         // path of the table that keys now belong to, "" for the root
	counts map[string]int // how many elements an array of tables has so far
	lines  map[string]int
}

// scanLines returns the line of every path of the file: "rules.step", "area[0].portal[2].radius", "item[3]".
func scanLines(src string) map[string]int {
	s := &lineScan{src: src, line: 1, counts: map[string]int{}, lines: map[string]int{}}
	for s.skipBlank(); s.pos < len(s.src); s.skipBlank() {
		before := s.pos
		switch {
		case s.has("[["):
			s.header(2)
		case s.has("["):
			s.header(1)
		default:
			s.pair(s.prefix, 0)
		}
		if s.pos == before {
			break // not TOML; the parser has said so already
		}
	}
	return s.lines
}

func (s *lineScan) has(p string) bool { return strings.HasPrefix(s.src[s.pos:], p) }

// skipBlank moves over white space, line ends and comments.
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

// header reads [a.b] or [[a.b]]; brackets is 1 or 2.
func (s *lineScan) header(brackets int) {
	line := s.line
	s.pos += brackets
	keys := s.keys()
	s.skipBlank()
	if s.has("]]") && brackets == 2 {
		s.pos += 2
	} else if s.has("]") {
		s.pos++
	}
	path := ""
	for i, k := range keys {
		path = join(path, k)
		n := s.counts[path]
		if i == len(keys)-1 && brackets == 2 {
			s.counts[path]++
			s.note(path, line)
			path = fmt.Sprintf("%s[%d]", path, n)
		} else if n > 0 {
			path = fmt.Sprintf("%s[%d]", path, n-1)
		}
		s.note(path, line)
	}
	s.lines[path] = line
	s.prefix = path
}

// note keeps the first line on which a path was seen.
func (s *lineScan) note(path string, line int) {
	if _, ok := s.lines[path]; !ok {
		s.lines[path] = line
	}
}

// pair reads key = value below prefix.
func (s *lineScan) pair(prefix string, depth int) {
	line := s.line
	path := prefix
	for _, k := range s.keys() {
		path = join(path, k)
		s.note(path, line)
	}
	s.skipBlank()
	if !s.has("=") {
		return
	}
	s.pos++
	s.value(path, depth)
}

// keys reads a dotted key.
func (s *lineScan) keys() []string {
	var keys []string
	for {
		s.skipBlank()
		k, ok := s.key()
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

func (s *lineScan) key() (string, bool) {
	if s.has(`"`) || s.has(`'`) {
		raw := s.quoted()
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

// quoted reads a one-line string with its quotes.
func (s *lineScan) quoted() string {
	start, quote := s.pos, s.src[s.pos]
	for s.pos++; s.pos < len(s.src) && s.src[s.pos] != quote && s.src[s.pos] != '\n'; s.pos++ {
		if s.src[s.pos] == '\\' && quote == '"' {
			s.pos++
		}
	}
	s.pos = min(s.pos+1, len(s.src))
	return s.src[start:s.pos]
}

// value reads a value and notes the lines of what is inside it.
func (s *lineScan) value(path string, depth int) {
	s.skipBlank()
	switch {
	case depth > maxNesting:
		s.pos = len(s.src)
	case s.has(`"""`), s.has(`'''`):
		s.longString()
	case s.has(`"`), s.has(`'`):
		s.quoted()
	case s.has("["):
		s.array(path, depth)
	case s.has("{"):
		s.inline(path, depth)
	default:
		for s.pos < len(s.src) && strings.IndexByte(",]}\n#", s.src[s.pos]) < 0 {
			s.pos++
		}
	}
}

// longString reads a string in three quotes. Up to two quotes more may stand right before the closing three.
func (s *lineScan) longString() {
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

func (s *lineScan) array(path string, depth int) {
	s.pos++
	for i := 0; ; i++ {
		s.skipBlank()
		if s.pos >= len(s.src) || s.has("]") {
			break
		}
		element := fmt.Sprintf("%s[%d]", path, i)
		s.note(element, s.line)
		s.value(element, depth+1)
		s.skipBlank()
		if !s.has(",") {
			break
		}
		s.pos++
	}
	s.close("]")
}

func (s *lineScan) inline(path string, depth int) {
	s.pos++
	for {
		s.skipBlank()
		if s.pos >= len(s.src) || s.has("}") {
			break
		}
		s.pair(path, depth+1)
		s.skipBlank()
		if !s.has(",") {
			break
		}
		s.pos++
	}
	s.close("}")
}

func (s *lineScan) close(bracket string) {
	if s.has(bracket) {
		s.pos++
	}
}

// join is the path of a key below a table.
func join(path, key string) string {
	if path == "" {
		return key
	}
	return path + "." + key
}
