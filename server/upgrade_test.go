package server_test

import (
	"archive/tar"
	"compress/gzip"
	"context"
	"crypto/md5"
	"encoding/hex"
	"encoding/json"
	"errors"
	"io"
	"log/slog"
	"net/netip"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/truestep-io/truestep/chatlog"
	"github.com/truestep-io/truestep/console"
	"github.com/truestep-io/truestep/gateway"
	"github.com/truestep-io/truestep/gateway/bedrock"
	"github.com/truestep-io/truestep/gateway/rcce"
	"github.com/truestep-io/truestep/gateway/rs"
	"github.com/truestep-io/truestep/gateway/web"
	"github.com/truestep-io/truestep/history"
	"github.com/truestep-io/truestep/journal"
	"github.com/truestep-io/truestep/server"
	"github.com/truestep-io/truestep/session"
	"github.com/truestep-io/truestep/sim"
	"github.com/truestep-io/truestep/store"
	"github.com/truestep-io/truestep/store/sqlite"
	"github.com/truestep-io/truestep/swarm/demo"
)

// releaseManifest is manifest.json of an archive that scripts/release-data.py has recorded.
type releaseManifest struct {
	Version, Operator, Recorded string
	Stopped, Killed             releaseFolder
}

// firstRelease is the only archive without access lists, chat, history and backup: it was recorded before archives contained these.
const firstRelease = "0.0.0-bdf19625"

// releaseFolder is what the store, the journal and the tape of a data folder contain.
type releaseFolder struct {
	Accounts []struct {
		Name   string
		Banned bool
	}
	Characters []releaseCharacter
	Access     []releaseRule
	Chat       []string    // texts of operators in the chat log
	Held       string      // a player with a held claim in the journal
	Actions    [][2]string // action and account of each operator action
	Stretches  int         // number of segments of the tape
}

type releaseCharacter struct {
	Account, Name, Door, Area string
	Level, Gold               int32
	Items                     [][3]int // slot, item, amount
}

// releaseRule is an entry of the access lists; Timed says that it has an end.
type releaseRule struct {
	Kind, Account, Network, Reason string
	Timed                          bool
}

// This version opens the data folders that all released versions have written, as docs/upgrades.md promises.
func TestServerStartsWithDataFolderOfEveryRelease(t *testing.T) {
	archives, err := filepath.Glob("testdata/releases/*.tar.gz")
	if err != nil || len(archives) == 0 {
		t.Fatalf("no recorded releases: %v", err)
	}
	for _, archive := range archives {
		t.Run(strings.TrimSuffix(filepath.Base(archive), ".tar.gz"), func(t *testing.T) {
			dir := t.TempDir()
			unpack(t, archive, dir)
			text, err := os.ReadFile(filepath.Join(dir, "manifest.json"))
			if err != nil {
				t.Fatal(err)
			}
			var m releaseManifest
			if err := json.Unmarshal(text, &m); err != nil {
				t.Fatal(err)
			}
			t.Run("stopped", func(t *testing.T) { testStoppedFolder(t, filepath.Join(dir, "stopped"), &m) })
			t.Run("killed", func(t *testing.T) { testKilledFolder(t, filepath.Join(dir, "killed"), &m) })
			if !strings.Contains(archive, firstRelease) {
				t.Run("backup", func(t *testing.T) { testBackup(t, filepath.Join(dir, "backup"), &m) })
			}
		})
	}
}

func unpack(t *testing.T, archive, dir string) {
	t.Helper()
	f, err := os.Open(archive)
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	z, err := gzip.NewReader(f)
	if err != nil {
		t.Fatal(err)
	}
	for r := tar.NewReader(z); ; {
		h, err := r.Next()
		if errors.Is(err, io.EOF) {
			return
		}
		if err != nil {
			t.Fatal(err)
		}
		path := filepath.Join(dir, filepath.FromSlash(h.Name))
		if h.Typeflag == tar.TypeDir {
			err = os.MkdirAll(path, 0o700)
		} else {
			var b []byte
			if b, err = io.ReadAll(r); err == nil {
				err = os.WriteFile(path, b, 0o600)
			}
		}
		if err != nil {
			t.Fatal(err)
		}
	}
}

