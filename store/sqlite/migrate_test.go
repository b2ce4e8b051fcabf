package sqlite

import (
	"bytes"
	"crypto/sha256"
	"encoding/hex"
	"log/slog"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

// The test migrates before_utf8.db, a database of the last version that stored the bytes of clients unconverted. Its accounts
// and characters have texts that clients sent in Windows-1252 ("J\xf6rg") and in UTF-8 ("bedrock:ünal").
func TestTextsInWindows1252AreMigratedToUTF8(t *testing.T) {
	dir := t.TempDir()
	if err := copyFile(filepath.Join(dir, FileName), "testdata/before_utf8.db"); err != nil {
		t.Fatal(err)
	}
	const md5, salt = "0cc175b9c0f1b6a831c399e269772661", "abcdefghijklmnop"
	salted := sha256.Sum256([]byte(salt + md5))
	accounts := map[string]string{ // maps account names to secrets
		"Jörg":         "$1$" + salt + "$" + hex.EncodeToString(salted[:]),
		"bedrock:ünal": "", "müller": md5, "Müller_2": md5, "xÃ¼": md5, "xü": md5, "plain": md5,
	}
	for start := range 2 { // the second start must rename nothing and log nothing
		var log bytes.Buffer
		s, err := Open(t.Context(), dir, WithLog(slog.New(slog.NewTextHandler(&log, nil))))
		if err != nil {
			t.Fatal(err)
		}
		var renames []string
		for line := range strings.Lines(log.String()) {
			_, line, _ = strings.Cut(line, "kind=")
			renames = append(renames, line)
		}
		want := []string{"account name=Müller renamed=Müller_2\n", "character name=Zoë renamed=\"Zoë 2\"\n"}
		if start > 0 {
			want = nil
		}
		if !slices.Equal(renames, want) {
			t.Errorf("start %d renames %q, want %q", start, renames, want)
		}
		for name, secret := range accounts {
			a, err := s.Account(t.Context(), name)
			if err != nil {
				t.Errorf("account %q: %v", name, err)
				continue
			}
			if a.Name != name || a.Secret != secret {
				t.Errorf("account %q is %+v", name, *a)
			}
		}
		checkJorg(t, s)
		u, err := s.Account(t.Context(), "bedrock:ünal")
		if err != nil {
			t.Fatal(err)
		}
		if roster, err := s.Characters(t.Context(), u.ID); err != nil || len(roster) != 1 || roster[0].Name != "Unal" || roster[0].Area != "Village" {
			t.Errorf("the account of the bedrock gateway has %v, %v", roster, err)
		}
		m, err := s.Account(t.Context(), "müller")
		if err != nil {
			t.Fatal(err)
		}
		if roster, err := s.Characters(t.Context(), m.ID); err != nil || len(roster) != 1 || roster[0].Name != "Zoë 2" || roster[0].Area != "Hügel" || roster[0].Level != 2 {
			t.Errorf("müller has %+v, %v", roster, err)
		}
		closeStore(t, s)
	}
}

func checkJorg(t *testing.T, s *Store) {
	t.Helper()
	a, err := s.Account(t.Context(), "Jörg")
	if err != nil {
		t.Fatal(err)
	}
	if a.Email != "jörg@example.org" || !a.GM || !slices.Equal(a.Ignore, []string{"Müller", "bob", "bedrock:ünal"}) || a.CreatedAt.Unix() != 1767323045 {
		t.Errorf("Jörg is %+v", *a)
	}
	roster, err := s.Characters(t.Context(), a.ID)
	if err != nil || len(roster) != 2 || roster[0].Name != "Jörg" || roster[1].Name != "Zoë" {
		t.Fatalf("Jörg has %+v, %v", roster, err)
	}
	c := roster[0]
	if c.Tag != "König" || c.Area != "Dörfli" || c.LastPortalArea != "Dörfli" || c.Level != 3 || c.Gold != 7 {
		t.Errorf("Jörg's character is %+v", *c)
	}
	if len(c.Pets) != 2 || c.Pets[0].Name != "Bläße" || c.Pets[1].Name != "Ünal" {
		t.Errorf("Jörg's pets are %+v", c.Pets)
	}
	// Slots 1 and 2 are items: 'I' and two bytes of a number. The bytes are not converted even if they are valid UTF-8.
	if c.ActionBar[0] != "SFeuerstoß €" || c.ActionBar[1] != "IÃ©" || c.ActionBar[2] != "I\u0081\x00" {
		t.Errorf("Jörg's action bar is %q", c.ActionBar[:3])
	}
}

func TestMigratedAccountNameThatIsTakenGetsNumberSuffix(t *testing.T) {
	dir := t.TempDir()
	if err := copyFile(filepath.Join(dir, FileName), "testdata/before_utf8.db"); err != nil {
		t.Fatal(err)
	}
	execFile(t, filepath.Join(dir, FileName), `INSERT INTO accounts (name, secret, email, gm, banned, ignores, created_ms)
		VALUES ('ü', '', '', 0, 0, '[]', 0), ('ü_2', '', '', 0, 0, '[]', 0), ('Ã¼', '', '', 0, 0, '[]', 0)`)
	s := open(t, dir)
	defer closeStore(t, s)
	if _, err := s.Account(t.Context(), "ü_3"); err != nil {
		t.Error(err)
	}
}
