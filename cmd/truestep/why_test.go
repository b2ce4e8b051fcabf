package main

import (
	"database/sql"
	"encoding/json"
	"io"
	"log/slog"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"unicode"
	"unicode/utf8"

	"github.com/truestep-io/truestep/area"
	"github.com/truestep-io/truestep/content"
	"github.com/truestep-io/truestep/journal"
	"github.com/truestep-io/truestep/sim"
	"github.com/truestep-io/truestep/sim/move"
)

// journalled creates a data folder whose journal has two entries of one player: a held claim that was too fast, and a
// refused attack that was too early.
func journalled(t *testing.T, name string) (dir string) {
	t.Helper()
	dir = t.TempDir()
	j, err := journal.Open(journal.Options{
		Path: filepath.Join(dir, journal.FileName), Log: slog.New(slog.DiscardHandler),
		Identify: func(sim.EntityID) (journal.Identity, bool) {
			return journal.Identity{Name: name, Account: "acc", Door: "rcce", RTT: 43}, true
		},
	})
	if err != nil {
		t.Fatal(err)
	}
	w := area.NewWorld(content.DefaultWorld().World, area.Options{Seed: 1, Log: slog.New(slog.DiscardHandler)})
	j.Watch(w)
	tell := func(in sim.Intent) {
		in.Who = 7
		if err := w.Submit(0, in); err != nil {
			t.Fatal(err)
		}
	}
	tell(sim.Intent{Kind: sim.IntentJoin, Join: &sim.Join{Character: &sim.Character{ID: 1, Name: name}, Portal: -1, Login: true}})
	tell(sim.Intent{Kind: sim.IntentWarpAck})
	tell(sim.Intent{Kind: sim.IntentClaim, Claim: move.Claim{X: 4000, Z: 4000}})
	tell(sim.Intent{Kind: sim.IntentAttack, Target: 99})
	w.Start(t.Context()) // started only now, so that all intents are in one tick: one second later the attack would be allowed
	eventually(t, "both are in the journal", func() bool {
		list, err := j.Entries(t.Context(), journal.Query{})
		return err == nil && len(list) == 2
	})
	if err := w.Stop(t.Context()); err != nil {
		t.Fatal(err)
	}
	if err := j.Close(t.Context()); err != nil {
		t.Fatal(err)
	}
	return dir
}

func TestWhyCommandListsNewestEntryFirstAndExplainsIt(t *testing.T) {
	here(t)
	dir := journalled(t, "Ann")
	code, out, errs := truestep("why", "ANN", "--data-dir", dir)
	lines := strings.Split(out, "\n")
	if code != 0 || errs != "" || len(lines) < 8 {
		t.Fatalf("exit status %d, %s\n%s", code, errs, out)
	}
	if !strings.HasPrefix(lines[0], "ID  TIME ") || strings.Contains(lines[0], "PLAYER") {
		t.Errorf("%q", lines[0])
	}
	for i, want := range []string{"refused", "too_soon", "held", "too_fast"} {
		if !strings.Contains(lines[1+i/2], want) {
			t.Errorf("no %q in %q", want, lines[1+i/2])
		}
	}
	if !strings.Contains(out, "\n#2 refused: the delay between two attacks has not passed\n") || strings.Contains(out, "\x1b") {
		t.Errorf("%s", out)
	}
	if _, out, _ := truestep("why", "--data-dir", dir); !strings.Contains(out, "PLAYER") || !strings.Contains(out, "Ann") {
		t.Errorf("all players:\n%s", out)
	}
}

func TestWhyCommandPrintsEntryWithNearbyEvents(t *testing.T) {
	here(t)
	dir := journalled(t, "Ann")
	_, out, _ := truestep("why", "--id", "1", "--data-dir", dir)
	for _, want := range []string{
		"#1 held: the claimed position was farther away", "claimed to be 5656.9 units north-east", "from above, north is up",
		"A asked x 4000  y 0  z 4000", "asked is ", "joined     logged in", "<- this", "refused: too soon, ", "The round trip was 43 ms",
	} {
		if !strings.Contains(out, want) {
			t.Errorf("no %q in\n%s", want, out)
		}
	}
}

func TestExplanationOfWhyCommandFitsEightyColumns(t *testing.T) {
	here(t)
	_, out, _ := truestep("why", "--id", "1", "--data-dir", journalled(t, "Ann"))
	_, rest, _ := strings.Cut(out, "#1 held: ")
	explained, _, _ := strings.Cut(rest, "\n\n")
	lines := strings.Split(explained, "\n")[1:]
	for _, line := range lines {
		if utf8.RuneCountInString(line) > 80 {
			t.Errorf("%d columns: %s", utf8.RuneCountInString(line), line)
		}
	}
	if len(lines) < 2 {
		t.Errorf("no explanation of some lines in\n%s", out)
	}
}