// upgradeConfig returns a configuration that serves a data folder with every door on a free port of this machine. The retention times
// are so long that no part of the tape or the journal is deleted for being too old.
func upgradeConfig(dir string) server.Config {
	cfg := server.Default()
	cfg.DataDir, cfg.Console, cfg.Metrics, cfg.Log = dir, gateway.Off, gateway.Off, slog.New(slog.DiscardHandler)
	cfg.TapeRetain, cfg.JournalRetain = "87600h", 87600*time.Hour
	for _, d := range cfg.Doors {
		switch s := d.Settings().(type) {
		case *rcce.Config:
			s.Rcce = "127.0.0.1:0"
		case *rs.Config:
			s.Rs = "127.0.0.1:0"
		case *bedrock.Config:
			s.Bedrock = "127.0.0.1:0"
		case *web.Config:
			s.Web = "127.0.0.1:0"
		}
	}
	return cfg
}

// testBackup restores the backup that a released version has made of its data folder after its server had stopped.
func testBackup(t *testing.T, file string, m *releaseManifest) {
	dir := filepath.Join(t.TempDir(), "restored")
	sum, _, err := sqlite.Restore(t.Context(), file, dir, false, nil)
	if err != nil {
		t.Fatal(err)
	}
	checkStore(t, dir, &m.Stopped)
	checkJournal(t, dir, &m.Stopped)
	checkCommunity(t, dir, m, &m.Stopped)
	if n := countSegments(t, sum.Tape); n != m.Stopped.Stretches {
		t.Errorf("the tape of the backup has %d segments, want %d", n, m.Stopped.Stretches)
	}
}

func testStoppedFolder(t *testing.T, dir string, m *releaseManifest) {
	checkStore(t, dir, &m.Stopped)
	cfg := upgradeConfig(dir)
	s, err := server.Start(t.Context(), cfg)
	if err != nil {
		t.Fatal(err)
	}
	if n := len(s.World().Restored()); n != 0 {
		t.Errorf("%d players of a server that was stopped are restored", n)
	}
	checkLogins(t, s, dir, &m.Stopped)
	if err := s.Close(); err != nil {
		t.Fatal(err)
	}
	checkJournal(t, dir, &m.Stopped)
	checkCommunity(t, dir, m, &m.Stopped)
	operators, err := console.Operators(filepath.Join(dir, console.TokensFile))
	if err != nil || len(operators) != 1 || operators[0].Name != m.Operator || operators[0].Role != console.Moderator {
		t.Errorf("operators %+v, %v; want the moderator %s", operators, err, m.Operator)
	}
	if aside := tapesSetAside(t, dir); len(aside) != 0 {
		t.Errorf("the tape of a server that was stopped was set aside: %q", aside)
	}
	if n := countSegments(t, filepath.Join(dir, sqlite.TapeFolder)); n <= m.Stopped.Stretches {
		t.Errorf("the tape has %d segments; want the %d of the release and those of the new run", n, m.Stopped.Stretches)
	}
}

func testKilledFolder(t *testing.T, dir string, m *releaseManifest) {
	cfg := upgradeConfig(dir)
	s, err := server.Start(t.Context(), cfg)
	if err == nil {
		s.Close()
		t.Fatal("a tape that another build left in the middle of play was not refused")
	}
	if text := err.Error(); strings.Contains(text, "\n") || !strings.Contains(text, "the server did not stop cleanly, and its tape") || !strings.Contains(text, "--tape-discard") {
		t.Errorf("refused with %q; want one line that names the cause and both ways to go on", text)
	}
	checkStore(t, dir, &m.Killed)
	cfg = upgradeConfig(dir)
	cfg.TapeDiscard = true
	if s, err = server.Start(t.Context(), cfg); err != nil {
		t.Fatal(err)
	}
	if n := len(s.World().Restored()); n != 0 {
		t.Errorf("%d players are restored from a tape that was set aside", n)
	}
	checkLogins(t, s, dir, &m.Killed)
	if err := s.Close(); err != nil {
		t.Fatal(err)
	}
	checkJournal(t, dir, &m.Killed)
	checkCommunity(t, dir, m, &m.Killed)
	aside := tapesSetAside(t, dir)
	if len(aside) != 1 {
		t.Fatalf("tapes set aside: %q; want one", aside)
	}
	if n := countSegments(t, aside[0]); n != m.Killed.Stretches {
		t.Errorf("the tape that was set aside has %d segments, want %d", n, m.Killed.Stretches)
	}
}

func tapesSetAside(t *testing.T, dir string) []string {
	t.Helper()
	found, err := filepath.Glob(filepath.Join(dir, "tape-set-aside-*"))
	if err != nil {
		t.Fatal(err)
	}
	return found
}

func countSegments(t *testing.T, dir string) (n int) {
	t.Helper()
	for _, pattern := range []string{"*/*.wal", "*/*.tape"} {
		found, err := filepath.Glob(filepath.Join(dir, pattern))
		if err != nil {
			t.Fatal(err)
		}
		n += len(found)
	}
	return n
}

