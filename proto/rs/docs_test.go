package rs

import (
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
)

// The tests in this file check that the wire document, which authors of clients use, agrees with the codec.

func document(t *testing.T) string {
	t.Helper()
	text, err := os.ReadFile("../../docs/wire/rs.md")
	if err != nil {
		t.Fatal(err)
	}
	return string(text)
}

// withoutSpace removes spaces and line breaks.
func withoutSpace(text string) string { return strings.NewReplacer(" ", "", "\n", "").Replace(text) }

func TestWireDocListsEveryOpcode(t *testing.T) {
	text := document(t)
	client, server, found := strings.Cut(text, "#### 8.7.2 Server opcodes")
	if !found {
		t.Fatal("docs/wire/rs.md has no section of server opcodes")
	}
	for dir, part := range map[Direction]string{C2S: client, S2C: server} {
		for _, row := range Table(dir) {
			name := row.Name
			if row.Parseable() || dir == S2C && row.Op == ServerPlayerInfo {
				name = "**" + name + "**"
			}
			if row.ZoneOnly {
				name += " †"
			}
			size := fmt.Sprint(int(row.Size))
			switch row.Size {
			case SizeByte:
				size = "u8"
			case SizeShort:
				size = "u16"
			}
			if cell := fmt.Sprintf("| %d | %s | %s |", row.Op, size, name); !strings.Contains(part, cell) {
				t.Errorf("%v: %q is missing in docs/wire/rs.md", dir, cell)
			}
		}
	}
}

func TestWireDocListsEveryInfoBlock(t *testing.T) {
	digits := withoutSpace(document(t))
	for _, p := range Profiles() {
		_, part, found := strings.Cut(digits, map[int]string{634: "6.5Profile634", 667: "6.4Profile667", 239: "6.6ProfileOSRS239"}[p.Revision])
		if !found {
			t.Fatalf("%s has no section", p.Name)
		}
		for i, b := range p.Blocks {
			row := withoutSpace(fmt.Sprintf("|%d|%x|%v|`%s`|", i+1, b.Bit, b.Kind, b.Fields))
			at := strings.Index(part, row)
			if at < 0 {
				t.Errorf("%s: %s is missing in docs/wire/rs.md or out of order", p.Name, row)
				continue
			}
			part = part[at:]
		}
	}
}

func TestWireDocExplainsEveryInfoKind(t *testing.T) {
	_, part, _ := strings.Cut(document(t), "### 6.3")
	part, _, _ = strings.Cut(part, "### 6.4")
	for k := range numKinds {
		name := k.String()
		if strings.HasPrefix(name, "GFX") {
			name = "GFX"
		}
		if !strings.Contains(part, name) {
			t.Errorf("%v is not explained in section 6.3", k)
		}
		if kindTable[k].persistent && !strings.Contains(part, "**"+name+"**") {
			t.Errorf("%v is not marked as persistent in section 6.3", k)
		}
	}
}

func TestWireDocHasEveryTestVector(t *testing.T) {
	digits := withoutSpace(document(t))
	has := func(name, code string) {
		if !strings.Contains(digits, "`"+code+"`") {
			t.Errorf("%s: %s is missing in docs/wire/rs.md", name, code)
		}
	}
	for _, scene := range infoScenes {
		for _, v := range scene.packets {
			has(v.name, v.hex)
			row := withoutSpace(fmt.Sprintf("|`%s`|%s|%s|", v.hex, strings.ReplaceAll(strings.ReplaceAll(v.bits, " ", `\|`), "*", "..."), v.want))
			if !strings.Contains(digits, row) {
				t.Errorf("%s: the row %s is missing in docs/wire/rs.md", v.name, row)
			}
		}
	}
	for _, v := range packetVectors() {
		has(v.id, withoutSpace(v.frame))
	}
	for _, p := range []struct {
		own     Index
		at      Tile
		squares map[int]MapSquare
	}{
		{1, Tile{X: 3200, Z: 3200}, map[int]MapSquare{2: 50<<8 | 50, 3: 2<<16 | 100<<8 | 40}},
		{2047, Tile{X: 3093, Z: 3493, Plane: 1}, map[int]MapSquare{1: 48<<8 | 54}},
	} {
		var squares [indexSlots]MapSquare
		for i, s := range p.squares {
			squares[i] = s
		}
		b := AppendPlacement(nil, p.own, p.at, &squares)
		sum := sha256.Sum256(b)
		has("placement", hex.EncodeToString(b[:16]))
		has("placement", hex.EncodeToString(sum[:]))
	}
}

