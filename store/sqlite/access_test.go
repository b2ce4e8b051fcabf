package sqlite

import (
	"bytes"
	"log/slog"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/truestep-io/truestep/store"
)

// The account name in a rule has a checksum. After a migration, or if another program has renamed the account, the next start renews it.
func TestDamagedAccountNameInAccessRuleIsReported(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	path := filepath.Join(dir, FileName)
	s := open(t, dir)
	addAccounts(t, s, "a", 2)
	must(t, s.SetAccessRule(t.Context(), store.AccessRule{Kind: store.AccessMute, Account: "A1", Reason: "r", Since: time.UnixMilli(7)}))
	closeStore(t, s)
	start := func(wantAccount string, wantReport bool) {
		t.Helper()
		var log bytes.Buffer
		s := openWith(t, dir, WithLog(slog.New(slog.NewTextHandler(&log, nil))))
		defer closeStore(t, s)
		list, err := s.AccessRules(t.Context())
		if err != nil || len(list) != 1 || list[0].Account != wantAccount {
			t.Fatalf("rules %+v, %v", list, err)
		}
		if strings.Contains(log.String(), "damaged_rows=1") != wantReport {
			t.Errorf("log:\n%s", log.String())
		}
	}
	start("A1", false)
	execFile(t, path, `UPDATE accounts SET name = 'renamed' WHERE name = 'a1'`)
	start("renamed", false)
	start("renamed", false) // uses the checksum that the previous start has computed
	execFile(t, path, `UPDATE access_rules SET account_sum = NULL`)
	start("renamed", false)
	execFile(t, path, `UPDATE access_rules SET account = 'rename'`)
	start("rename", true)
	start("rename", true)
}