// checkStore compares the accounts and characters of a folder with the manifest.
func checkStore(t *testing.T, dir string, want *releaseFolder) {
	t.Helper()
	st, err := sqlite.Open(t.Context(), dir, sqlite.WithLog(slog.New(slog.DiscardHandler)))
	if err != nil {
		t.Fatal(err)
	}
	defer func() {
		if err := st.Close(); err != nil {
			t.Error(err)
		}
	}()
	rosters := map[string][]*sim.Character{}
	for _, a := range want.Accounts {
		got, err := st.Account(t.Context(), a.Name)
		if err != nil || got.Banned != a.Banned {
			t.Errorf("account %s: %+v, %v; want banned %v", a.Name, got, err, a.Banned)
			continue
		}
		if rosters[a.Name], err = st.Characters(t.Context(), got.ID); err != nil {
			t.Error(err)
		}
	}
	doors := map[string]bool{}
	for _, c := range want.Characters {
		i := slices.IndexFunc(rosters[c.Account], func(s *sim.Character) bool { return s.Name == c.Name })
		if i < 0 {
			t.Errorf("account %s has no character %s", c.Account, c.Name)
			continue
		}
		s := rosters[c.Account][i]
		doors[s.Door] = true
		var items [][3]int
		for slot, stack := range s.Inventory {
			if !stack.Empty() {
				items = append(items, [3]int{slot, int(stack.Item), int(stack.Amount)})
			}
		}
		if s.Door != c.Door || s.Area != c.Area || s.Level != c.Level || s.Gold != c.Gold || !slices.Equal(items, c.Items) || len(items) == 0 {
			t.Errorf("character %s: door %s, area %s, level %d, gold %d, items %v; want %+v", c.Name, s.Door, s.Area, s.Level, s.Gold, items, c)
		}
	}
	if len(doors) < 4 {
		t.Errorf("characters of the doors %v, want all four", doors)
	}
}

// checkLogins logs in one client of each door with the stored password, and checks that a banned account is refused.
func checkLogins(t *testing.T, s *server.Server, dir string, want *releaseFolder) {
	t.Helper()
	var accounts demo.Accounts
	bots, err := demo.StartOn(s, dir, 1, slog.New(slog.DiscardHandler), &accounts)
	if err != nil {
		t.Fatal(err)
	}
	defer bots.Wait()
	defer bots.Stop()
	ctx, cancel := context.WithTimeout(t.Context(), time.Minute)
	defer cancel()
	entered := map[string]session.Player{} // by door
	for len(entered) < 4 && ctx.Err() == nil {
		for _, p := range s.Hub().Players() {
			entered[p.Door] = p
		}
		time.Sleep(50 * time.Millisecond)
	}
	for _, door := range []string{"rcce", "rs", "bedrock", "web"} {
		p, ok := entered[door]
		if !ok {
			t.Errorf("no player of the door %s has entered", door)
			continue
		}
		known := slices.IndexFunc(want.Characters, func(c releaseCharacter) bool {
			return strings.EqualFold(c.Account, p.Account) && c.Door == door && sim.EqualFold(strings.ReplaceAll(c.Name, " ", "_"), strings.ReplaceAll(p.Name, " ", "_"))
		})
		if known < 0 {
			t.Errorf("%s: %s entered as %s, which the release has not stored", door, p.Account, p.Name)
		}
	}
	password, err := demo.Password(dir)
	if err != nil {
		t.Fatal(err)
	}
	hash := md5.Sum([]byte(password)) // RealmCrafter clients send this as their secret
	peer := session.Peer{Addr: netip.MustParseAddr("127.0.0.1"), Conn: 1 << 40, Door: "rcce"}
	for _, a := range want.Accounts {
		if !a.Banned {
			continue
		}
		if _, err := s.Hub().Login(ctx, peer, a.Name, hex.EncodeToString(hash[:])); !errors.Is(err, session.ErrBanned) {
			t.Errorf("login of the banned account %s: %v", a.Name, err)
		}
	}
}