func TestJSONOfWhyCommandHasEntriesAndExplanations(t *testing.T) {
	here(t)
	dir := journalled(t, "Ann")
	_, out, _ := truestep("why", "ann", "--json", "--data-dir", dir)
	in := json.NewDecoder(strings.NewReader(out))
	var ids []float64
	for {
		var e map[string]any
		err := in.Decode(&e)
		if err == io.EOF {
			break
		}
		if err != nil {
			t.Fatal(err)
		}
		ids = append(ids, e["id"].(float64))
		for _, key := range []string{"at", "area", "areaId", "tick", "verdict", "reason", "sentence", "entity", "player", "account", "door",
			"rttMs", "asked", "allowed", "unit", "from", "pos", "other", "times"} {
			if _, ok := e[key]; !ok {
				t.Errorf("no %q in %v", key, e)
			}
		}
	}
	if len(ids) != 2 || ids[0] != 2 || ids[1] != 1 {
		t.Errorf("entries %v", ids)
	}
	var one struct {
		Entry                 struct{ ID int }
		Sentence, Explanation string
		Around                []struct{ Kind, Text string }
	}
	_, out, _ = truestep("why", "--json", "--id", "1", "--data-dir", dir)
	if err := json.Unmarshal([]byte(out), &one); err != nil || one.Entry.ID != 1 || one.Sentence == "" || one.Explanation == "" || len(one.Around) < 3 {
		t.Errorf("%v: %s", err, out)
	}
}

func TestWhyCommandListsHitsOnlyIfFilteredByPlayerOrVerdictOrReason(t *testing.T) {
	here(t)
	dir := journalled(t, "Whitney")
	db, err := sql.Open("sqlite", filepath.Join(dir, journal.FileName))
	if err != nil {
		t.Fatal(err)
	}
	defer db.Close()
	if _, err := db.Exec(`UPDATE entries SET verdict = 'hit', reason = 'rewound_hit_taken', unit = '', other = 'Bob', ago_ms = 120,
		seen_x = 10, seen_y = 0, seen_z = 2, other_x = 11.5, other_y = 0, other_z = 2 WHERE id = 2`); err != nil {
		t.Fatal(err)
	}
	for args, listed := range map[string]bool{"whitney": true, "": false, "--verdict hit": true, "--reason rewound_hit_taken": true, "whitney --verdict held": false} {
		code, out, errs := truestep(append(append([]string{"why"}, strings.Fields(args)...), "--data-dir", dir)...)
		if code != 0 || errs != "" || strings.Contains(out, "rewound_hit_taken") != listed {
			t.Errorf("why %s: exit status %d, %s\n%s", args, code, errs, out)
		}
		text := strings.Join(strings.Fields(out), " ")
		const want = "Whitney (rcce) was 0.12 s ago at (10, 0, 2), where the attacker saw it; by that the attack was judged. It was at (11.5, 0, 2) then."
		if listed && (!strings.Contains(text, "was hit by Bob.") || !strings.Contains(text, want)) {
			t.Errorf("why %s:\n%s", args, out)
		}
	}
}

func TestWhyCommandSaysWhyNoEntryMatches(t *testing.T) {
	here(t)
	dir := journalled(t, "Ann")
	for _, c := range []struct{ args, want string }{
		{"Anne", `the journal has nothing about a player "Anne"; did you mean Ann?` + "\n"},
		{"zzz", `the journal has nothing about a player "zzz"; there are Ann` + "\n"},
		{"ann --since 2030-01-01", "nothing about ann in that time; the last was at "},
		{"ann --reason no_pvp", "nothing of that kind is in the journal about ann; leave --reason, --verdict and --area out to see the rest\n"},
		{"--until 2001-01-01", "nothing about anybody in that time; the last was at "},
	} {
		code, out, errs := truestep(append([]string{"why", "--data-dir", dir}, strings.Fields(c.args)...)...)
		if words := strings.Join(strings.Fields(out), " ") + "\n"; code != 0 || errs != "" || !strings.HasPrefix(words, c.want) {
			t.Errorf("%s: exit status %d, %q, %s", c.args, code, out, errs)
		}
		code, out, errs = truestep(append([]string{"why", "--json", "--data-dir", dir}, strings.Fields(c.args)...)...)
		if code != 0 || out != "" || !strings.HasPrefix(errs, c.want) {
			t.Errorf("%s --json: exit status %d, %q, %s", c.args, code, out, errs)
		}
	}
}

