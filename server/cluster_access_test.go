package server

import (
	"log/slog"
	"net/netip"
	"testing"

	"github.com/jackc/pgx/v5"

	"github.com/truestep-io/truestep/internal/logbuf"
	"github.com/truestep-io/truestep/internal/pgtest"
	"github.com/truestep-io/truestep/store"
)

func TestNodeLogsUnreadableAccessRulesOnceUntilTheyAreReadable(t *testing.T) {
	lines, url := new(logbuf.Buffer), pgtest.Database(t)
	cfg := quietConfig(t)
	cfg.Store, cfg.Log = StoreURL(url), slog.New(slog.NewTextHandler(lines, nil))
	s := start(t, cfg)
	if _, err := s.hub.Restrict(t.Context(), store.AccessRule{Kind: store.AccessBan, Network: netip.MustParsePrefix("192.0.2.0/24")}); err != nil {
		t.Fatal(err)
	}
	db, err := pgx.Connect(t.Context(), url)
	if err != nil {
		t.Fatal(err)
	}
	defer db.Close(t.Context())
	n := clusterNode{server: s}
	for i, step := range []struct {
		network string
		logged  int // in all
	}{{"192.0.2.0/24", 0}, {"no prefix", 1}, {"no prefix", 1}, {"192.0.2.0/24", 1}, {"no prefix", 2}} {
		if tag, err := db.Exec(t.Context(), "UPDATE access_rules SET network = $1", step.network); err != nil || tag.RowsAffected() != 1 {
			t.Fatal(tag, err)
		}
		n.refreshAccess()
		if got := lines.Count("cannot read bans, mutes and the whitelist again"); got != step.logged {
			t.Errorf("step %d: %d lines, want %d", i, got, step.logged)
		}
	}
}
