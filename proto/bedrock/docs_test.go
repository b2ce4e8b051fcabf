package bedrock

import (
	"encoding/hex"
	"encoding/json"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"reflect"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"
)

// The tests in this file keep the wire document, which client authors use, consistent with the code.

const wireDocument = "../../docs/wire/bedrock.md"

func readDocument(t *testing.T) string {
	t.Helper()
	text, err := os.ReadFile(wireDocument)
	if err != nil {
		t.Fatal(err)
	}
	return string(text)
}

// section returns the text of the document under a heading, including its subheadings.
func section(t *testing.T, heading string) string {
	t.Helper()
	_, part, found := strings.Cut(readDocument(t), "\n"+heading+"\n")
	if !found {
		t.Fatalf("the document has no %q", heading)
	}
	for level, _, _ := strings.Cut(heading, " "); len(level) > 1; level = level[1:] {
		part, _, _ = strings.Cut(part, "\n"+level+" ")
	}
	return part
}

// cells returns the rows of all tables in a part of the document, each row as a list of its cells.
func cells(part string) (rows [][]string) {
	for line := range strings.Lines(part) {
		line = strings.TrimSpace(line)
		if !strings.HasPrefix(line, "| ") {
			continue
		}
		row := strings.Split(strings.Trim(line, "|"), "|")
		for i := range row {
			row[i] = strings.Trim(strings.TrimSpace(row[i]), "`*")
		}
		rows = append(rows, row)
	}
	return rows
}

func TestWireDocHasEveryBedrockPacket(t *testing.T) {
	legal := map[SessionStates]string{
		InLogin: "login", InHandshake: "handshake", InPacks: "packs", InStart: "start",
		AfterStart: "joined", AfterLogin: "accepted", AnyState: "any",
	}
	rows := map[string][]string{}
	for _, row := range cells(section(t, "### 10.1 All packets that are known here")) {
		rows[row[0]] = row
	}
	for _, p := range Table() {
		want := []string{strconv.Itoa(int(p.ID)), p.Name, p.Direction.String(), legal[p.States]}
		if row := rows[want[0]]; len(row) < len(want) || !slices.Equal(row[:len(want)], want) {
			t.Errorf("document has %q, want %q", row, want)
		}
	}
	if len(rows) != len(Table())+1 {
		t.Errorf("%d packets in the document, %d in the table", len(rows)-1, len(Table()))
	}
}

func TestWireDocHasEveryInputFlag(t *testing.T) {
	seen := map[int]bool{}
	for _, row := range cells(section(t, "### 9.2 Input flags")) {
		for id := range strings.SplitSeq(row[0], ", ") {
			if n, err := strconv.Atoi(id); err == nil {
				seen[n] = true
			}
		}
	}
	for f := range int(InputFlagCount) {
		if !seen[f] {
			t.Errorf("flag %d is missing in the document", f)
		}
	}
	if len(seen) != int(InputFlagCount) {
		t.Errorf("%d flags in the document", len(seen))
	}
}

var statePattern = regexp.MustCompile("`?([a-z_:]+)`? (?:\"([a-z]+)\"|([0-9]+)(b?))")

func TestBlockHashesInWireDocMatchCode(t *testing.T) {
	n := 0
	for _, row := range cells(section(t, "### 8.5 Blocks")) {
		if len(row) < 4 || !strings.HasPrefix(row[1], "minecraft:") {
			continue
		}
		n++
		var states []BlockState
		for _, m := range statePattern.FindAllStringSubmatch(row[2], -1) {
			s := BlockState{Key: m[1], Kind: StateText, Text: m[2]}
			if m[3] != "" {
				v, _ := strconv.Atoi(m[3])
				s = BlockState{Key: m[1], Kind: StateInt, Int: int32(v)}
				if m[4] == "b" {
					s.Kind = StateByte
				}
			}
			states = append(states, s)
		}
		if id := fmt.Sprint(BlockHash(row[1], states)); id != row[3] {
			t.Errorf("%s %v is %s, not %s", row[0], states, id, row[3])
		}
	}
	if n < 20 {
		t.Errorf("only %d blocks in the document", n)
	}
}

// vectorFile reads a JSON file of test vectors. It returns the hexadecimal digits of each vector, by the vector's id.
func vectorFile(t *testing.T, path string) map[string]string {
	t.Helper()
	b, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	type entry struct{ ID, Hex string }
	var file struct{ Vectors []entry }
	if json.Unmarshal(b, &file) != nil {
		if err := json.Unmarshal(b, &file.Vectors); err != nil {
			t.Fatal(err)
		}
	}
	out := map[string]string{}
	for _, e := range file.Vectors {
		out[e.ID] = e.Hex
	}
	return out
}

