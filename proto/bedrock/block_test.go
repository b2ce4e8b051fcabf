package bedrock

import "testing"

func TestBlockHashMatchesKnownValues(t *testing.T) {
	for _, c := range []struct {
		name   string
		states []BlockState
		want   int32
	}{
		{"minecraft:air", nil, -604749536},
		{"minecraft:stone", nil, -2144268767},
		{"minecraft:grass_block", nil, -567203660},
		{"minecraft:dirt", nil, -2108756090},
		{"minecraft:bedrock", []BlockState{{Key: "infiniburn_bit"}}, -173245189},
	} {
		if got := BlockHash(c.name, c.states); got != c.want {
			t.Errorf("%s is %d, want %d", c.name, got, c.want)
		}
	}
}

func TestBlockHashSortsStatesByKey(t *testing.T) {
	states := []BlockState{
		{Key: "facing_direction", Kind: StateInt, Int: 3},
		{Key: "minecraft:vertical_half", Kind: StateText, Text: "top"},
		{Key: "open_bit", Int: 1},
	}
	want := BlockHash("a:b", states)
	mixed := []BlockState{states[2], states[0], states[1]}
	if got := BlockHash("a:b", mixed); got != want {
		t.Errorf("%d in one order, %d in another", want, got)
	}
	for i := range states {
		other := append([]BlockState(nil), states...)
		other[i].Int++
		other[i].Text += "x"
		if BlockHash("a:b", other) == want {
			t.Errorf("the value of %s does not change the hash", states[i].Key)
		}
		other = append([]BlockState(nil), states...)
		other[i].Key += "x"
		if BlockHash("a:b", other) == want {
			t.Errorf("the key %s does not change the hash", states[i].Key)
		}
	}
}

func TestBlockHashDoesNotAllocate(t *testing.T) {
	states := []BlockState{{Key: "b"}, {Key: "a", Kind: StateText, Text: "x"}}
	if n := testing.AllocsPerRun(100, func() { BlockHash("minecraft:stone", states) }); n != 0 {
		t.Errorf("%v allocations", n)
	}
}
