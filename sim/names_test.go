package sim

import "testing"

func TestEveryIntentAndEventKindHasUniqueName(t *testing.T) {
	seen := map[string]bool{}
	for k := IntentJoin; k <= IntentResume; k++ {
		if name := k.String(); name == "unknown" || seen["intent "+name] {
			t.Errorf("intent kind %d is %q", k, name)
		} else {
			seen["intent "+name] = true
		}
	}
	for k := EventJoined; k <= EventResumed; k++ {
		if name := k.String(); name == "unknown" || seen["event "+name] {
			t.Errorf("event kind %d is %q", k, name)
		} else {
			seen["event "+name] = true
		}
	}
	if IntentKind(200).String() != "unknown" || EventKind(0).String() != "unknown" {
		t.Error("a kind that does not exist has a name")
	}
}
