package main

import (
	"bytes"
	"encoding/binary"
	"errors"
	"log/slog"
	"math"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	clientrcce "github.com/truestep-io/truestep/client/rcce"
	"github.com/truestep-io/truestep/gateway"
	"github.com/truestep-io/truestep/gateway/rcce"
	"github.com/truestep-io/truestep/server"
	"github.com/truestep-io/truestep/session"
	"github.com/truestep-io/truestep/store/sqlite"
)

// blob builds the content of a binary file of a RealmCrafter server.
type blob []byte

func (b *blob) u8(vs ...uint8) { *b = append(*b, vs...) }

func (b *blob) zeros(n int) { *b = append(*b, make([]byte, n)...) }

func (b *blob) u16(vs ...uint16) {
	for _, v := range vs {
		*b = binary.LittleEndian.AppendUint16(*b, v)
	}
}

func (b *blob) i32(v int32) { *b = binary.LittleEndian.AppendUint32(*b, uint32(v)) }

func (b *blob) f32(vs ...float32) {
	for _, v := range vs {
		*b = binary.LittleEndian.AppendUint32(*b, math.Float32bits(v))
	}
}

func (b *blob) str(vs ...string) {
	for _, v := range vs {
		b.i32(int32(len(v)))
		*b = append(*b, v...)
	}
}

// tinyProject writes a project with one playable actor and one area, and returns its folder.
func tinyProject(t *testing.T) string {
	t.Helper()
	var misc, fixed, attributes, damage, factions, actors, area blob
	misc.i32(50)
	misc.i32(0)
	misc.u8(0)
	misc.u16(1000)
	misc.u8(1, 0, 1, 0, 1, 4)
	misc.i32(25000)
	misc.u8(0)
	fixed.u16(0, 65535, 65535, 65535, 2, 4)
	attributes.u8(0)
	for i := range 40 {
		attributes.str(map[int]string{0: "Health", 2: "Strength", 4: "Speed"}[i])
		attributes.u8(0, 0)
	}
	damage.zeros(20 * 4)
	factions.str("People")
	factions.zeros(99*4 + 100*100)

	actors.u16(0)
	actors.str("Human", "Fighter", "", "Meadow", "Start")
	actors.zeros(4)
	actors.f32(1, 20)
	actors.zeros(2 * (8 + 7*5 + 32 + 1))
	for range 40 {
		actors.u16(50, 100)
	}
	for range 20 {
		actors.u16(100)
	}
	actors.u8(0, 1, 0, 0)
	actors.i32(50)
	actors.u8(0, 3)
	actors.i32(-1)
	actors.u8(0, 0)
	actors.i32(10)
	actors.u8(0)

	area.zeros(5)
	area.str("", "")
	area.u8(0)
	area.u16(300)
	area.u8(1)
	area.str("")
	area.zeros(150 * (4*4 + 2*4))
	for range 2000 {
		area.zeros(12)
		area.u16(2000, 2000, 2000)
		area.i32(0)
	}
	area.str("Start", "", "")
	area.f32(1, 2, 3, 5, 0)
	area.zeros(99 * (3*4 + 5*4))
	area.zeros(1000 * (2*2 + 4 + 3*4 + 2*2 + 4))
	area.u16(0)

	dir := t.TempDir()
	for name, b := range map[string]blob{
		"Misc.dat": misc, "Fixed Attributes.dat": fixed, "Attributes.dat": attributes, "Damage.dat": damage,
		"Factions.dat": factions, "Actors.dat": actors, "Items.dat": nil, "Projectiles.dat": nil, "Spells.dat": nil,
		"Names Filter.txt": nil, "Areas/Meadow.dat": area,
	} {
		put(t, dir, name, b)
	}
	return dir
}

func put(t *testing.T, dir, name string, b []byte) {
	t.Helper()
	file := filepath.Join(dir, "Server Data", name)
	if err := os.MkdirAll(filepath.Dir(file), 0o755); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(file, b, 0o644); err != nil {
		t.Fatal(err)
	}
}

// oldAccount is an account of Accounts.dat, version 0.
type oldAccount struct {
	user, password string
	characters     []string
	banned         bool
}

func accountsDat(list ...oldAccount) (b blob) {
	for _, a := range list {
		b.str(a.user, a.password, a.user+"@example.org")
		b.u8(0)
		if a.banned {
			b.u8(1)
		} else {
			b.u8(0)
		}
		b.str("")
		b.u8(uint8(len(a.characters)))
		for _, name := range a.characters {
			oldCharacter(&b, name)
		}
	}
	return b
}