func TestVectorsInWireDocMatchTestdata(t *testing.T) {
	packets := map[string]string{}
	files, _ := filepath.Glob("testdata/vectors*.json")
	for _, path := range files {
		for id, code := range vectorFile(t, path) {
			packets[id] = code
		}
	}
	batches := map[string]string{}
	for _, name := range []string{"batch_pre_settings", "batch_uncompressed_below_threshold", "batch_deflate"} {
		b, err := os.ReadFile("testdata/" + name + ".hex")
		if err != nil {
			t.Fatal(err)
		}
		for line := range strings.Lines(string(b)) {
			if !strings.HasPrefix(line, "#") {
				batches[name] += strings.TrimSpace(line)
			}
		}
	}
	for heading, known := range map[string]map[string]string{
		"### 18.1 Packets": packets, "### 18.2 RakNet": vectorFile(t, "../raknet/testdata/vectors.json"), "### 18.3 Batches": batches,
	} {
		rows := cells(section(t, heading))
		if len(rows) < 4 {
			t.Fatalf("%s: %d rows", heading, len(rows))
		}
		for _, row := range rows[1:] {
			if code := row[len(row)-1]; known[row[0]] != code {
				t.Errorf("%s: %s is %s in the testdata, %s in the document", heading, row[0], known[row[0]], code)
			}
		}
	}
}

func TestPacketsInWireDocAreParsed(t *testing.T) {
	for _, row := range cells(section(t, "### 18.1 Packets"))[1:] {
		b, err := hex.DecodeString(row[2])
		v, _ := strconv.Atoi(row[1])
		if err != nil || !Version(v).IsSupported() {
			t.Errorf("%s: %q of %q", row[0], row[2], row[1])
			continue
		}
		p, err := Parse(b, Version(v))
		if err != nil {
			t.Errorf("%s: %v", row[0], err)
			continue
		}
		again := p.Append(AppendHeader(nil, p.ID()), Version(v))
		if q, err := Parse(again, Version(v)); err != nil || len(again) != len(b) || !reflect.DeepEqual(p, q) {
			t.Errorf("%s: %x is written as %x", row[0], b, again) // an input may list its flags in another order
		}
	}
}

func TestEncryptionExampleInWireDocMatchesTestdata(t *testing.T) {
	b, err := os.ReadFile("auth/testdata/encryption_p384_ctr.json")
	if err != nil {
		t.Fatal(err)
	}
	var file map[string]any
	if err := json.Unmarshal(b, &file); err != nil {
		t.Fatal(err)
	}
	known := map[string]bool{}
	for _, v := range file {
		known[fmt.Sprint(v)] = true
	}
	rows := cells(section(t, "### 18.4 Encryption"))
	for _, row := range rows[1:] {
		if !known[row[1]] {
			t.Errorf("%s is %s, which is not in the testdata", row[0], row[1])
		}
	}
	if len(rows) < 8 {
		t.Errorf("%d rows", len(rows))
	}
}

// ruleCounts holds the number of rules of each kind. The wire document states each rule once and has a row for it in section 15.
var ruleCounts = map[string]int{"RK": 15, "BA": 4, "LO": 5, "VE": 4, "EN": 2, "SG": 6, "CH": 1, "SV": 25, "CL": 9, "VH": 11}

var (
	statedRulePattern = regexp.MustCompile(`(?m)^\* \*\*([A-Z]{2}-[0-9]+)\*\* `)
	ruleRowPattern    = regexp.MustCompile(`^([A-Z]{2})-([0-9]+)(?: to [A-Z]{2}-([0-9]+))?$`)
)

func readStatedRules(t *testing.T) map[string]bool {
	stated := map[string]bool{}
	for _, m := range statedRulePattern.FindAllStringSubmatch(readDocument(t), -1) {
		stated[m[1]] = true
	}
	return stated
}

func TestWireDocCitesTestForEveryRule(t *testing.T) {
	stated, shown := readStatedRules(t), map[string]bool{}
	for _, row := range cells(section(t, "## 15. Rules and their tests")) {
		m := ruleRowPattern.FindStringSubmatch(row[0])
		if m == nil {
			continue
		}
		from, _ := strconv.Atoi(m[2])
		to := from
		if m[3] != "" {
			to, _ = strconv.Atoi(m[3])
		}
		for n := from; n <= to; n++ {
			shown[fmt.Sprintf("%s-%d", m[1], n)] = true
		}
	}
	total := 0
	for kind, count := range ruleCounts {
		total += count
		for n := 1; n <= count; n++ {
			if rule := fmt.Sprintf("%s-%d", kind, n); !stated[rule] || !shown[rule] {
				t.Errorf("%s: stated %v, shown %v", rule, stated[rule], shown[rule])
			}
		}
	}
	if len(stated) != total {
		t.Errorf("%d rules are stated, %d are known", len(stated), total)
	}
}

