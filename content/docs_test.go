package content

import (
	"os"
	"regexp"
	"strings"
	"testing"

	"github.com/truestep-io/truestep/sim/terrain"
)

// tomlBlocks returns the TOML examples in a document.
func tomlBlocks(doc string) (blocks []string) {
	for _, part := range strings.Split(doc, "```toml\n")[1:] {
		block, _, _ := strings.Cut(part, "```")
		blocks = append(blocks, block)
	}
	return blocks
}

func TestWorldExamplesInDocumentationAreLoaded(t *testing.T) {
	doc, err := os.ReadFile("../docs/world-file.md")
	if err != nil {
		t.Fatal(err)
	}
	blocks := tomlBlocks(string(doc))
	if len(blocks) != 2 {
		t.Fatalf("%d examples, want the smallest world and a script", len(blocks))
	}
	for src, what := range map[string]string{blocks[0]: "the smallest world", blocks[0] + blocks[1]: "with the script"} {
		if _, warnings, err := LoadWorld("world-file.md", []byte(src)); err != nil || len(warnings) > 0 {
			t.Errorf("%s: %v, %v", what, err, warnings)
		}
	}
}

// Every key that the embedded world or a test world uses is documented, and so is every kind of block.
func TestEveryWorldFileKeyIsDocumented(t *testing.T) {
	doc, err := os.ReadFile("../docs/world-file.md")
	if err != nil {
		t.Fatal(err)
	}
	words := map[string]bool{}
	for _, word := range regexp.MustCompile(`\w+`).FindAllString(string(doc), -1) {
		words[word] = true
	}
	for id := range terrain.BlockKindCount() {
		if word := terrain.BlockID(id).Kind().Word; !words[word] {
			t.Errorf("block %q is not in the document", word)
		}
	}
	pictured := string(hilly("relief = 5\nheightmap_at = [0, 0]"))
	for _, src := range []string{tinyTOML + gameTOML, blocky, pictured, string(defaultTOML)} {
		root, _ := parseTOML("x.toml", []byte(src))
		for path := range root.src.lines {
			key := path[strings.LastIndexByte(path, '.')+1:]
			key, _, _ = strings.Cut(key, "[")
			if key != "" && key[0] >= 'a' && !words[key] { // names, for example of factions, begin with a capital letter and are not keys
				t.Errorf("%s: key %q is not in the document", path, key)
			}
		}
	}
}
