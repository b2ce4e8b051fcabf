package web

import (
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"os"
	"reflect"
	"regexp"
	"strconv"
	"strings"
	"testing"
	"unicode"
)

// document contains the tables of docs/wire/web.md. Of each table it has the heading above the table, the text of the table's
// first head cell, and the first three columns.
type document []documentTable

type documentTable struct {
	heading string
	head    string
	rows    [][3]string
}

func readDocument(t *testing.T) (d document) {
	t.Helper()
	b, err := os.ReadFile("../../docs/wire/web.md")
	if err != nil {
		t.Fatal(err)
	}
	heading, inTable := "", false
	for line := range strings.Lines(string(b)) {
		line = strings.TrimSpace(line)
		if text, ok := strings.CutPrefix(line, "##"); ok {
			heading = strings.Trim(text, "# ")
		}
		if !strings.HasPrefix(line, "|") {
			inTable = false
			continue
		}
		var row [3]string
		for i, cell := range strings.SplitN(strings.Trim(line, "|"), "|", 3) {
			row[i] = strings.TrimSpace(cell)
		}
		switch {
		case !inTable:
			d, inTable = append(d, documentTable{heading: heading, head: row[0]}), true
		case !strings.HasPrefix(row[0], "---"):
			last := &d[len(d)-1]
			last.rows = append(last.rows, row)
		}
	}
	return d
}

func (d document) table(t *testing.T, match func(x *documentTable) bool) *documentTable {
	t.Helper()
	var found *documentTable
	for i := range d {
		if match(&d[i]) {
			if found != nil {
				t.Fatalf("two tables %q under %q and %q", d[i].head, found.heading, d[i].heading)
			}
			found = &d[i]
		}
	}
	if found == nil {
		t.Fatal("docs/wire/web.md has no such table")
	}
	return found
}

// source parses the Go files of the package that define the wire format.
func source(t *testing.T) (files []*ast.File) {
	t.Helper()
	for _, name := range []string{"message.go", "input.go", "avatar.go", "snapshot.go", "schema.go"} {
		f, err := parser.ParseFile(token.NewFileSet(), name, nil, parser.ParseComments)
		if err != nil {
			t.Fatal(err)
		}
		files = append(files, f)
	}
	return files
}

// layoutOf returns the size and the name of each field in the layout that a type's comment contains. It returns nil for a comment
// without a layout.
func layoutOf(comment string) (fields [][2]string) {
	_, layout, ok := strings.Cut(comment, "size  field\n")
	if !ok {
		return nil
	}
	row := regexp.MustCompile(`^\s*(\d*n?) +([A-Za-z]+) `)
	for line := range strings.Lines(layout) {
		if m := row.FindStringSubmatch(strings.TrimPrefix(line, "\t")); m != nil {
			fields = append(fields, [2]string{m[1], m[2]})
		}
	}
	return fields
}

func TestProtocolDocumentDescribesLayoutOfEveryType(t *testing.T) {
	d := readDocument(t)
	count := 0
	for _, f := range source(t) {
		for _, decl := range f.Decls {
			g, ok := decl.(*ast.GenDecl)
			if !ok || g.Tok != token.TYPE {
				continue
			}
			name := g.Specs[0].(*ast.TypeSpec).Name.Name
			want := layoutOf(g.Doc.Text())
			if want == nil {
				continue
			}
			count++
			t.Run(name, func(t *testing.T) {
				table := d.table(t, func(x *documentTable) bool { return x.heading == name && x.head == "size" })
				var got [][2]string
				for _, row := range table.rows {
					got = append(got, [2]string{row[0], row[1]})
				}
				if !reflect.DeepEqual(got, want) {
					t.Errorf("the document has the fields\n%v\nthe code\n%v", got, want)
				}
			})
		}
	}
	if count < 18 {
		t.Errorf("%d types have a layout, want the messages, Input, Entry, Ack, Avatar and Header", count)
	}
}

// optional matches the description of a field that is present only if a bit of another field is set, or only with a certain verb.
var optional = regexp.MustCompile(`(^|, )bit [0-9]|only with`)

// smallest returns the length in bytes of the fields of a table if strings and lists are empty. Optional fields and nested messages are not
// counted.
func (x *documentTable) smallest() (n int) {
	for _, row := range x.rows {
		size, err := strconv.Atoi(row[0])
		switch {
		case optional.MatchString(row[2]): // not counted
		case row[0] == "" && strings.HasPrefix(row[2], "str16"):
			n += 2
		case row[0] == "" && strings.HasPrefix(row[2], "str8"):
			n++
		case err == nil:
			n += size
		}
	}
	return n
}