func TestWhyCommandRefusesBadFlags(t *testing.T) {
	dir := here(t)
	if err := os.WriteFile(filepath.Join(dir, journal.FileName), []byte("SQLite format 3\x00 and then nothing"), 0o600); err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct{ args, want string }{
		{"", "why: truestep-data/journal.sqlite: the journal file does not exist; name the folder of a server's data with --data-dir DIR\n"},
		{"--since soon", `--since: "soon" is not a time: write how long ago (10m, 2h, 3d) or when (15:04, 2026-01-31, '2026-01-31 15:04')` + "\n"},
		{"--reason toofast", `--reason "toofast" is not known; did you mean too_fast?` + "\n"},
		{"--verdict kept", `--verdict "kept" is not known; give held, corrected, refused or hit` + "\n"},
		{"--since 1m --until 2m", "--since 1m is not before --until 2m: nothing can match\n"},
		{"--limit 0", "--limit 0: must be 1 or more\n"},
		{"--data-dir .", "why: ./journal.sqlite: the journal file is damaged"},
	} {
		code, out, errs := truestep(append([]string{"why"}, strings.Fields(c.args)...)...)
		if c.args == "--data-dir ." {
			c.want = "why: journal.sqlite: the journal file is damaged"
		}
		if code != exitUsage || out != "" || !strings.HasPrefix(errs, "truestep: "+c.want) || strings.Count(errs, "\n") != 1 {
			t.Errorf("%s: exit status %d, %s", c.args, code, errs)
		}
	}
	if code, _, errs := truestep("why", "--id", "77", "--data-dir", journalled(t, "Ann")); code != exitUsage ||
		errs != "truestep: why: read journal entry 77: no such journal entry; run truestep why without --id to list the newest entries and their numbers\n" {
		t.Errorf("exit status %d, %s", code, errs)
	}
}

func TestWhyCommandEscapesControlCharactersOfNames(t *testing.T) {
	here(t)
	dir := journalled(t, "A\x1b[31m\x07nn")
	if _, out, _ := truestep("why", "--data-dir", dir); strings.ContainsAny(out, "\x1b\x07") || !strings.Contains(out, "A\ufffd[31m\ufffdnn") {
		t.Errorf("%q", out)
	}
}

// The journal file may come from elsewhere: every text column is escaped, in every output format.
func TestWhyCommandEscapesControlCharactersOfJournalRows(t *testing.T) {
	here(t)
	dir := journalled(t, "Ann")
	db, err := sql.Open("sqlite", filepath.Join(dir, journal.FileName))
	if err != nil {
		t.Fatal(err)
	}
	const bad = "E\x1b]0;x\x07\x1b[31m\u009b31m\u202ev\r\nil\U000e0001"
	for _, change := range []string{
		"UPDATE entries SET area = ?1, player = ?1, account = ?1, door = ?1, unit = ?1, other = ?1",
		"UPDATE around SET kind = ?1, text = ?1",
		"INSERT INTO entries SELECT id + 10, at_ms, first_ms, area, 0, 1, ?1, ?1, 7, player, account, door, 1, 1, 1, unit, 1, 1, 1, 1, 1, 1, other, 1, 0, 1, 1, 1, 1, 1, 1, 0, 0 FROM entries",
	} {
		if _, err := db.Exec(change, bad); err != nil {
			t.Fatal(err)
		}
	}
	if err := db.Close(); err != nil {
		t.Fatal(err)
	}
	for _, args := range []string{"", "--json", "--id 1", "--id 12", "--id 1 --json", "Evil", "--limit 1000"} {
		code, out, errs := truestep(append([]string{"why", "--data-dir", dir}, strings.Fields(args)...)...)
		if code != 0 || !strings.Contains(out, "E") {
			t.Errorf("%s: exit status %d, %s%s", args, code, out, errs)
		}
		if i := strings.IndexFunc(out+errs, func(r rune) bool { return r != '\n' && !unicode.IsPrint(r) }); i >= 0 {
			t.Errorf("%s: %q", args, (out + errs)[i:min(i+20, len(out))])
		}
		for line := range strings.Lines(out) {
			if strings.Contains(args, "--json") && (!json.Valid([]byte(line)) || !strings.Contains(line, `\u001b]0;x\u0007\u001b[31m\u009b31m\u202ev\r\nil\udb40\udc01`)) {
				t.Errorf("%s: %s", args, line)
			}
		}
	}
}
