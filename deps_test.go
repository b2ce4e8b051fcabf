package truestep

import (
	"go/ast"
	"go/parser"
	"go/token"
	"io/fs"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
)

const module = "github.com/truestep-io/truestep/"

// mayImport is the import table: the folders of this module that each folder may import. "sim/*" stands for every folder
// directly below sim, "*" for every folder. A folder without an entry fails the test. A commit that changes the table says so
// in its subject.
var mayImport = map[string]string{
	"sim/geom":                "",
	"sim/rng":                 "",
	"sim/reason":              "",
	"sim/terrain":             "sim/geom",
	"sim/move":                "sim/geom sim/terrain sim/reason",
	"sim/combat":              "sim/geom sim/rng sim/reason",
	"sim":                     "sim/*",
	"content":                 "content/appearance sim sim/* internal/cp1252",
	"content/appearance":      "",
	"interest":                "sim sim/geom",
	"proto/wire":              "",
	"proto/rcce":              "proto/wire",
	"proto/rs":                "proto/wire",
	"proto/enet":              "proto/wire",
	"proto/raknet":            "proto/wire",
	"proto/bedrock":           "proto/wire",
	"proto/web":               "proto/wire",
	"proto/bedrock/auth":      "proto/wire proto/bedrock",
	"store":                   "sim sim/*",
	"store/filelock":          "",
	"store/ledger":            "internal/fsync",
	"store/sqlite":            "store store/filelock store/ledger sim sim/* telemetry internal/cp1252 internal/fileowner internal/fsync internal/sqlitefile",
	"store/postgres":          "store store/ledger sim sim/* telemetry",
	"store/storetest":         "store sim sim/*",
	"telemetry":               "",
	"admission":               "proto/wire",
	"area":                    "sim sim/reason telemetry",
	"tape":                    "sim sim/move area telemetry internal/fsync",
	"journal":                 "sim sim/* area telemetry internal/cp1252 internal/duration internal/sqlitefile",
	"chatlog":                 "sim sim/geom area telemetry internal/sqlitefile",
	"session":                 "admission area interest sim sim/* store telemetry internal/argon2id",
	"gateway":                 "admission content/appearance session area interest sim sim/* proto/* telemetry",
	"gateway/rcce":            "admission gateway content/appearance session area interest sim sim/* store proto/* telemetry internal/cp1252",
	"gateway/rs":              "admission gateway content/appearance session area interest sim sim/* store proto/* telemetry internal/cp1252",
	"gateway/bedrock":         "admission gateway content/appearance session area interest sim sim/* store proto/* proto/bedrock/auth telemetry",
	"gateway/web":             "admission gateway session area interest sim sim/* proto/web proto/wire telemetry",
	"worldmap":                "content/appearance sim sim/geom sim/terrain",
	"history":                 "",
	"webhook":                 "",
	"console":                 "admission area chatlog cluster cluster/link content/appearance history worldmap session journal store store/filelock tape telemetry sim sim/* internal/duration internal/fileowner internal/fsync",
	"console/*":               "console internal/duration internal/terminal",
	"server":                  "*",
	"client/rewind":           "",
	"client/keys":             "sim/geom sim/move sim/terrain",
	"client/web":              "client/keys client/rewind sim/move sim/geom sim/terrain proto/web proto/wire",
	"client/bedrock":          "client/keys client/rewind sim/move sim/geom sim/terrain proto/* proto/bedrock/auth",
	"client/rcce":             "sim/move sim/geom proto/*",
	"client/rs":               "sim/move sim/geom proto/*",
	"dissect":                 "proto/* proto/bedrock/auth internal/pcap internal/rsscene internal/webscene internal/cp1252 sim/reason",
	"swarm":                   "client/bedrock client/keys client/rcce client/rs client/web console proto/* sim sim/geom sim/terrain internal/netsim internal/oracle",
	"swarm/demo":              "client/bedrock client/keys client/rcce client/rs client/web gateway proto/* server sim sim/* telemetry",
	"cluster":                 "area proto/wire cluster/link cluster/replica sim telemetry",
	"cluster/link":            "telemetry",
	"cluster/replica":         "proto/wire sim/rng",
	"cluster/raftlog":         "cluster/replica internal/fsync",
	"bench/login":             "e2e/process",
	"bench/compare":           "",
	"bench/mutations":         "bench/mutations/overlay",
	"bench/mutations/overlay": "",
	"bench/cluster":           "cluster/replica content internal/mixedplayers sim",
	"bench/peers/web/*":       "internal/crowd internal/netsim internal/webscene proto/web",
	"gametest":                "sim sim/*",
	"e2e/attack":              "client/bedrock client/keys client/rcce client/rs client/web e2e/process proto/enet proto/raknet proto/rcce proto/rs sim/geom",
	"e2e/cluster":             "bench/mutations/overlay client/bedrock client/keys client/rcce client/rs client/web content e2e/cluster/checker e2e/play e2e/process e2e/report e2e/truth internal/pgtest proto/rcce proto/rs proto/web sim sim/geom sim/terrain tape",
	"e2e/cluster/check":       "e2e/cluster/checker",
	"e2e/cluster/checker":     "",
	"e2e/kill":                "client/bedrock client/rcce client/rs e2e/play e2e/process e2e/report e2e/truth proto/rcce proto/rs sim sim/geom sim/terrain",
	"e2e/play":                "client/rcce e2e/truth sim sim/geom",
	"e2e/process":             "client/rs proto/rs",
	"e2e/report":              "",
	"e2e/truth":               "console e2e/process sim sim/geom sim/terrain",
	"internal/netsim":         "",
	"internal/pcap":           "",
	"internal/cp1252":         "",
	"internal/argon2id":       "",
	"internal/duration":       "",
	"internal/fileowner":      "",
	"internal/fsync":          "",
	"internal/*":              "*",
	"cmd/truestep":            "*",
	"examples/*":              "server sim sim/*",
}

