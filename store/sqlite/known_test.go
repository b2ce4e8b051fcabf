package sqlite

import (
	"bytes"
	"log/slog"
	"net/netip"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/truestep-io/truestep/store"
)

func TestCorruptRowOfKnownAddressIsSkippedAndLogged(t *testing.T) {
	dir := t.TempDir()
	s := open(t, dir)
	at := time.UnixMilli(1_767_323_045_678).UTC()
	ann := store.KnownAddress{Account: "ann", Addr: netip.MustParseAddr("192.0.2.1"), At: at}
	bob := store.KnownAddress{Account: "bob", Addr: netip.MustParseAddr("192.0.2.2"), At: at}
	if err := s.SaveKnownAddresses(t.Context(), []store.KnownAddress{ann, bob}, at); err != nil {
		t.Fatal(err)
	}
	closeStore(t, s)
	for _, damage := range []string{`at_ms = at_ms + 4096`, `addr = x'c0'`, `account = 'bo'`, `sum = sum + 1`, `at_ms = 'x'`} {
		copied := t.TempDir()
		for _, name := range []string{FileName, ledgerName} {
			if err := copyFile(filepath.Join(copied, name), filepath.Join(dir, name)); err != nil {
				t.Fatal(err)
			}
		}
		execFile(t, filepath.Join(copied, FileName), `UPDATE known_addresses SET `+damage+` WHERE account = 'bob'`)
		var text bytes.Buffer
		s, err := Open(t.Context(), copied, WithLog(slog.New(slog.NewTextHandler(&text, nil))))
		if err != nil {
			t.Fatalf("%s: %v", damage, err)
		}
		list, err := s.KnownAddresses(t.Context(), at)
		if err != nil || len(list) != 1 || list[0] != ann {
			t.Errorf("%s: %v, %v", damage, list, err)
		}
		if !strings.Contains(text.String(), "damaged_rows=1") {
			t.Errorf("%s: log %q", damage, &text)
		}
		closeStore(t, s)
	}
}