func TestMessageLengthsInDocumentMatchCode(t *testing.T) {
	d := readDocument(t)
	const avatar, area = 53, 14 // lengths of the nested types Avatar and Area in bytes
	act := d.table(t, func(x *documentTable) bool { return x.heading == "Act" && x.head == "size" })
	act.rows = act.rows[:6] // the rows after the sixth are sent only with commands
	for name, v := range map[string]struct{ got, nested int }{
		"Hello":          {len(AppendMessage(nil, &Hello{})) - 1, 0},
		"Act":            {len(AppendMessage(nil, &Act{Verb: VerbWake})) - 1, 0},
		"Welcome":        {len(AppendMessage(nil, &Welcome{Ticks: 20})) - 1, avatar + area},
		"Refused":        {len(AppendMessage(nil, &Refused{})) - 1, 0},
		"Enter":          {len(AppendMessage(nil, &Enter{})) - 1, 1 + 1 + 2 + 4 + 1 + 1}, // empty body: mask, door, level, healthMax, height, name
		"Leave":          {len(AppendMessage(nil, &Leave{})) - 1, 0},
		"Body":           {len(AppendMessage(nil, &Body{})) - 1, 0},
		"Event":          {len(AppendMessage(nil, &Event{})) - 1, 0},
		"Own":            {len(AppendMessage(nil, &Own{})) - 1, avatar},
		"Area":           {len(AppendMessage(nil, &Area{})) - 1, 0},
		"Answer":         {len(AppendMessage(nil, &Answer{})) - 1, 0},
		"Bye":            {len(AppendMessage(nil, &Bye{})) - 1, 0},
		"GameEvent":      {len(AppendMessage(nil, &GameEvent{})) - 1, 0},
		"AreaFields":     {len(AppendMessage(nil, &AreaFields{})) - 1, 0},
		"Avatar":         {len((&Avatar{}).Append(nil)), 0},
		"Input":          {inputHeader, 0},
		"Ack":            {ackLength, 0},
		"SnapshotHeader": {headerLength, 0},
	} {
		table := d.table(t, func(x *documentTable) bool { return x.heading == name && x.head == "size" })
		if want := table.smallest() + v.nested; v.got != want {
			t.Errorf("%s: the document says at least %d bytes, the code makes %d", name, want, v.got)
		}
	}
}

// constantsOf returns the exported constants of a type in the order of the source, without the prefix, as words of lower case.
func constantsOf(t *testing.T, files []*ast.File, typ, prefix string) (names []string) {
	t.Helper()
	for _, f := range files {
		for _, decl := range f.Decls {
			g, ok := decl.(*ast.GenDecl)
			if !ok || g.Tok != token.CONST {
				continue
			}
			first := g.Specs[0].(*ast.ValueSpec)
			if typ == "" && first.Names[0].Name != prefix+"X" {
				continue
			}
			if id, ok := first.Type.(*ast.Ident); typ != "" && (!ok || id.Name != typ) {
				continue
			}
			for _, spec := range g.Specs {
				name := spec.(*ast.ValueSpec).Names[0].Name
				rest, ok := strings.CutPrefix(name, prefix)
				if !ok || rest == "All" {
					continue
				}
				var words strings.Builder
				for i, r := range rest {
					if i > 0 && unicode.IsUpper(r) && !unicode.IsUpper(rune(rest[i-1])) {
						words.WriteByte(' ')
					}
					words.WriteRune(unicode.ToLower(r))
				}
				names = append(names, words.String())
			}
		}
	}
	return names
}

func TestProtocolDocumentListsEveryConstant(t *testing.T) {
	d, files := readDocument(t), source(t)
	for head, v := range map[string]struct {
		typ, prefix string
		number      func(i int) int
	}{
		"verb":        {"ActVerb", "Verb", func(i int) int { return i + 1 }},
		"refused":     {"RefusedReason", "Refused", func(i int) int { return i + 1 }},
		"leave":       {"LeaveReason", "Leave", func(i int) int { return i + 1 }},
		"event":       {"EventKind", "Event", func(i int) int { return i + 1 }},
		"own":         {"OwnKind", "Own", func(i int) int { return i + 1 }},
		"bye":         {"ByeReason", "Bye", func(i int) int { return i + 1 }},
		"key":         {"Keys", "Key", func(i int) int { return 1 << i }},
		"avatar flag": {"AvatarFlags", "Avatar", func(i int) int { return 1 << i }},
		"field":       {"", "Field", func(i int) int { return i }},
	} {
		t.Run(head, func(t *testing.T) {
			var want, got []string
			for i, name := range constantsOf(t, files, v.typ, v.prefix) {
				want = append(want, fmt.Sprint(v.number(i), " ", name))
			}
			for _, row := range d.table(t, func(x *documentTable) bool { return x.head == head }).rows {
				got = append(got, row[0]+" "+row[1])
			}
			if len(want) == 0 || !reflect.DeepEqual(got, want) {
				t.Errorf("the document has\n%q\nthe code\n%q", got, want)
			}
		})
	}
}

func TestProtocolDocumentListsCodeOfEveryMessage(t *testing.T) {
	table := readDocument(t).table(t, func(x *documentTable) bool { return x.head == "code" })
	got := map[string]string{}
	for _, row := range table.rows {
		name, _, _ := strings.Cut(row[2], " ")
		got[row[0]+" to the "+row[1]] = name
	}
	want := map[string]string{}
	for _, v := range messages {
		to := "client"
		if v.toServer {
			to = "server"
		}
		want[fmt.Sprintf("%02x to the %s", v.message.Code(), to)] = reflect.TypeOf(v.message).Elem().Name()
	}
	if !reflect.DeepEqual(got, want) {
		t.Errorf("the document has\n%v\nthe code\n%v", got, want)
	}
}
