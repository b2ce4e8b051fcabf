package server

import (
	"crypto/sha256"
	goflag "flag"
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

var update = goflag.Bool("update", false, "rewrite testdata/formats.txt")

// formatConstants lists the version constants of all formats in which the nodes of a cluster send each other data or write
// the logs of the areas. An element is the file and the name of a constant.
var formatConstants = [][2]string{
	{"sim/snapshot.go", "snapshotVersion"},
	{"sim/codec_intent.go", "codecVersion"},
	{"cluster/batch.go", "batchVersion"},
	{"cluster/state.go", "snapshotVersion"},
	{"cluster/link/hello.go", "formatVersion"},
	{"cluster/raftlog/format.go", "formatVersion"},
}

// formatVectors are files with encoded messages. For each file, a test of the file's package compares the encoders with the file.
var formatVectors = []string{"cluster/testdata/formats.txt", "cluster/link/testdata/formats.txt", "cluster/replica/testdata/formats.txt", "console/testdata/forward.txt"}

// ruleTests are tests with golden hashes. Those of package sim change when a tick gives another result, that of package content when
// the same world file is read as another world, as by another default of a rule.
var ruleTests = [][2]string{
	{"sim/replay_test.go", "TestStateHashAfter2000TicksEqualsGoldenHash"},
	{"sim/authority_golden_test.go", "TestStateHashOfEveryAuthorityEqualsGoldenHash"},
	{"sim/authority_predict_ride_golden_test.go", "TestStateHashOfRidersEqualsGoldenHash"},
	{"content/compiled_golden_test.go", "TestCompiledWorldsEqualGoldenHashes"},
}

// newestMigration returns the file name of the newest migration of the database that the nodes share. A node does not migrate tables that
// other nodes use, so nodes with and without a migration cannot run together.
func newestMigration(t *testing.T) string {
	list, err := filepath.Glob("../store/postgres/migrations/*.sql")
	if err != nil || len(list) == 0 {
		t.Fatal(list, err)
	}
	return "store/postgres/migrations/" + filepath.Base(slices.Max(list))
}

// The nodes of a cluster compare the text clusterFormats only. So it must change with every format and every rule, or nodes would diverge,
// and with every migration.
func TestChangedEncodingOrRuleRequiresNewClusterFormatVersion(t *testing.T) {
	have := []string{"formats " + clusterFormats}
	for _, c := range formatConstants {
		have = append(have, fmt.Sprintf("%s %s %s", c[0], c[1], constantOf(t, c[0], c[1])))
	}
	for _, name := range formatVectors {
		text, err := os.ReadFile(filepath.Join("..", name))
		if err != nil {
			t.Fatal(err)
		}
		have = append(have, fmt.Sprintf("%s sha256 %x", name, sha256.Sum256(text)))
	}
	for _, c := range ruleTests {
		have = append(have, fmt.Sprintf("%s %s %s", c[0], c[1], strings.Join(goldenHashes(t, c[0], c[1]), " ")))
	}
	have = append(have, "newest migration "+newestMigration(t))
	const golden = "testdata/formats.txt"
	text, err := os.ReadFile(golden)
	if err != nil && !*update {
		t.Fatal(err)
	}
	want := strings.Split(strings.TrimSpace(string(text)), "\n")
	if slices.Equal(have, want) {
		return
	}
	if want[0] == have[0] {
		t.Fatalf("%s has changed, so nodes with and without the change must not form a cluster: raise clusterFormats in server/cluster.go, then run go test ./server -run ClusterFormatVersion -update", firstChange(want, have))
	}
	if !*update {
		t.Fatalf("clusterFormats is %q, and %s is of %q: run go test ./server -run ClusterFormatVersion -update", have[0], golden, want[0])
	}
	if err := os.WriteFile(golden, []byte(strings.Join(have, "\n")+"\n"), 0o644); err != nil {
		t.Fatal(err)
	}
}

// firstChange describes the first difference between two lists of lines.
func firstChange(was, is []string) string {
	i := 0
	for i < min(len(was), len(is)) && was[i] == is[i] {
		i++
	}
	if i == len(is) {
		return was[i]
	}
	return is[i]
}

// parseSource parses a Go file of the module.
func parseSource(t *testing.T, file string) *ast.File {
	parsed, err := parser.ParseFile(token.NewFileSet(), filepath.Join("..", file), nil, 0)
	if err != nil {
		t.Fatal(err)
	}
	return parsed
}

// constantOf returns the literal value of a constant in a file.
func constantOf(t *testing.T, file, name string) (value string) {
	ast.Inspect(parseSource(t, file), func(n ast.Node) bool {
		if spec, ok := n.(*ast.ValueSpec); ok && len(spec.Values) == len(spec.Names) {
			for i := range spec.Names {
				if literal, ok := spec.Values[i].(*ast.BasicLit); ok && spec.Names[i].Name == name {
					value = literal.Value
				}
			}
		}
		return true
	})
	if value == "" {
		t.Fatalf("%s has no constant %s with a literal value", file, name)
	}
	return value
}

// goldenHashes returns the 64-bit hexadecimal literals in a function.
func goldenHashes(t *testing.T, file, function string) (list []string) {
	for _, d := range parseSource(t, file).Decls {
		if f, ok := d.(*ast.FuncDecl); ok && f.Name.Name == function {
			ast.Inspect(f, func(n ast.Node) bool {
				if l, ok := n.(*ast.BasicLit); ok && strings.HasPrefix(l.Value, "0x") && len(l.Value) > 10 {
					list = append(list, l.Value)
				}
				return true
			})
		}
	}
	if len(list) == 0 {
		t.Fatalf("%s has no function %s with a golden hash", file, function)
	}
	return list
}
