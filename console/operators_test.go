package console

import (
	"errors"
	"os"
	"path/filepath"
	"reflect"
	"strings"
	"sync"
	"testing"
	"time"
)

const someHash = "9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08"

func TestInvalidOperatorsFileIsRefused(t *testing.T) {
	for text, want := range map[string]string{
		``:                          "the file of operators is not valid",
		`[]`:                        "the file of operators is not valid",
		`{"operators": [] } 7`:      "data after",
		`{"operators": [], "x": 1}`: `unknown field "x"`,
		`{"operators": [{"name": "a", "role": "root", "sha256": ""}]}`:                                                                                 `operator "a": role "root": must be viewer, moderator or admin`,
		`{"operators": [{"name": "a", "role": "admin", "sha256": "00"}]}`:                                                                              `operator "a": sha256 must be 64 hex digits`,
		`{"operators": [{"name": "", "role": "admin", "sha256": "` + someHash + `"}]}`:                                                                 "name of an operator is empty",
		`{"operators": [{"name": " a", "role": "admin", "sha256": "` + someHash + `"}]}`:                                                               "space",
		`{"operators": [{"name": "a\n", "role": "admin", "sha256": "` + someHash + `"}]}`:                                                              "printable",
		`{"operators": [{"name": "a", "role": "admin", "sha256": "` + someHash + `", "expiresAt": "soon"}]}`:                                           "the file of operators is not valid",
		`{"operators": [{"name": "a", "role": "admin", "sha256": "` + someHash + `", "expiresAt": "0001-01-01T00:00:00Z"}]}`:                           "expiresAt is 0001-01-01",
		`{"operators": [{"name": "a", "role": "admin", "sha256": "` + someHash + `", "createdAt": "0000-06-01T00:00:00Z"}]}`:                           "createdAt is in the year 0, but must be in the years 1 to 9999",
		`{"operators": [{"name": "a", "role": "admin", "sha256": "` + someHash + `", "expiresAt": "9999-12-31T23:59:59-01:00"}]}`:                      "expiresAt is in the year 10000, but must be in the years 1 to 9999",
		`{"operators": [{"name": "a", "role": "admin", "sha256": "` + someHash + `"}, {"name": "a", "role": "viewer", "sha256": "` + someHash + `"}]}`: `two operators with the name "a"`,
	} {
		if _, err := parseOperators([]byte(text)); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("file %s: error %v, want %q", text, err, want)
		}
	}
}

func FuzzOperators(f *testing.F) {
	f.Add([]byte(`{"operators": [{"name": "ann", "role": "admin", "sha256": "` + someHash + `", "createdAt": "2026-01-02T03:04:05Z", "expiresAt": "2026-02-02T03:04:05+01:00"}]}`))
	f.Add([]byte(`{"operators": []}`))
	f.Add([]byte(`{}`))
	f.Fuzz(func(t *testing.T, b []byte) {
		list, err := parseOperators(b)
		if err != nil {
			return
		}
		again, err := parseOperators(writeOperators(list))
		if err != nil || !reflect.DeepEqual(again, list) {
			t.Fatalf("%+v was written as %+v, %v", list, again, err)
		}
	})
}

// A reader never reads a partly written file of operators.
func TestOperatorsFileIsReplacedAtomically(t *testing.T) {
	file := filepath.Join(t.TempDir(), "new", TokensFile)
	if _, err := AddOperator(file, "ann", Admin, 0); err != nil {
		t.Fatal(err)
	}
	stop := make(chan struct{})
	var wg sync.WaitGroup
	wg.Go(func() {
		for {
			select {
			case <-stop:
				return
			default:
			}
			if list, err := Operators(file); err != nil || len(list) == 0 {
				t.Errorf("the operators are %v, error %v", list, err)
				return
			}
		}
	})
	for range 20 {
		if _, err := AddOperator(file, "bo", Viewer, time.Hour); err != nil {
			t.Fatal(err)
		}
		if err := RevokeOperator(file, "bo"); err != nil {
			t.Fatal(err)
		}
	}
	close(stop)
	wg.Wait()
	if err := RevokeOperator(file, "bo"); !errors.Is(err, ErrNoOperator) {
		t.Errorf("revoking an unknown operator: error %v", err)
	}
	if _, err := AddOperator(file, "ann", Viewer, 0); !errors.Is(err, ErrOperatorExists) {
		t.Errorf("adding an operator twice: error %v", err)
	}
	left, err := os.ReadDir(filepath.Dir(file))
	if err != nil || len(left) != 2 { // the file of operators and its lock file
		t.Errorf("the folder contains %v, error %v", left, err)
	}
	info, err := os.Stat(file)
	if err != nil || info.Mode().Perm() != 0o600 {
		t.Errorf("the mode of the operators file is %v, error %v", info.Mode(), err)
	}
}

func TestOversizedOperatorsFileIsRefused(t *testing.T) {
	file := filepath.Join(t.TempDir(), TokensFile)
	if err := os.WriteFile(file, make([]byte, maxOperatorsFile+1), 0o600); err != nil {
		t.Fatal(err)
	}
	if _, err := OpenTokens(file); err == nil || !strings.Contains(err.Error(), "larger than") {
		t.Errorf("opening the file: error %v", err)
	}
}