// oldCharacter is a character of the tiny project with 80 of 100 in each attribute, 7 gold and empty hands.
func oldCharacter(b *blob, name string) {
	b.u16(0)
	b.str("Meadow", name, "")
	b.i32(0)
	b.f32(10, 2, 30)
	b.u8(0)
	b.i32(0)
	b.u8(0)
	b.u16(3, 0, 0, 0, 0)
	for range 40 {
		b.u16(80, 100)
	}
	for range 20 {
		b.u16(100)
	}
	for range 46 {
		b.u16(65535, 0)
	}
	b.str("", "")
	b.u16(0)
	b.i32(7)
	b.u8(0, 0)
	b.zeros(100 + 10*4 + 1000*4)
	for range 10 {
		b.u16(5000)
	}
	b.zeros(500*2*4 + 36*4)
}

func importAccounts(t *testing.T, project, data string, dry bool) (string, error) {
	t.Helper()
	var out bytes.Buffer
	c := importAccountsCmd{
		RcceProject: project, DataDir: data, DryRun: dry, out: &out, cost: session.Cost{MemoryKiB: 8, Passes: 1, Threads: 1},
	}
	err := c.Run()
	return strings.ReplaceAll(out.String(), data, "DATA"), err
}

const (
	md5Of    = "1a1dc91c907325c69271ddf0c944bc72" // the MD5 of "pass"
	saltedOf = "$1$abcdefghijklmnop$"
)

func TestRepeatedImportStoresAccountsOnce(t *testing.T) {
	project, data := tinyProject(t), filepath.Join(t.TempDir(), "data")
	put(t, project, "Accounts.dat", accountsDat(
		oldAccount{"ann", md5Of, []string{"Anna", "Annabel"}, false},
		oldAccount{"bob", saltedOf + strings.Repeat("0f", 32), []string{"ANNA", "Bobby"}, false},
		oldAccount{"cid", "forgotten", nil, false},
	))
	want := `stored: 3 of 3 accounts and 3 of 4 characters in DATA
skipped: account bob, character ANNA: a character with this name exists
warning: Server Data/Accounts.dat: account cid: the password has an unknown format: no player can log in to the account until a new password is set (ACCOUNT-SECRET)
`
	dry, err := importAccounts(t, project, data, true)
	if err != nil || dry != strings.Replace(want, "stored", "would store", 1) {
		t.Errorf("dry run: %v\n%s", err, dry)
	}
	if _, err := os.Stat(data); !os.IsNotExist(err) {
		t.Errorf("the dry run left a data folder: %v", err)
	}
	got, err := importAccounts(t, project, data, false)
	if err != nil || got != want {
		t.Errorf("%v\n%s\nwant\n%s", err, got, want)
	}

	again := `0 of 3 accounts and 0 of 4 characters in DATA
skipped: account ann: an account with this name exists
skipped: account bob: an account with this name exists
skipped: account cid: an account with this name exists
`
	for verb, dry := range map[string]bool{"would store: ": true, "stored: ": false} {
		got, err := importAccounts(t, project, data, dry)
		if err != nil || !strings.HasPrefix(got, verb+again) {
			t.Errorf("again: %v\n%s", err, got)
		}
	}
	checkImported(t, data)
}

func checkImported(t *testing.T, data string) {
	t.Helper()
	st, err := sqlite.Open(t.Context(), data)
	if err != nil {
		t.Fatal(err)
	}
	defer st.Close()
	for name, check := range map[string]func(secret string) bool{
		"ann": func(s string) bool { return strings.HasPrefix(s, "$argon2id$") },
		"bob": func(s string) bool { return strings.HasPrefix(s, saltedOf) },
		"cid": func(s string) bool { return s == "" },
	} {
		a, err := st.Account(t.Context(), name)
		if err != nil {
			t.Fatal(err)
		}
		if !check(a.Secret) || a.Email != name+"@example.org" {
			t.Errorf("account %s: %+v", name, a)
		}
		roster, err := st.Characters(t.Context(), a.ID)
		if err != nil {
			t.Fatal(err)
		}
		if name == "ann" && (len(roster) != 2 || roster[0].Name != "Anna" || roster[1].Gold != 7 || roster[0].Attr[0].Value != 80) {
			t.Errorf("roster of ann: %+v", roster)
		}
	}
}

