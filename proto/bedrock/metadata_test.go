package bedrock

import (
	"errors"
	"slices"
	"testing"

	"github.com/truestep-io/truestep/proto/wire"
)

func TestMetadataSetKeepsKeysSorted(t *testing.T) {
	var m Metadata
	for _, e := range []MetaEntry{
		FloatMeta(MetaHeight, 1.8), TextMeta(MetaName, "Alex"), LongMeta(MetaFlags, 1), FloatMeta(MetaWidth, 0.6),
		ByteMeta(MetaAlwaysShowName, 1), IntMeta(MetaVariant, 3), FloatMeta(MetaHeight, 1.5),
	} {
		m.Set(e)
	}
	sorted := slices.IsSortedFunc(m, func(a, b MetaEntry) int { return int(a.Key) - int(b.Key) })
	if e, ok := m.Find(MetaHeight); !sorted || len(m) != 6 || !ok || e.Float != 1.5 {
		t.Errorf("metadata %+v", m)
	}
	if _, ok := m.Find(MetaScore); ok {
		t.Error("found a missing key")
	}
	r := wire.NewReader(appendMetadata(nil, m))
	if again := readMetadata(&r, nil); r.Done("metadata") != nil || !slices.EqualFunc(m, again, equalEntries) {
		t.Errorf("read back as %+v, was %+v", again, m)
	}
}

func equalEntries(a, b MetaEntry) bool {
	tags := slices.Equal(a.Tag, b.Tag)
	a.Tag, b.Tag = nil, nil
	return tags && a.Key == b.Key && a.Type == b.Type && a.Int == b.Int && a.Float == b.Float && a.Text == b.Text &&
		a.Block == b.Block && a.Vec == b.Vec
}

func TestActorFlagsUseTwoMetadataEntries(t *testing.T) {
	flags := ActorFlagsOf(FlagSneaking, FlagBreathing, FlagAffectedByGravity, FlagCrawling)
	var m Metadata
	m.SetFlags(flags)
	low, _ := m.Find(MetaFlags)
	high, _ := m.Find(MetaFlags2)
	if low.Int != 1<<1|1<<35|1<<49 || high.Int != 1<<50 || m.Flags() != flags {
		t.Errorf("flags %x, flags 2 %x", low.Int, high.Int)
	}
	if flags.Set(FlagCrawling, false); flags.Has(FlagCrawling) || !flags.Has(FlagSneaking) {
		t.Errorf("flags %x", flags)
	}
	m.SetFlags(flags)
	if high, ok := m.Find(MetaFlags2); !ok || high.Int != 0 || len(m) != 2 {
		t.Errorf("cleared flag entry is missing: %+v", m)
	}
}

func TestInconsistentMetadataIsRefused(t *testing.T) {
	for name, b := range map[string][]byte{
		"types differ":  {1, 0, 7, 2, 0},
		"unknown type":  {1, 0, 9, 9, 0},
		"duplicate key": {2, 38, 0, 0, 1, 38, 0, 0, 1},
		"too many keys": {0xff, 0xff, 3, 0},
	} {
		r := wire.NewReader(b)
		if m := readMetadata(&r, b); !errors.Is(r.Done("metadata"), wire.ErrRange) {
			t.Errorf("%s: %+v, %v", name, m, r.Err())
		}
	}
}