// Section 8.6 of the document shows a login byte by byte.
func TestWireDocHasExampleLogin(t *testing.T) {
	digits := withoutSpace(document(t))
	key := testKey(t)
	secret := RSABlock{Keys: Keys{0x11111111, 0x22222222, 0x33333333, 0x44444444}, Password: "swordfish"}
	details := LoginDetails{Username: "Zezima", Context: 255, WindowMode: WindowResizable, Width: 1024, Height: 768, Options: []byte{25}}
	for i := range details.UID {
		details.UID[i] = 0xff
	}
	plain := secret.Append(nil)
	sealed, err := key.Encrypt(plain)
	if err != nil {
		t.Fatal(err)
	}
	zone := details.Append(nil)
	hidden := append([]byte(nil), zone...)
	XTEAEncrypt(secret.Keys, hidden)
	request, err := AppendLogin(nil, &key.PublicKey, false, secret, details)
	if err != nil {
		t.Fatal(err)
	}
	for what, b := range map[string][]byte{
		"secret": plain, "rsa": sealed, "details": zone[:24], "xtea": hidden[:24], "request": request[:14],
		"answer": Response{Code: ResponseOK, Body: Welcome{Index: 1, Member: 1}.Append(nil)}.Append(nil),
	} {
		if !strings.Contains(digits, "`"+hex.EncodeToString(b)+"`") {
			t.Errorf("%s: %x is missing in docs/wire/rs.md", what, b)
		}
	}
	for _, size := range []int{len(zone), len(request)} {
		if !strings.Contains(digits, fmt.Sprintf("%dbytes", size)) {
			t.Errorf("docs/wire/rs.md does not mention %d bytes", size)
		}
	}
}

func TestWireDocListsHuffmanCodeLengthsOfChat(t *testing.T) {
	_, part, _ := strings.Cut(document(t), "#### 8.7.6")
	_, part, _ = strings.Cut(part, "```")
	part, _, _ = strings.Cut(part, "```")
	at := 0
	for _, word := range strings.Fields(part) {
		length, times := 0, 1
		if n, _ := fmt.Sscanf(word, "%dx%d", &length, &times); n == 0 {
			t.Fatalf("%q is not a code length", word)
		}
		for range times {
			if at < 256 && int(chatLengths[at]) != length {
				t.Fatalf("byte %d has %d bits, %d in the document", at, chatLengths[at], length)
			}
			at++
		}
	}
	if at != 256 {
		t.Errorf("the document has %d lengths", at)
	}
}

// Comments cite the document as "docs/wire/rs.md, subject" or "wire section 1.2". The cited subject or section must exist.
func TestCommentsCiteExistingWireDocSections(t *testing.T) {
	text := document(t)
	subjects, numbers := map[string]bool{}, map[string]bool{}
	for _, m := range regexp.MustCompile(`<a id="([a-z0-9-]+)"></a>`).FindAllStringSubmatch(text, -1) {
		subjects[m[1]] = true
	}
	for _, m := range regexp.MustCompile(`(?m)^#+ ([0-9.]*[0-9])`).FindAllStringSubmatch(text, -1) {
		numbers[m[1]] = true
	}
	bySubject := regexp.MustCompile(`(?i)docs/wire/rs\.md, [a-z0-9 ]+`)
	byNumber := regexp.MustCompile(`wire section ([0-9.]*[0-9])`)
	wrapped := regexp.MustCompile(`\n\s*//\s*`)
	for _, file := range goFiles(t) {
		b, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		if code := string(b); !strings.Contains(code, "wire/rs.md,") && !(strings.Contains(code, "wire") && strings.Contains(code, "section ")) {
			continue // the expressions below are slow under the race detector
		}
		comments := wrapped.ReplaceAllString(string(b), " ")
		for _, m := range bySubject.FindAllString(comments, -1) {
			subject := strings.Fields(strings.ToLower(m))[1:]
			if subject[0] == "vector" {
				subject[0] = "vectors"
			}
			if !matchesAnchor(subjects, subject) {
				t.Errorf("%s cites %q, which docs/wire/rs.md lacks", file, m)
			}
		}
		for _, m := range byNumber.FindAllStringSubmatch(comments, -1) {
			if !numbers[m[1]] {
				t.Errorf("%s cites section %s, which docs/wire/rs.md lacks", file, m[1])
			}
		}
	}
}

// matchesAnchor reports whether the first words of a citation are the name of an anchor. It ignores the words after them.
func matchesAnchor(anchors map[string]bool, words []string) bool {
	for n := len(words); n > 0; n-- {
		if anchors[strings.Join(words[:n], "-")] {
			return true
		}
	}
	return false
}

// goFiles returns the Go files of the module that may cite the document.
func goFiles(t *testing.T) (files []string) {
	t.Helper()
	err := filepath.WalkDir("../..", func(path string, d fs.DirEntry, err error) error {
		switch {
		case err != nil:
			return err
		case d.IsDir() && (d.Name() == "node_modules" || path != "../.." && strings.HasPrefix(d.Name(), ".")):
			return fs.SkipDir
		case strings.HasSuffix(path, ".go") && filepath.Base(path) != "docs_test.go":
			files = append(files, path)
		}
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	return files
}
