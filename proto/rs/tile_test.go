package rs

import "testing"

func TestPackedTilesAndSquaresHaveDocumentedBits(t *testing.T) {
	at := Tile{X: 3205, Z: 3210, Plane: 3}
	if p := at.Pack(); p != 3<<28|3205<<14|3210 || UnpackTile(p) != at {
		t.Fatalf("packed %x", p)
	}
	s := SquareOf(at, 6)
	if s != 3<<16|50<<8|50 || s.Plane() != 3 || s.X() != 50 || s.Z() != 50 {
		t.Fatalf("square %x", uint32(s))
	}
	if s := SquareOf(Tile{X: 8192, Z: 8191, Plane: 1}, 13); s != 1<<16|1<<8 {
		t.Fatalf("square of 8192 tiles: %x", uint32(s))
	}
}

func TestWalkAndRunCodesOfEveryStepMatchDirectionTables(t *testing.T) {
	for code, s := range walkSteps {
		if got, ok := WalkCode(int(s[0]), int(s[1])); !ok || int(got) != code {
			t.Errorf("walk %v: %d, want %d", s, got, code)
		}
		if _, ok := RunCode(int(s[0]), int(s[1])); ok {
			t.Errorf("RunCode accepts the walk step %v", s)
		}
	}
	for code, s := range runSteps {
		if got, ok := RunCode(int(s[0]), int(s[1])); !ok || int(got) != code {
			t.Errorf("run %v: %d, want %d", s, got, code)
		}
	}
	for _, s := range [][2]int{{0, 0}, {3, 0}, {0, -3}} {
		_, walk := WalkCode(s[0], s[1])
		_, run := RunCode(s[0], s[1])
		if walk || run {
			t.Errorf("%v has no code", s)
		}
	}
}

func TestTileDistanceIsMeasuredPerAxisOnSamePlane(t *testing.T) {
	at := Tile{X: 100, Z: 100}
	if !at.Within(Tile{X: 115, Z: 85}, 15) || at.Within(Tile{X: 116, Z: 100}, 15) || at.Within(Tile{X: 100, Z: 100, Plane: 1}, 15) {
		t.Fatal("want 15 tiles on both axes, same plane")
	}
}
