package rcce

import (
	"testing"

	"github.com/truestep-io/truestep/sim"
)

func TestFirstRuntimeIDIsOneAndActorKeepsItsID(t *testing.T) {
	r := newRuntimeIDs()
	if id := r.acquire(77); id != 1 {
		t.Fatalf("first id %d, want 1: 0 means no mount on the wire", id)
	}
	if id := r.acquire(77); id != 1 {
		t.Fatalf("the same actor got another id: %d", id)
	}
	r.release(77)
	if id := r.acquire(77); id != 1 {
		t.Fatalf("a referenced id was replaced by %d", id)
	}
}

func TestFreedRuntimeIDIsReusedOnlyAfterManyOtherIDs(t *testing.T) {
	r := newRuntimeIDs()
	first := r.acquire(1)
	r.release(1)
	for e := sim.EntityID(2); e < minFreedIDs; e++ {
		if id := r.acquire(e); id == first {
			t.Fatalf("id %d came back after %d joins, want at least %d", first, e-1, minFreedIDs)
		}
	}
}

func TestReservedRuntimeIDsAreNotAssignedToActors(t *testing.T) {
	r := newRuntimeIDs()
	seen := map[uint16]bool{}
	for e := sim.EntityID(1); e <= maxRuntimeID; e++ {
		id := r.acquire(e)
		if id == 0 || id == 65535 || seen[id] {
			t.Fatalf("actor %d got id %d (seen before: %v)", e, id, seen[id])
		}
		seen[id] = true
	}
	if id := r.acquire(70000); id != 0 {
		t.Fatalf("a full table gave id %d, want 0", id)
	}
	r.release(500)
	if id := r.acquire(70000); id == 0 {
		t.Fatal("a freed id was not reused although all others are in use")
	}
}