// pure lists the folders whose code must not use a clock, global random numbers, I/O or goroutines.
var pure = []string{"sim", "sim/*", "interest", "proto/*", "proto/bedrock/*", "content", "content/appearance", "cluster/replica"}

// impure lists the packages that a pure folder must not import, each with all packages below it. net/netip and io/fs are allowed,
// because they only define data types and interfaces.
var impure = []string{"time", "math/rand", "crypto/rand", "os", "net", "syscall", "sync", "context", "log", "runtime", "unsafe"}

func TestPackagesImportOnlyWhatImportTableAllows(t *testing.T) {
	for _, f := range sourceFiles(t) {
		folder := filepath.ToSlash(filepath.Dir(f.path))
		allowed, ok := lookUp(folder)
		if !ok {
			t.Errorf("%s: folder %q has no entry in the import table mayImport of deps_test.go", f.path, folder)
			continue
		}
		for _, imp := range f.imports {
			if ours, found := strings.CutPrefix(imp, module); found {
				if !matches(strings.Fields(allowed), ours) {
					t.Errorf("%s: folder %q may not import %q; the import table mayImport allows: %s", f.path, folder, ours, allowed)
				}
			} else if matches(pure, folder) && isImpure(imp) {
				t.Errorf("%s: folder %q is pure and may not import %q", f.path, folder, imp)
			}
		}
	}
}

// maxProgramLines is the maximum number of lines of cmd/truestep without its tests. The program only parses flags, prints help
// and prints results; the work of a command belongs into the package of its subject.
const maxProgramLines = 2500

func TestCmdTruestepStaysBelowLineLimit(t *testing.T) {
	paths, err := filepath.Glob("cmd/truestep/*.go")
	if err != nil {
		t.Fatal(err)
	}
	lines := 0
	for _, path := range paths {
		if strings.HasSuffix(path, "_test.go") {
			continue
		}
		text, err := os.ReadFile(path)
		if err != nil {
			t.Fatal(err)
		}
		lines += strings.Count(string(text), "\n")
	}
	if lines == 0 || lines > maxProgramLines {
		t.Errorf("cmd/truestep has %d lines, want 1 to %d", lines, maxProgramLines)
	}
}

func isImpure(imp string) bool {
	return imp != "net/netip" && slices.ContainsFunc(impure, func(p string) bool {
		return imp == p || strings.HasPrefix(imp, p+"/")
	})
}

// Goroutines and channels would make the results of pure code depend on scheduling.
func TestPureFoldersHaveNoGoroutines(t *testing.T) {
	for _, f := range sourceFiles(t) {
		if !matches(pure, filepath.ToSlash(filepath.Dir(f.path))) {
			continue
		}
		set := token.NewFileSet()
		tree, err := parser.ParseFile(set, f.path, nil, 0)
		if err != nil {
			t.Fatal(err)
		}
		ast.Inspect(tree, func(n ast.Node) bool {
			switch n.(type) {
			case *ast.GoStmt, *ast.SelectStmt, *ast.SendStmt, *ast.ChanType:
				t.Errorf("%v: code of a pure folder (variable pure) uses a goroutine or a channel", set.Position(n.Pos()))
			}
			return true
		})
	}
}

// TestSimCodeContainsNoProtocolNames checks that no identifier and no string of sim names a protocol, and that no comment says what
// a door sends. Comments may cite documents, and say from which game a rule comes. The block bedrock is no protocol.
func TestSimCodeContainsNoProtocolNames(t *testing.T) {
	inCode := regexp.MustCompile(`(?i)rcce|realmcrafter|runescape|minecraft|raknet|bedrock\w|\wbedrock`)
	inComment := regexp.MustCompile(`(?i)minecraft:|\b(rcce|realmcrafter|runescape|rs|bedrock|web) (protocol|clients?|doors?|packets?)`)
	for _, f := range sourceFiles(t) {
		if !matches([]string{"sim", "sim/*"}, filepath.ToSlash(filepath.Dir(f.path))) {
			continue
		}
		set := token.NewFileSet()
		tree, err := parser.ParseFile(set, f.path, nil, parser.ParseComments|parser.SkipObjectResolution)
		if err != nil {
			t.Fatal(err)
		}
		report := func(at token.Pos, text string, forbidden *regexp.Regexp) {
			if found := forbidden.FindString(text); found != "" {
				t.Errorf("%v: sim knows no protocol, but names %q", set.Position(at), found)
			}
		}
		ast.Inspect(tree, func(n ast.Node) bool {
			switch n := n.(type) {
			case *ast.Ident:
				report(n.Pos(), n.Name, inCode)
			case *ast.BasicLit:
				report(n.Pos(), n.Value, inCode)
			}
			return true
		})
		for _, c := range tree.Comments {
			report(c.Pos(), strings.ReplaceAll(c.Text(), "\n", " "), inComment)
		}
	}
}

