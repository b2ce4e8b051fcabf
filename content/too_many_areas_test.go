package content

import (
	"strings"
	"testing"
	"testing/fstest"

	"github.com/truestep-io/truestep/sim"
)

func TestWorldWithTooManyAreasIsRefusedWithOneLine(t *testing.T) {
	if why := tooManyAreas(sim.MaxAreas); why != "" {
		t.Errorf("%d areas: %s", sim.MaxAreas, why)
	}
	const want = "the world has 4097 areas, at most 4096 are possible, because the handle of an item on the ground contains the index of its area: leave out 1 of them"
	file := "name = \"Vast\"\n" + strings.Repeat("[[area]]\n", sim.MaxAreas+1)
	if _, _, err := LoadWorld("vast.toml", []byte(file)); err == nil || err.Error() != "vast.toml:4098: "+want {
		t.Errorf("a world file: %v", err)
	}
	files := fstest.MapFS{}
	for i := range sim.MaxAreas + 1 {
		files["Server Data/Areas/"+strings.Repeat("x", i%90)+string(rune('a'+i/90%26))+string(rune('a'+i/90/26))+".dat"] = &fstest.MapFile{}
	}
	if len(files) != sim.MaxAreas+1 {
		t.Fatalf("%d files", len(files))
	}
	p, err := openProject(files)
	if err != nil {
		t.Fatal(err)
	}
	readAreas(p, &rcProject{})
	if len(p.problems) != 1 || !strings.HasSuffix(p.problems[0].String(), want) {
		t.Errorf("a project: %v", p.problems)
	}
}
