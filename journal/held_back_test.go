package journal

import (
	"fmt"
	"path/filepath"
	"testing"
	"time"
)

func TestEntriesOfThrottledLoginsAreFoundByQueryAndDeletedByAgeAndCount(t *testing.T) {
	j, err := Open(Options{Path: filepath.Join(t.TempDir(), FileName), MaxAge: 24 * time.Hour})
	if err != nil {
		t.Fatal(err)
	}
	defer j.Close(t.Context())
	now := time.Now().Truncate(time.Millisecond).UTC()
	entry := func(door, account string, age time.Duration) HeldBack {
		return HeldBack{At: now.Add(-age), Since: now.Add(-2 * age), Kind: "login", Door: door, Budget: "account", Network: "192.0.2.0/24", Account: account, Times: 7}
	}
	for _, list := range [][]HeldBack{{entry("rs", "old", 25*time.Hour)}, {entry("rs", "Ada", time.Hour), entry("rcce", "bob", time.Minute)}, nil} {
		if err := j.RecordHeldBack(t.Context(), list); err != nil {
			t.Fatal(err)
		}
	}
	for _, c := range []struct {
		q    HeldBackQuery
		want string
	}{
		{HeldBackQuery{}, "[bob Ada]"},
		{HeldBackQuery{Door: "rs"}, "[Ada]"},
		{HeldBackQuery{Account: "ADA"}, "[Ada]"},
		{HeldBackQuery{Since: now.Add(-time.Minute)}, "[bob]"},
		{HeldBackQuery{Until: now.Add(-time.Minute)}, "[Ada]"},
		{HeldBackQuery{Before: 3}, "[Ada]"},
		{HeldBackQuery{Limit: 1}, "[bob]"},
	} {
		list, err := j.HeldBack(t.Context(), c.q)
		var names []string
		for _, h := range list {
			names = append(names, h.Account)
		}
		if err != nil || fmt.Sprint(names) != c.want {
			t.Errorf("%+v: %v, %v; want %s", c.q, names, err, c.want)
		}
	}
	if list, err := j.HeldBack(t.Context(), HeldBackQuery{Door: "rs"}); err != nil || list[0] != (HeldBack{2, now.Add(-time.Hour), now.Add(-2 * time.Hour), "login", "rs", "account", "192.0.2.0/24", "Ada", 7}) {
		t.Errorf("the entry is %+v, %v", list, err)
	}
	if _, err := j.db.ExecContext(t.Context(), `UPDATE sqlite_sequence SET seq = seq + ? WHERE name = 'held_back'`, maxHeldBack); err != nil {
		t.Fatal(err)
	}
	if err := j.RecordHeldBack(t.Context(), []HeldBack{entry("rs", "later", time.Second)}); err != nil {
		t.Fatal(err)
	}
	if list, err := j.HeldBack(t.Context(), HeldBackQuery{Account: "Ada"}); err != nil || len(list) > 0 {
		t.Errorf("beyond the maximum the oldest stay: %v, %v", list, err)
	}
}