var (
	testNamePattern   = regexp.MustCompile(`\b(?:Test|Fuzz|Benchmark)[A-Z][A-Za-z0-9]+\b`)
	checkQuotePattern = regexp.MustCompile(`"([^"]{12,})"`)
)

func TestTestsCitedInWireDocExist(t *testing.T) {
	defined, checks := map[string]bool{}, ""
	for _, path := range sources(t) {
		b, err := os.ReadFile(path)
		if err != nil {
			t.Fatal(err)
		}
		switch {
		case strings.HasSuffix(path, ".mjs"):
			checks += strings.ReplaceAll(string(b), `\'`, "'")
		case strings.HasSuffix(path, "_test.go"):
			for line := range strings.Lines(string(b)) {
				if name, ok := strings.CutPrefix(line, "func "); ok {
					name, _, _ = strings.Cut(name, "(")
					defined[name] = true
				}
			}
		}
	}
	part := section(t, "## 15. Rules and their tests")
	for _, name := range testNamePattern.FindAllString(part, -1) {
		if !defined[name] {
			t.Errorf("section 15 cites test %s, which does not exist", name)
		}
	}
	for _, row := range cells(part) {
		for _, m := range checkQuotePattern.FindAllStringSubmatch(row[len(row)-1], -1) {
			if !strings.Contains(checks, "'"+m[1]+"'") {
				t.Errorf("section 15 cites end-to-end check %q, which does not exist", m[1])
			}
		}
	}
}

// declarationPattern matches a declaration. Its groups are the type of the receiver, the function or method name, and the type name.
var declarationPattern = regexp.MustCompile(`(?m)^(?:func (?:\([^)]*?\*?([A-Za-z]+)(?:\[[^\]]*\])?\) )?([A-Za-z0-9]+)|type ([A-Za-z0-9]+))`)

// citedCodePattern matches a citation of code. Its groups are a folder, and the name of a function, method or type in the folder.
var citedCodePattern = regexp.MustCompile(`\b((?:[a-z]+/)*[a-z]+)\.([A-Za-z]+(?:\.[A-Za-z]+)?)\b`)

// PlayerMovementOverview is Mojang's document about movement. The wire document has a row for each of its sentences.
// The row cites existing code and at least one test, and says that the sentence holds.
func TestWireDocCoversEverySentenceOfPlayerMovementOverview(t *testing.T) {
	const sentences = 41
	declared := map[string]bool{}
	for _, path := range sources(t) {
		b, err := os.ReadFile(path)
		if err != nil {
			t.Fatal(err)
		}
		dir := strings.TrimPrefix(filepath.ToSlash(filepath.Dir(path)), "../../")
		for _, m := range declarationPattern.FindAllStringSubmatch(string(b), -1) {
			name := m[2] + m[3]
			if m[1] != "" {
				name = m[1] + "." + m[2]
			}
			declared[dir+"."+name] = true
		}
	}
	n := 0
	for _, row := range cells(section(t, "### 15.6 Each sentence of PlayerMovementOverview")) {
		if len(row) < 4 || row[1] == "" || row[0] == "sentence" || strings.HasPrefix(row[0], "---") {
			continue
		}
		n++
		for _, m := range citedCodePattern.FindAllStringSubmatch(row[1], -1) {
			if !declared[m[1]+"."+m[2]] {
				t.Errorf("%s: cites %s.%s, which does not exist", row[0], m[1], m[2])
			}
		}
		if row[2] != "yes" {
			t.Errorf("%s: holds is %q", row[0], row[2])
		}
		if !testNamePattern.MatchString(row[3]) {
			t.Errorf("%s: cites no test", row[0])
		}
	}
	if n != sentences {
		t.Errorf("%d sentences, want %d", n, sentences)
	}
}

var (
	citationPattern  = regexp.MustCompile(`docs/wire/bedrock\.md, ([^.;:()]+)`)
	citedRulePattern = regexp.MustCompile(`\b(?:RK|LO|BA|VE|EN|SG|CH|SV|CL|VH)-[0-9]+\b`)
	citedStepPattern = regexp.MustCompile(`\bstep ([0-9]+)`)
	scenarioPattern  = regexp.MustCompile(`\bA-[0-9]+[ab]?\b`)
	anchorPattern    = regexp.MustCompile(`<a id="([a-z0-9-]+)"></a>`)
	wrappedPattern   = regexp.MustCompile(`\n\s*//\s*`)
)

