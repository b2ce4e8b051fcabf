package reason

import "testing"

func TestEveryReasonHasUniqueNameAndSentence(t *testing.T) {
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