// After an imported account was merged into another one, a client that logs in to the other account plays the imported characters. A
// banned imported account cannot be merged.
func TestCharactersOfMergedImportedAccountArePlayedWithOtherAccount(t *testing.T) {
	here(t)
	project := tinyProject(t)
	put(t, project, "Accounts.dat", accountsDat(
		oldAccount{"ann", md5Of, []string{"Anna"}, false}, oldAccount{"ann_old", "forgotten", []string{"Annabel"}, false}, oldAccount{"bob", md5Of, []string{"Bobby"}, true},
	))
	if out, err := importAccounts(t, project, "truestep-data", false); err != nil {
		t.Fatal(err, out)
	}
	expectOutput(t, 0, "ann_old is merged into ann\n", "account", "merge", "ann_old", "ann")
	expectOutput(t, 2, "truestep: account: the account is banned, .*: pardon the account first, .*\n", "account", "merge", "bob", "ann")

	loaded, err := (&server.WorldConfig{RcceProject: project}).Load()
	if err != nil {
		t.Fatal(err)
	}
	cfg := server.Default()
	cfg.DataDir, cfg.World, cfg.Console, cfg.Metrics, cfg.Tape, cfg.Log = "truestep-data", loaded.World, gateway.Off, gateway.Off, gateway.Off, slog.New(slog.DiscardHandler)
	cfg.Doors = slices.DeleteFunc(cfg.Doors, func(d gateway.Door) bool { return d.Name() != "rcce" })
	cfg.Doors[0].Settings().(*rcce.Config).Rcce = "127.0.0.1:0"
	s, err := server.Start(t.Context(), cfg)
	if err != nil {
		t.Fatal(err)
	}
	defer s.Close()
	client, err := clientrcce.Dial(t.Context(), s.Doors()[0].Addr.String(), clientrcce.Options{User: "ann", Password: "pass"})
	if err != nil {
		t.Fatal(err)
	}
	defer client.Close()
	roster, err := client.Login(t.Context())
	if err != nil || len(roster) != 2 || roster[0].Name != "Anna" || roster[1].Name != "Annabel" {
		t.Fatalf("the client is sent the characters %+v, %v", roster, err)
	}
	if err := errors.Join(client.FetchCharacter(t.Context(), 1), client.Enter(t.Context(), 1)); err != nil {
		t.Fatal(err)
	}
	if players := s.Hub().Players(); len(players) != 1 || players[0].Account != "ann" || players[0].Name != "Annabel" {
		t.Errorf("in the world are %+v", players)
	}
}

// Combat formula 4 runs a script of the project. Without rules for it serve refuses the project, but the import needs no combat.
func TestImportAcceptsRealmCrafterProjectWithCombatScript(t *testing.T) {
	project, data := tinyProject(t), filepath.Join(t.TempDir(), "data")
	file := filepath.Join(project, "Server Data", "Misc.dat")
	misc, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	misc[11] = 4
	put(t, project, "Misc.dat", misc)
	put(t, project, "Accounts.dat", accountsDat(oldAccount{"ann", md5Of, []string{"Anna"}, false}))
	got, err := importAccounts(t, project, data, false)
	if err != nil || got != "stored: 1 of 1 accounts and 1 of 1 characters in DATA\n" {
		t.Errorf("%v\n%s", err, got)
	}
}

func TestImportWithoutAccountsFileIsRefusedInOneLine(t *testing.T) {
	project, data := tinyProject(t), filepath.Join(t.TempDir(), "data")
	_, err := importAccounts(t, project, data, false)
	if err == nil || statusOf(err) != exitUsage || !strings.Contains(err.Error(), "has no Server Data/Accounts.dat: copy it") || strings.Contains(err.Error(), "\n") {
		t.Errorf("error %v", err)
	}
	if _, err := os.Stat(data); !os.IsNotExist(err) {
		t.Error("a data folder was created")
	}
}

func TestImportOfTruncatedAccountsFileIsRefusedAndCreatesNoData(t *testing.T) {
	project, data := tinyProject(t), filepath.Join(t.TempDir(), "data")
	b := accountsDat(oldAccount{"ann", md5Of, []string{"Anna"}, false})
	put(t, project, "Accounts.dat", b[:len(b)-100])
	_, err := importAccounts(t, project, data, false)
	if err == nil || statusOf(err) != exitUsage || !strings.Contains(err.Error(), "Accounts.dat") {
		t.Errorf("error %v", err)
	}
	if _, err := os.Stat(data); !os.IsNotExist(err) {
		t.Error("a data folder was created")
	}
}

func TestImportRefusesDataFolderInUse(t *testing.T) {
	project, data := tinyProject(t), t.TempDir()
	put(t, project, "Accounts.dat", accountsDat(oldAccount{"ann", md5Of, nil, false}))
	st, err := sqlite.Open(t.Context(), data)
	if err != nil {
		t.Fatal(err)
	}
	defer st.Close()
	for _, dry := range []bool{false, true} {
		_, err := importAccounts(t, project, data, dry)
		if err == nil || statusOf(err) != exitUsage || !strings.Contains(err.Error(), "in use by another server") {
			t.Errorf("dry %v: error %v", dry, err)
		}
	}
}
