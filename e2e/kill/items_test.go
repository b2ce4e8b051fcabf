//go:build linux

package main

import (
	"maps"
	"slices"
	"testing"

	proto "github.com/truestep-io/truestep/proto/rcce"
)

func newTestInventory() inventory {
	v := newInventory(6)
	v.set([]proto.SlotItem{{Slot: 14, Item: proto.ItemInstance{ID: 1}, Amount: kitAmount}, {Slot: 15, Item: proto.ItemInstance{ID: 2}, Amount: 7}})
	v.enterArea()
	return v
}

func TestPartialDropLeavesRestOfStackInInventory(t *testing.T) {
	v := newTestInventory()
	v.dropped(&proto.InventoryDropped{Drop: 3, Item: proto.ItemInstance{ID: 1}, Amount: 7})
	if want := (map[uint8]stack{14: {1, kitAmount - 7}, 15: {2, 7}}); !maps.Equal(v.slots, want) {
		t.Errorf("slots are %v, want %v", v.slots, want)
	}
	if got := v.ground[3].stack; got != (stack{1, 7}) {
		t.Errorf("on the ground is %v", got)
	}
}

func TestDropByAnotherPlayerDoesNotChangeInventory(t *testing.T) {
	v := newTestInventory()
	before := maps.Clone(v.slots)
	v.dropped(&proto.InventoryDropped{Drop: 3, Item: proto.ItemInstance{ID: 1}, Amount: 8})
	if !maps.Equal(v.slots, before) {
		t.Errorf("slots are %v, want %v", v.slots, before)
	}
}

func TestEveryPossibleInventoryIsListedWhileRequestsAreUnanswered(t *testing.T) {
	v := newTestInventory()
	v.dropped(&proto.InventoryDropped{Drop: 9, Item: proto.ItemInstance{ID: 3}, Amount: 5})
	v.asked = []request{{pick: 9, slot: 20}, {drop: stack{2, 7}, slot: 15}, {drop: stack{1, 7}, slot: 14}}
	list, _ := v.after()
	for _, want := range []map[uint8]stack{
		{14: {1, kitAmount}, 15: {2, 7}},
		{14: {1, kitAmount}, 15: {2, 7}, 20: {3, 5}},
		{14: {1, kitAmount}},
		{14: {1, kitAmount - 7}, 20: {3, 5}},
	} {
		if !slices.ContainsFunc(list, func(m map[uint8]stack) bool { return maps.Equal(m, want) }) {
			t.Errorf("%v is not among the possible inventories", want)
		}
	}
	if bad := (map[uint8]stack{14: {1, kitAmount}, 20: {1, 5}}); slices.ContainsFunc(list, func(m map[uint8]stack) bool { return maps.Equal(m, bad) }) {
		t.Errorf("%v is among the possible inventories", bad)
	}
	v.received(&proto.InventoryReceived{Drop: 9, Slot: 20})
	if v.slots[20] != (stack{3, 5}) || len(v.ground) != 0 || len(v.asked) != 2 {
		t.Errorf("after the answer: slots %v, ground %v, %d open requests", v.slots, v.ground, len(v.asked))
	}
}
