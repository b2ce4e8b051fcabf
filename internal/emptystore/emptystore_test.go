package emptystore

import (
	"bytes"
	"errors"
	"log/slog"
	"testing"

	"github.com/truestep-io/truestep/store"
	"github.com/truestep-io/truestep/store/sqlite"
)

func TestDirectoriesHaveSeparateDatabasesWithoutFaults(t *testing.T) {
	var log bytes.Buffer
	var stores [2]*sqlite.Store
	for i := range stores {
		s, err := sqlite.Open(t.Context(), Dir(t), sqlite.WithLog(slog.New(slog.NewTextHandler(&log, nil))))
		if err != nil {
			t.Fatal(err)
		}
		defer s.Close()
		stores[i] = s
	}
	if id, err := stores[0].CreateAccount(t.Context(), store.Account{Name: "Ada"}); err != nil || id != 1 {
		t.Errorf("the first account has the ID %d, %v", id, err)
	}
	if _, err := stores[1].Account(t.Context(), "Ada"); !errors.Is(err, store.ErrNotFound) {
		t.Errorf("the account is in the other database: %v", err)
	}
	if log.Len() > 0 {
		t.Errorf("the log has\n%s", log.String())
	}
}