// checkJournal searches the journal of a folder for a held claim and for the actions of operators.
func checkJournal(t *testing.T, dir string, want *releaseFolder) {
	t.Helper()
	r, err := journal.OpenReader(filepath.Join(dir, journal.FileName))
	if err != nil {
		t.Fatal(err)
	}
	defer r.Close()
	list, err := r.Entries(t.Context(), journal.Query{Player: want.Held, Verdicts: []journal.Verdict{journal.Held}})
	if err != nil || len(list) == 0 || journal.Explain(list[0]) == "" {
		t.Errorf("held claims of %s: %v, %v", want.Held, list, err)
	}
	actions, err := r.OperatorActions(t.Context(), 0, journal.MaxLimit)
	if err != nil {
		t.Fatal(err)
	}
	for _, a := range want.Actions {
		if !slices.ContainsFunc(actions, func(o journal.OperatorAction) bool { return o.Action == a[0] && o.Account == a[1] }) {
			t.Errorf("no operator action %s of account %s in %+v", a[0], a[1], actions)
		}
	}
	if len(want.Actions) == 0 {
		t.Error("the release has recorded no operator action")
	}
}

// checkCommunity compares the access lists and the chat log of a folder with the manifest, and searches the figures of the charts
// for players at the time of the recording.
func checkCommunity(t *testing.T, dir string, m *releaseManifest, want *releaseFolder) {
	t.Helper()
	if strings.Contains(m.Version, firstRelease) {
		return
	}
	st, err := sqlite.Open(t.Context(), dir, sqlite.WithLog(slog.New(slog.DiscardHandler)))
	if err != nil {
		t.Fatal(err)
	}
	defer st.Close()
	rules, err := st.AccessRules(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	kinds := map[string]bool{}
	for _, w := range want.Access {
		kinds[w.Kind] = kinds[w.Kind] || w.Timed || w.Kind == string(store.AccessWhitelisted)
		if !slices.ContainsFunc(rules, func(r store.AccessRule) bool {
			return string(r.Kind) == w.Kind && strings.EqualFold(r.Account, w.Account) && r.NetworkText() == w.Network && r.Reason == w.Reason && r.Until.IsZero() != w.Timed
		}) {
			t.Errorf("the access lists have no %+v: %+v", w, rules)
		}
	}
	if len(want.Access) < 4 || !kinds["ban"] || !kinds["mute"] || !kinds["whitelisted"] {
		t.Errorf("the release has recorded %+v; want bans and a mute with an end and an entry of the whitelist", want.Access)
	}
	chat, err := chatlog.OpenReader(filepath.Join(dir, chatlog.FileName))
	if err != nil {
		t.Fatal(err)
	}
	defer chat.Close()
	lines, err := chat.Search(t.Context(), chatlog.Query{Channel: chatlog.Announcement})
	for _, text := range want.Chat {
		if err != nil || !slices.ContainsFunc(lines, func(l chatlog.Line) bool { return l.Text == text && l.Operator != "" }) {
			t.Errorf("the chat log has no announcement %q: %+v, %v", text, lines, err)
		}
	}
	if len(want.Chat) == 0 {
		t.Error("the release has recorded no chat")
	}
	checkFigures(t, dir, m.Recorded)
}

func checkFigures(t *testing.T, dir, recorded string) {
	t.Helper()
	at, err := time.Parse(time.RFC3339, recorded)
	if err != nil {
		t.Fatal(err)
	}
	figures := history.Open(history.Options{Path: filepath.Join(dir, history.FileName), Retain: history.MaxRetain, Start: at, Log: slog.New(slog.DiscardHandler)})
	defer figures.Close()
	r := figures.Query(at.Add(-time.Hour), at, at, func(c history.Series) bool { return c.Name == "players" })
	if len(r.Series) != 1 || !slices.ContainsFunc(r.Values[0], func(v float64) bool { return v > 0 }) {
		t.Errorf("the charts show no players in the hour before %s: %+v", recorded, r)
	}
}

// releasesOf returns the versions in the headings of a changelog.
func releasesOf(changelog string) (versions []string) {
	for line := range strings.Lines(changelog) {
		if heading, ok := strings.CutPrefix(line, "## "); ok {
			if version := strings.Fields(heading)[0]; version != "Unreleased" {
				versions = append(versions, version)
			}
		}
	}
	return versions
}

func TestEveryReleaseInChangelogHasRecordedDataFolder(t *testing.T) {
	if got := releasesOf("# Changelog\n\n## Unreleased\n\n* x\n\n## v1.2.3 (2027-01-02)\n\n### y\n\n## v1.2.2\n"); !slices.Equal(got, []string{"v1.2.3", "v1.2.2"}) {
		t.Errorf("the versions of the sample are %q", got)
	}
	text, err := os.ReadFile("../CHANGELOG.md")
	if err != nil {
		t.Fatal(err)
	}
	for _, version := range releasesOf(string(text)) {
		if _, err := os.Stat(filepath.Join("testdata", "releases", version+".tar.gz")); err != nil {
			t.Errorf("%v: record the data folder of %s with scripts/release-data.py and commit it", err, version)
		}
	}
}
