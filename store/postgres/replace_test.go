package postgres

import (
	"errors"
	"testing"

	"github.com/truestep-io/truestep/internal/pgtest"
	"github.com/truestep-io/truestep/sim"
	"github.com/truestep-io/truestep/store"
	"github.com/truestep-io/truestep/store/storetest"
)

// The copy is stored, and neither the answer to its commit nor the status of the commit reaches the store, which repeats the copy.
func TestCopySucceedsAlthoughAnswerToItsCommitIsLost(t *testing.T) {
	from, line := openSQLite(t, t.TempDir()), pgtest.NewLine(t, pgtest.Shared(t))
	storetest.Fill(t, from)
	for _, overwrite := range []bool{false, true} {
		db := open(t, line.URL(t, pgtest.Database(t)), WithLog(quiet), shortConfirm)
		if overwrite {
			character(t, db, "Old")
		}
		line.LoseOneAnswer()
		if done, err := store.Copy(t.Context(), from, db, overwrite, nil); err != nil || done.Accounts != 20 {
			t.Errorf("copied %+v: %v", done, err)
		}
		mustCount(t, db, 20, 28)
		if _, err := db.CreateAccount(t.Context(), store.Account{Name: "New"}); err != nil {
			t.Error(err)
		}
		closeStore(t, db)
		line.Restore()
	}
	if n := line.Lost(); n != 2 {
		t.Errorf("%d answers were lost", n)
	}
}

func TestCopyWithLostConnectionReportsThatContentMayBeReplaced(t *testing.T) {
	from, line := openSQLite(t, t.TempDir()), pgtest.NewLine(t, pgtest.Shared(t))
	storetest.Fill(t, from)
	db := open(t, line.URL(t, pgtest.Database(t)), WithLog(quiet), shortConfirm)
	defer closeStore(t, db)
	line.LoseAnswer()
	if _, err := store.Copy(t.Context(), from, db, false, nil); !errors.Is(err, store.ErrMayBeReplaced) || !errors.Is(err, store.ErrUnavailable) {
		t.Errorf("after the commit was sent: %v", err)
	}
	if _, err := store.Copy(t.Context(), from, db, false, nil); errors.Is(err, store.ErrMayBeReplaced) || !errors.Is(err, store.ErrUnavailable) {
		t.Errorf("without a connection: %v", err)
	}
}

// The connections of a replaced owner break while the answer to the commit of Replace is under way.
func TestOwnerWhoseContentIsBeingReplacedKnowsNewID(t *testing.T) {
	db := open(t, pgtest.Database(t), WithLog(quiet))
	defer closeStore(t, db)
	db.owner.stop()
	<-db.owner.done // from here on, the test uses the owner's connection
	if _, err := db.pool.Exec(t.Context(), `UPDATE store SET id = 'new', run = 0`); err != nil {
		t.Fatal(err)
	}
	if err := db.owner.checkRun(t.Context()); !errors.Is(err, ErrInUse) {
		t.Errorf("after a replacement by another program: %v", err)
	}
	db.owner.setNextID("new")
	if err := db.owner.checkRun(t.Context()); err != nil {
		t.Errorf("after a replacement by this process: %v", err)
	}
}

// A node has lost its connections without noticing, and the operator believes that all nodes are stopped.
func TestNodeStoresNothingAfterContentWasReplacedOrUsedByOneServer(t *testing.T) {
	from := openSQLite(t, t.TempDir())
	bea, err := from.CreateAccount(t.Context(), store.Account{Name: "Bea"})
	if err == nil {
		_, err = from.CreateCharacter(t.Context(), bea, &sim.Character{Name: "Bea"}, 1)
	}
	if err != nil {
		t.Fatal(err)
	}
	for name, use := range map[string]func(s *Store) error{
		"copy":   func(s *Store) error { _, err := store.Copy(t.Context(), from, s, true, nil); return err },
		"server": func(s *Store) error { return nil },
	} {
		url := pgtest.Database(t)
		node := open(t, url, WithLog(quiet), Node("a"))
		_, ada := character(t, node, "Ada")
		node.owner.close()
		other := open(t, url, WithLog(quiet))
		if err := use(other); err != nil {
			t.Fatal(err)
		}
		ada.Gold, ada.Version = 7, 1<<40
		err := node.SaveCharacters(t.Context(), store.Fence{{Area: 3, Epoch: 9}}, []*sim.Character{ada})
		if !errors.Is(err, ErrInUse) || errors.Is(err, ErrNodeRuns) {
			t.Errorf("%s: a save of the node: %v", name, err)
		}
		select {
		case <-node.Lost():
		default:
			t.Errorf("%s: the loss is not reported", name)
		}
		if c, err := other.Character(t.Context(), ada.ID); err != nil || c.Gold == 7 {
			t.Errorf("%s: stored is %+v, %v", name, c, err)
		}
		closeStore(t, other)
		closeStore(t, node)
	}
}
