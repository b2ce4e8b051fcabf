package console

import (
	"database/sql"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/truestep-io/truestep/journal"
)

// An audit entry that could not be written is written later, with the time of the action.
func TestAuditEntriesAreRetriedAfterDiskError(t *testing.T) {
	t.Parallel()
	inBubble(t, nil, func(t *testing.T, r *harness) {
		db, err := sql.Open("sqlite", "file:"+filepath.Join(r.dir, journal.FileName)+"?_pragma=busy_timeout(60000)") // the journal writes to the file at the same time
		if err != nil {
			t.Fatal(err)
		}
		defer db.Close()
		// The trigger makes all writes to the audit log fail.
		if _, err := db.Exec("CREATE TRIGGER full BEFORE INSERT ON deeds BEGIN SELECT RAISE(ABORT, 'full'); END"); err != nil {
			t.Fatal(err)
		}
		before := time.Now().Add(-time.Millisecond)
		for range 3 {
			r.wantError(r.call(Moderator, "POST", "/players/99/kick", `{}`), 404, codeNotFound, "")
		}
		after := time.Now()
		if n := len(get[auditList](r, Admin, "/audit").Entries); n != 0 {
			t.Errorf("%d entries", n)
		}
		if _, err := db.Exec("DROP TRIGGER full"); err != nil {
			t.Fatal(err)
		}
		if log := r.log.String(); !strings.Contains(log, "operator's action could not be written to the audit log") || !strings.Contains(log, `msg="console: kick"`) ||
			!strings.Contains(log, `operator="moderator (api)" role=moderator`) {
			t.Errorf("the log lacks the action:\n%s", log)
		}
		r.eventually("all are written", func() bool { return len(get[auditList](r, Admin, "/audit").Entries) == 3 })
		for _, e := range get[auditList](r, Admin, "/audit").Entries {
			if e.Action != "kick" || e.At.Before(before) || e.At.After(after) {
				t.Errorf("%+v, not within %v..%v", e, before, after)
			}
		}
	})
}

func TestNumberOfUnwrittenAuditEntriesIsBounded(t *testing.T) {
	t.Parallel()
	var o auditBacklog
	for i := range maxAuditBacklog {
		if !o.add(&journal.OperatorAction{ID: int64(i)}) {
			t.Fatalf("entry %d was refused", i)
		}
	}
	if o.add(&journal.OperatorAction{}) {
		t.Error("an entry beyond the bound was accepted")
	}
	if list := o.takeAll(); len(list) != maxAuditBacklog || list[0].ID != 0 || len(o.takeAll()) != 0 {
		t.Errorf("%d entries, or more at the second call", len(list))
	}
}
