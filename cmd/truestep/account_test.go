package main

import (
	"encoding/json"
	"os"
	"path/filepath"
	"testing"

	"github.com/truestep-io/truestep/journal"
	"github.com/truestep-io/truestep/sim"
	"github.com/truestep-io/truestep/store"
	"github.com/truestep-io/truestep/store/sqlite"
)

func TestAccountCommandsReadAndChangeDatabaseOfStoppedServer(t *testing.T) {
	here(t)
	t.Setenv("SUDO_USER", "zoe") // called sudo
	expectOutput(t, 2, "truestep: account: ./truestep-data has no truestep.db: .*--data-dir DIR\n", "account", "find")
	st, err := sqlite.Open(t.Context(), "truestep-data")
	if err != nil {
		t.Fatal(err)
	}
	for _, name := range []string{"ann", "Bea"} {
		id, err := st.CreateAccount(t.Context(), store.Account{Name: name, Email: name + "@example.org", Secret: "$argon2id$"})
		if err != nil {
			t.Fatal(err)
		}
		if _, err := st.CreateCharacter(t.Context(), id, &sim.Character{Name: name + "1", Door: "rs", Area: "Vale", Level: 3}, 5); err != nil {
			t.Fatal(err)
		}
	}
	expectOutput(t, 2, "truestep: account: a running server uses ./truestep-data: stop the server, or .*--role admin creates\n", "account", "find")
	if err := st.Close(); err != nil {
		t.Fatal(err)
	}
	expectOutput(t, 0, `ACCOUNT  STATE  DOORS  LAST SEEN, UTC    CHARACTERS\nann             rs     \S+ \S+  ann1\nBea .*\n`, "account", "find")
	expectOutput(t, 0, "no account matches\n", "account", "find", "--door", "web")
	expectOutput(t, 0, `account ann, created .*\ne-mail ann@example.org\n\nann1  rs, level 3, 0 xp, 0 gold, in Vale at 0.0, 0.0, 0.0\n`, "account", "show", "ann")
	expectOutput(t, 2, "truestep: account: there is no such account\n", "account", "show", "zoe")
	expectOutput(t, 2, `truestep: account: --item "x": give it as .*\n`, "account", "edit", "ann", "ann1", "--item", "x")
	expectOutput(t, 2, "truestep: account: nothing to change: .*\n", "account", "edit", "ann", "ann1")
	expectOutput(t, 0, `the character is now\n\nAda  rs, level 3, 0 xp, 7 gold, in Moor at 1.5, 0.0, -2.0\n  attributes 0=80/100\n  slot 20  5 x item 9, 100 %\n`,
		"account", "edit", "ANN", "ann1", "--rename", "Ada", "--gold", "7", "--area", "Moor", "--pos", "1.5,0,-2", "--attribute", "0=80/100", "--item", "20=9x5", "--as", "ops")
	expectOutput(t, 0, "the password of ann is [0-9a-f]{18}\n", "account", "reset-secret", "ann")
	expectOutput(t, 0, "Ada belongs to the account Bea now\n", "account", "move", "ann", "Ada", "Bea")
	expectOutput(t, 0, "ann.json: everything that is known of Bea, [0-9]+ bytes\n", "account", "export", "Bea", "ann.json")
	expectOutput(t, 2, "truestep: account: ann.json exists already: .*\n", "account", "export", "Bea", "ann.json")
	b, err := os.ReadFile("ann.json")
	var export struct {
		Account struct{ Characters []struct{ Name string } }
	}
	if err != nil || json.Unmarshal(b, &export) != nil || len(export.Account.Characters) != 2 || export.Account.Characters[1].Name != "Ada" {
		t.Errorf("the export is %s, %v", b, err)
	}
	expectOutput(t, 0, "Bea is merged into ann\n", "account", "merge", "Bea", "ann")
	expectOutput(t, 2, "truestep: account: this deletes the account ann with 2 characters: Bea1, Ada for good: .*--yes\n", "account", "delete", "ann")
	expectOutput(t, 0, "deleted the character Ada\n", "account", "delete-character", "ann", "Ada")
	expectOutput(t, 0, "deleted the account ann with 1 character \\(Bea1\\), and its traces in 0 rows of the journal and 0 lines of chat; .*\n", "account", "delete", "ann", "--yes")
	expectOutput(t, 0, "no account matches\n", "account", "find")

	r, err := journal.OpenReader(filepath.Join("truestep-data", journal.FileName))
	if err != nil {
		t.Fatal(err)
	}
	defer r.Close()
	list, err := r.OperatorActions(t.Context(), 0, 100)
	if err != nil || len(list) != 7 || list[6].Operator != "ops (terminal)" || list[6].Action != "edit_character" || list[0].Action != "delete_account" || list[0].Operator != "zoe (terminal)" {
		t.Errorf("the audit has %+v, %v", list, err)
	}
	expectOutput(t, 2, `truestep: account: --url "x": .*\n`, "account", "find", "--url", "x")
	expectOutput(t, 2, "truestep: account: --url needs --token TOKEN.*\n", "account", "find", "--url", "http://127.0.0.1:1")
}
