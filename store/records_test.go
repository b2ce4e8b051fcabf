package store

import (
	"bytes"
	"errors"
	"reflect"
	"strings"
	"testing"

	"github.com/truestep-io/truestep/sim"
)

func TestRecordsWrittenToFileAreReadUnchanged(t *testing.T) {
	list := []*sim.Character{{ID: 7, Name: "Ada", Gold: 5, Version: 3, Area: "Vale"}, {ID: 9, Name: "Zoë\n", Level: 2}}
	list[1].Inventory[20] = sim.ItemStack{Item: 4, Amount: 2, Health: 9}
	var b bytes.Buffer
	if err := WriteRecords(&b, list); err != nil {
		t.Fatal(err)
	}
	if got, err := ReadRecords(&b); err != nil || !reflect.DeepEqual(got, list) {
		t.Errorf("read %+v, %v", got, err)
	}
	for text, want := range map[string]error{
		"": ErrNotFound, "SQLite format 3\x00": ErrNotFound, recordsMark + "\n{\"id\":": ErrCorrupt, recordsMark + "\n{\"id\":1,\"sheet\":{\"x\":1}}": ErrCorrupt,
	} {
		if _, err := ReadRecords(strings.NewReader(text)); !errors.Is(err, want) || want == ErrCorrupt && !strings.Contains(err.Error(), "line 2") {
			t.Errorf("%q: %v", text, err)
		}
	}
}
