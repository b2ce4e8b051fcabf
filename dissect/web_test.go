package dissect

import (
	"bytes"
	"encoding/hex"
	"encoding/json"
	"errors"
	"io"
	"os"
	"strings"
	"testing"
	"time"

	"github.com/truestep-io/truestep/internal/crowd"
	"github.com/truestep-io/truestep/internal/webscene"
)

// webMessages returns one message of each kind, from the test vectors of the TypeScript client.
func webMessages(t testing.TB) map[string][]byte {
	text, err := os.ReadFile("../client/ts/test/vectors/messages.json")
	if err != nil {
		t.Fatal(err)
	}
	var list []struct{ Name, Hex string }
	if err := json.Unmarshal(text, &list); err != nil {
		t.Fatal(err)
	}
	all := map[string][]byte{}
	for _, v := range list {
		b, err := hex.DecodeString(v.Hex)
		if err != nil {
			t.Fatal(err)
		}
		all[v.Name] = b
	}
	return all
}

func TestEveryWebMessageIsPrintedFieldByField(t *testing.T) {
	all := webMessages(t)
	var out bytes.Buffer
	text, _ := os.ReadFile("../client/ts/test/vectors/messages.json")
	var order []struct{ Name string }
	if err := json.Unmarshal(text, &order); err != nil {
		t.Fatal(err)
	}
	for _, v := range order {
		if err := (Web{}).PrintBytes(&out, all[v.Name]); err != nil {
			t.Errorf("%s: %v", v.Name, err)
		}
	}
	if err := (Web{}).PrintBytes(&out, []byte{0x93, 7, 0, 2, 0x10, 0x20, 5, 0x30, 1, 2, 3}); err != nil {
		t.Error(err)
	}
	golden(t, "web-messages.txt", out.String())
}

func TestTruncatedWebMessageReturnsErrorWithoutOutput(t *testing.T) {
	for name, b := range webMessages(t) {
		for n := range b {
			var out bytes.Buffer
			if err := (Web{}).PrintBytes(&out, b[:n]); err == nil || out.Len() != 0 {
				t.Fatalf("%s: the first %d bytes are printed as %q, %v", name, n, &out, err)
			}
		}
	}
}

// webLines returns the lines of a short simulation, in the format of "truestep vectors web".
func webLines(t testing.TB) string {
	scene, _ := crowd.Named("wander")
	var b strings.Builder
	if err := webscene.WriteLines(&b, webscene.Config{Scene: scene, Seed: 3, Ticks: 60, RoundTrip: 50 * time.Millisecond, Loss: 0.1}); err != nil {
		t.Fatal(err)
	}
	return b.String()
}

func TestWebTestVectorsAreComparedWithDecodedStates(t *testing.T) {
	lines := webLines(t)
	var out bytes.Buffer
	if err := (Web{Quiet: true}).PrintLines(&out, "run", strings.NewReader(lines)); err != nil || !strings.Contains(out.String(), "all as expected") {
		t.Errorf("%s, %v", &out, err)
	}
	out.Reset()
	if err := (Web{}).PrintLines(&out, "run", strings.NewReader(lines)); err != nil || !strings.Contains(out.String(), "\n  actor 0 ") {
		t.Errorf("%.300s, %v", &out, err)
	}
	last := lines[strings.LastIndex(lines, `{"snapshot"`):]
	for name, c := range map[string]struct{ lines, want string }{
		"another state":   {strings.Replace(lines, last, strings.Replace(last, `"states":[[`, `"states":[[9`, 1), 1), "but the line expects"},
		"another ack":     {strings.Replace(lines, last, strings.Replace(last, `"ack":"05`, `"ack":"06`, 1), 1), "the acknowledgement of the snapshot is"},
		"no schema":       {last, "run, line 1: the first line must have the key \"schema\""},
		"nothing":         {"", "run has no line with a schema"},
		"no JSON":         {"x\n", "run, line 1"},
		"no hex":          {strings.Replace(lines, last, strings.Replace(last, `"hex":"`, `"hex":"zz`, 1), 1), "invalid byte"},
		"damaged header":  {strings.Replace(lines, last, `{"snapshot":{"hex":"88"}}`+"\n", 1), "snapshot"},
		"an empty object": {strings.Replace(lines, last, "{}\n", 1), "the line must have one of the keys"},
	} {
		if err := (Web{Quiet: true}).PrintLines(io.Discard, "run", strings.NewReader(c.lines)); err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%s: %v, want %q", name, err, c.want)
		}
	}
	if err := (Web{}).PrintCapture(io.Discard, nil); !errors.As(err, new(InputError)) {
		t.Errorf("capture: %v", err)
	}
}

func FuzzWeb(f *testing.F) {
	for _, b := range webMessages(f) {
		f.Add(b)
	}
	f.Fuzz(func(_ *testing.T, b []byte) { _ = (Web{}).PrintBytes(io.Discard, b) })
}

func FuzzWebLines(f *testing.F) {
	lines := strings.SplitAfter(webLines(f), "\n")
	f.Add(strings.Join(lines[:3], "") + lines[len(lines)-2])
	f.Add(`{"schema":{"kinds":[]}}`)
	f.Fuzz(func(_ *testing.T, text string) { _ = (Web{}).PrintLines(io.Discard, "run", strings.NewReader(text)) })
}
