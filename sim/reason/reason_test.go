package reason

import "testing"

func TestEveryReasonHasUniqueNameAndExplanation(t *testing.T) {
	seen := map[string]Reason{}
	for _, r := range All() {
		if r.String() == "" || r.Sentence() == "" {
			t.Errorf("reason %d has name %q and sentence %q", r, r, r.Sentence())
		}
		if twin, ok := seen[r.String()]; ok {
			t.Errorf("reasons %d and %d share the name %q", twin, r, r)
		}
		seen[r.String()] = r
	}
	if Reason(250).String() != "invalid" {
		t.Error("an unknown reason is not named invalid")
	}
}

func TestEveryReasonHasSuspicionWeight(t *testing.T) {
	for _, r := range All() {
		if w := r.Weight(); w < Operator || w > Suspicious {
			t.Errorf("reason %s has no weight", r)
		}
	}
	if w := Reason(250).Weight(); w != Unusual {
		t.Errorf("an unknown reason is %s", w)
	}
	// Reasons of honest play, of operators and of forged input have different weights.
	for r, want := range map[Reason]Weight{
		OutOfRange: Harmless, TooSoon: Harmless, TargetDead: Harmless, Covered: Harmless, Landing: Harmless, Frozen: Harmless,
		Halted: Operator, Mispredicted: Unusual, Blocked: Unusual, TooFast: Suspicious, TickForged: Suspicious, Suspected: Suspicious,
	} {
		if w := r.Weight(); w != want {
			t.Errorf("%s is %s, want %s", r, w, want)
		}
	}
}

func TestParseWeightAcceptsOnlyNamesOfWeights(t *testing.T) {
	for w := Operator; w <= Suspicious; w++ {
		if got, ok := ParseWeight(w.String()); got != w || !ok {
			t.Errorf("%q is read as %v, %v", w, got, ok)
		}
	}
	for _, name := range []string{"", "invalid", "Harmless"} {
		if w, ok := ParseWeight(name); ok {
			t.Errorf("%q is read as %v", name, w)
		}
	}
	if Weight(0).String() != "invalid" || weights.String() != "invalid" {
		t.Error("a value that is no weight has a name")
	}
}