// ownPlayerCode lists the functions of doors that use the movement authority, or the prediction state, of a player: only that of
// the client's own player. Doors show all other actors by properties that any authority can set, such as sim.FlagOnTiles.
var ownPlayerCode = []string{
	"gateway/bedrock newConn", "gateway/rs handleLogin", "gateway/web newPeer", // they set the authority of players who log in
	"gateway/bedrock Arrive", "gateway/bedrock sendWorld", "gateway/web welcome", // first state
	"gateway/bedrock Show", "gateway/web Show", // they send the tick of the client's last input
	"gateway/bedrock sendEffects", "gateway/bedrock resendEffects", "gateway/bedrock sendRespawn", "gateway/bedrock syncRide",
}

func TestDoorsReadMovementAuthorityOnlyOfOwnPlayers(t *testing.T) {
	authority := []string{"Authority", "ByClaim", "ByPath", "ByInput", "Prediction", "PredictionState"}
	readers := []string{"gateway", "gateway/*", "client/*", "console", "dissect", "interest", "server", "worldmap"}
	used := map[string]bool{}
	for _, f := range sourceFiles(t) {
		folder := filepath.ToSlash(filepath.Dir(f.path))
		if !matches(readers, folder) {
			continue
		}
		set := token.NewFileSet()
		tree, err := parser.ParseFile(set, f.path, nil, parser.SkipObjectResolution)
		if err != nil {
			t.Fatal(err)
		}
		for _, d := range tree.Decls {
			place := folder + " declarations"
			if fn, ok := d.(*ast.FuncDecl); ok {
				place = folder + " " + fn.Name.Name
			}
			ast.Inspect(d, func(n ast.Node) bool {
				if id, ok := n.(*ast.Ident); ok && slices.Contains(authority, id.Name) {
					used[place] = true
					if !slices.Contains(ownPlayerCode, place) {
						t.Errorf("%v: %q uses %s; a door shows actors without asking which authority moves them (if the actor is the client's own player, add the function to ownPlayerCode)", set.Position(id.Pos()), place, id.Name)
					}
				}
				return true
			})
		}
	}
	for _, place := range ownPlayerCode {
		if !used[place] {
			t.Errorf("%q of ownPlayerCode does not exist or no longer uses an authority", place)
		}
	}
}

func TestFoldersHaveNoGenericNames(t *testing.T) {
	for _, f := range sourceFiles(t) {
		for _, part := range strings.Split(filepath.ToSlash(filepath.Dir(f.path)), "/") {
			if slices.Contains([]string{"util", "utils", "common", "base", "core", "engine", "manager", "helper", "helpers"}, part) {
				t.Errorf("%s: the folder name %q is generic; name the folder after what it provides", f.path, part)
			}
		}
	}
}

// source is a Go file that is not a test, and its imports.
type source struct {
	path    string
	imports []string
}

func sourceFiles(t *testing.T) []source {
	t.Helper()
	var files []source
	err := filepath.WalkDir(".", func(path string, d fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		if d.IsDir() && path != "." && (strings.HasPrefix(d.Name(), ".") || d.Name() == "node_modules" || d.Name() == "testdata") {
			return filepath.SkipDir
		}
		if d.IsDir() || !strings.HasSuffix(path, ".go") || strings.HasSuffix(path, "_test.go") || filepath.Dir(path) == "." {
			return nil
		}
		parsed, err := parser.ParseFile(token.NewFileSet(), path, nil, parser.ImportsOnly)
		if err != nil {
			return err
		}
		f := source{path: path}
		for _, imp := range parsed.Imports {
			f.imports = append(f.imports, strings.Trim(imp.Path.Value, `"`))
		}
		files = append(files, f)
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	if len(files) == 0 {
		t.Fatal("no source files found")
	}
	return files
}

// lookUp returns the entry of a folder in mayImport. An entry with the folder's name precedes one with a wildcard.
func lookUp(folder string) (string, bool) {
	if row, ok := mayImport[folder]; ok {
		return row, true
	}
	row, ok := mayImport[filepath.ToSlash(filepath.Dir(folder))+"/*"]
	return row, ok
}

// matches reports whether one of patterns matches the folder name. "x/*" matches every folder directly below x, "*" every folder.
func matches(patterns []string, name string) bool {
	return slices.ContainsFunc(patterns, func(p string) bool {
		return p == "*" || p == name || strings.HasSuffix(p, "/*") && filepath.ToSlash(filepath.Dir(name)) == strings.TrimSuffix(p, "/*")
	})
}
