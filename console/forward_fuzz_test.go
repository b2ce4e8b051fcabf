package console

import (
	"encoding/json"
	"errors"
	"testing"
)

// What another node answers is the body of a response, or an error with a status that a response may have.
func FuzzForwardedAnswer(f *testing.F) {
	for _, seed := range []string{
		`{"status":200,"elsewhere":false,"player":"Ann","account":"ann","detail":"","body":{"players":[]}}`,
		`{"status":404,"elsewhere":false,"player":"","account":"","detail":"","body":{"error":{"code":"not_found","message":"x"}}}`,
		`{"status":200,"elsewhere":true,"body":null}`, `{"status":99}`, `{"status":400}`, `{"status":500,"body":"text"}`,
	} {
		f.Add([]byte(seed))
	}
	f.Fuzz(func(t *testing.T, b []byte) {
		a := new(forwardedAnswer)
		if decodeBody(b, a) != nil {
			return
		}
		body, err := a.result()
		if err == nil {
			if _, err := json.Marshal(body); err != nil || a.Status < 200 || a.Status >= 400 {
				t.Errorf("the answer %q, with the status %d, has the body %q: %v", b, a.Status, body, err)
			}
			return
		}
		if failed, ok := errors.AsType[*apiError](err); ok && (a.Status < 400 || a.Status > 599) {
			t.Errorf("the answer %q is an error of the operator with the status %d: %v", b, a.Status, failed)
		}
	})
}
