package bedrock

import (
	"errors"
	"runtime"
	"testing"

	"github.com/truestep-io/truestep/proto/wire"
)

func TestHandOfUseItemTransactionIsEncodedInProtocol2193ButNot2169(t *testing.T) {
	p := InventoryTransaction{Type: TransactionUseItem, UseItem: UseItem{Hand: 1, Face: 255}}
	older, err := ParseInventoryTransaction(p.Append(nil, V2169), V2169)
	if err != nil || older.UseItem.Hand != 0 {
		t.Errorf("%d: hand %d, %v", V2169, older.UseItem.Hand, err)
	}
	newer, err := ParseInventoryTransaction(p.Append(nil, V2193), V2193)
	if err != nil || newer.UseItem.Hand != 1 || newer.UseItem.Face != 255 {
		t.Errorf("%d: %+v, %v", V2193, newer.UseItem, err)
	}
}

func TestUnknownTransactionTypeIsRefused(t *testing.T) {
	for _, v := range Versions() {
		b := InventoryTransaction{Type: 5}.Append(nil, v)
		if _, err := ParseInventoryTransaction(b, v); !errors.Is(err, wire.ErrRange) {
			t.Errorf("%d: %v", v, err)
		}
	}
}

// In protocol 2169 the presence bytes of type and actions must be 1.
func TestTransactionOfVersion2169RequiresTypeAndActions(t *testing.T) {
	for _, at := range []int{2, 4} {
		b := InventoryTransaction{}.Append(nil, V2169)
		if b[at] = 0; len(b) != 6 {
			t.Fatalf("item % x", b)
		}
		if _, err := ParseInventoryTransaction(b, V2169); !errors.Is(err, wire.ErrRange) {
			t.Errorf("0 at %d: %v", at, err)
		}
	}
}

// A decoder does not allocate for a count until it has checked that enough bytes for the elements follow.
func TestElementCountIsCheckedBeforeAllocation(t *testing.T) {
	huge := []byte{0xff, 0xff, 0xff, 0xff, 0x0f}
	many := append([]byte{0, 0}, 100) // a count of 100 actions without their bytes
	for name, b := range map[string][]byte{
		"legacy slots":  append([]byte{0, 1}, huge...),
		"actions":       append([]byte{0, 0, 0}, huge...),
		"too few bytes": many,
	} {
		if _, err := ParseInventoryTransaction(b, V2193); !errors.Is(err, wire.ErrRange) && !errors.Is(err, wire.ErrShort) {
			t.Errorf("%s: %v", name, err)
		}
		if n := bytesAllocated(func() { _, _ = ParseInventoryTransaction(b, V2193) }); n > 1<<16 {
			t.Errorf("%s: %d bytes allocated", name, n)
		}
	}
}

// bytesAllocated returns the bytes that f allocates, approximately.
func bytesAllocated(f func()) uint64 {
	var before, after runtime.MemStats
	runtime.ReadMemStats(&before)
	f()
	runtime.ReadMemStats(&after)
	return after.TotalAlloc - before.TotalAlloc
}

func TestItemIsEmptyOnlyIfItsCountOrNumberIsZero(t *testing.T) {
	if !(Item{}).IsEmpty() || SimpleItem(5, 1, 0).IsEmpty() || !SimpleItem(5, 0, 0).IsEmpty() {
		t.Error("Item.Empty is wrong")
	}
	i := SimpleItem(-12, 64, 3727763536)
	r := wire.NewReader(appendItem(nil, &i))
	if got := readItem(&r); r.Done("item") != nil || got.NetworkID != -12 || got.Count != 64 || len(got.Extra) != plainItemExtra {
		t.Errorf("got %+v, error %v", got, r.Err())
	}
}

func TestEveryItemStackActionKindHasFieldsAndUnknownKindIsRefused(t *testing.T) {
	for kind := range stackBodies {
		if len(stackBodies[kind]) == 0 && kind != int(StackLabTableCombine) && kind != int(StackNotImplemented) {
			t.Errorf("kind %d has no fields", kind)
		}
	}
	b := appendItemStackRequest(nil, &ItemStackRequest{Actions: []StackAction{{Kind: StackResultsDeprecated + 1}}})
	r := wire.NewReader(b)
	if readItemStackRequest(&r, b); !errors.Is(r.Done("request"), wire.ErrRange) {
		t.Errorf("unknown kind: %v", r.Err())
	}
}