// Comments cite the document by "docs/wire/bedrock.md, subject", and rules and scenarios by their number. Every citation
// must resolve.
func TestSectionsCitedInCommentsExistInWireDoc(t *testing.T) {
	text, rules := readDocument(t), readStatedRules(t)
	subjects := map[string]bool{}
	for _, m := range anchorPattern.FindAllStringSubmatch(text, -1) {
		subjects[m[1]] = true
	}
	steps := strings.Count(section(t, "### 13.2 The step"), "\n") // upper bound of the number of steps
	for n := 1; n < steps; n++ {
		if !strings.Contains(text, fmt.Sprintf("\n%d. ", n)) {
			steps = n - 1
		}
	}
	for _, path := range sources(t) {
		b, err := os.ReadFile(path)
		if err != nil {
			t.Fatal(err)
		}
		code := string(b)
		if strings.Contains(code, "docs/wire/bedrock.md,") {
			for _, m := range citationPattern.FindAllStringSubmatch(wrappedPattern.ReplaceAllString(code, " "), -1) {
				if words := subjectWords(m[1]); !citedRulePattern.MatchString(m[1]) && !matchesAnchor(subjects, words) {
					t.Errorf("%s cites %q, which the document lacks", path, m[0])
				}
				for _, s := range citedStepPattern.FindAllStringSubmatch(m[1], -1) {
					if n, _ := strconv.Atoi(s[1]); n < 1 || n > steps {
						t.Errorf("%s cites step %d of %d", path, n, steps)
					}
				}
			}
		}
		for line := range strings.Lines(code) {
			if !hasRuleName(line) {
				continue // the expressions below are slow under the race detector
			}
			for _, rule := range citedRulePattern.FindAllString(line, -1) {
				if !rules[rule] {
					t.Errorf("%s cites %s, which the document lacks", path, rule)
				}
			}
			for _, name := range scenarioPattern.FindAllString(line, -1) {
				if isBedrockFile(path) && !strings.Contains(text, "\n| "+name+" |") {
					t.Errorf("%s cites %s, which the document lacks", path, name)
				}
			}
		}
	}
}

// hasRuleName reports whether a line has a capital letter, a hyphen and a digit in sequence, as all names of rules have.
func hasRuleName(line string) bool {
	for i := strings.IndexByte(line, '-'); i >= 0 && i+1 < len(line); {
		if i > 0 && 'A' <= line[i-1] && line[i-1] <= 'Z' && '0' <= line[i+1] && line[i+1] <= '9' {
			return true
		}
		next := strings.IndexByte(line[i+1:], '-')
		if next < 0 {
			break
		}
		i += 1 + next
	}
	return false
}

// subjectWords splits a citation into words as they occur in anchors: in lower case, without commas and backquotes.
func subjectWords(text string) []string {
	text = strings.NewReplacer(",", " ", "`", " ").Replace(strings.ToLower(text))
	return strings.Fields(text)
}

// matchesAnchor reports whether the first words of a citation are the name of an anchor. Words after the name are
// ignored, because the citing sentence may continue.
func matchesAnchor(anchors map[string]bool, words []string) bool {
	for n := len(words); n > 0; n-- {
		if anchors[strings.Join(words[:n], "-")] {
			return true
		}
	}
	return false
}

// isBedrockFile reports whether a file may cite the numbered scenarios of the wire document.
func isBedrockFile(path string) bool {
	return strings.Contains(path, "bedrock") || strings.Contains(path, "client/rewind") || strings.Contains(path, "predict")
}

// sources lists the Go files of the module and the scripts of the Bedrock end-to-end test.
func sources(t *testing.T) (files []string) {
	t.Helper()
	err := filepath.WalkDir("../..", func(path string, d fs.DirEntry, err error) error {
		switch {
		case err != nil:
			return err
		case d.IsDir() && (d.Name() == "node_modules" || path != "../.." && strings.HasPrefix(d.Name(), ".")):
			return fs.SkipDir
		case strings.HasSuffix(path, ".go") && path != "docs_test.go" && filepath.Base(path) != "docs_test.go",
			strings.HasSuffix(path, ".mjs") && (strings.Contains(path, "e2e/bedrock") || strings.Contains(path, "e2e/world")):
			files = append(files, path)
		}
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	return files
}
