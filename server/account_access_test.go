package server

import (
	"bytes"
	"io"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/truestep-io/truestep/internal/pgtest"
	"github.com/truestep-io/truestep/sim"
	"github.com/truestep-io/truestep/store"
	"github.com/truestep-io/truestep/store/postgres"
)

// A player of a cluster is still in the logs of its area when all nodes are stopped. The next start would undo a change of its account.
func TestAccountsOfStoppedClusterAreReadAndNotChanged(t *testing.T) {
	url := pgtest.Database(t)
	folders := map[string]string{"of a node": t.TempDir(), "of another machine": t.TempDir()}
	if err := os.MkdirAll(filepath.Join(folders["of a node"], clusterFolder, "000"), 0o700); err != nil {
		t.Fatal(err)
	}
	cluster := func(use func(*postgres.Store), opts ...postgres.Option) {
		t.Helper()
		st, err := postgres.Open(t.Context(), url, append(opts, postgres.Node("a"))...)
		if err != nil {
			t.Fatal(err)
		}
		use(st)
		if err := st.Close(); err != nil {
			t.Fatal(err)
		}
	}
	must := func(err error) {
		t.Helper()
		if err != nil {
			t.Fatal(err)
		}
	}
	var ann store.AccountID
	ada := &sim.Character{Name: "Ada", Gold: 1}
	cluster(func(st *postgres.Store) {
		var err error
		ann, err = st.CreateAccount(t.Context(), store.Account{Name: "ann"})
		must(err)
		ada.ID, err = st.CreateCharacter(t.Context(), ann, ada, 1)
		must(err)
	})
	// check edits the character from each folder. The edit is refused from those whose names are given, and the account is readable.
	check := func(state string, refused ...string) {
		t.Helper()
		for folder, dir := range folders {
			access := AccountAccess{DataDir: dir, StoreConfig: StoreConfig{Store: StoreURL(url)}, As: "ops"}
			var shown bytes.Buffer
			for _, c := range []interface{ Run(Output) error }{
				&AccountFind{Limit: 100, AccountAccess: access}, &AccountShow{Account: "ann", AccountAccess: access}, &AccountExport{Account: "ann", AccountAccess: access},
			} {
				if err := c.Run(Output{&shown, io.Discard}); err != nil {
					t.Errorf("%s, folder %s: %T: %v", state, folder, c, err)
				}
			}
			if strings.Count(shown.String(), "Ada") < 3 {
				t.Errorf("%s, folder %s: printed %s", state, folder, &shown)
			}
			gold := int32(7)
			err := (&AccountEdit{Account: "ann", Character: "Ada", Gold: &gold, AccountAccess: access}).Run(Output{io.Discard, io.Discard})
			want := false
			for _, name := range refused {
				want = want || name == folder
			}
			if got := err != nil && strings.Contains(err.Error(), "change accounts while it runs"); got != want || err != nil && !got {
				t.Errorf("%s, folder %s: the edit ended with %v, want it refused: %v", state, folder, err, want)
			}
		}
	}
	check("before the first start", "of a node")
	cluster(func(st *postgres.Store) { must(st.SaveCharacters(t.Context(), store.Fence{{Area: 0, Epoch: 1}}, nil)) })
	check("an area has records", "of a node", "of another machine")
	holder := store.SessionHolder{Node: "a", Incarnation: 1}
	cluster(func(st *postgres.Store) {
		must(st.ClaimSession(t.Context(), ann, holder, func(store.SessionHolder) bool { return false }))
	}, postgres.BeginAreas(true))
	check("an account was in the world", "of a node", "of another machine")
	cluster(func(st *postgres.Store) { must(st.ReleaseSessions(t.Context(), []store.AccountID{ann}, holder)) })
	must(os.RemoveAll(filepath.Join(folders["of a node"], clusterFolder)))
	check("the cluster is gone")
}
