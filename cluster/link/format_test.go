package link

import (
	"bytes"
	"errors"
	"io"
	"reflect"
	"runtime"
	"slices"
	"strings"
	"testing"
	"time"
)

func TestHandshakeAndPingBodiesRoundTripAndWrongLengthIsRefused(t *testing.T) {
	at := time.Unix(1_900_000_000, 123)
	for name, c := range map[string]struct {
		body  []byte
		parse func([]byte) (any, error)
		want  any
	}{
		"hello": {(&hello{Hello{"world", 2, 3, "formats 1", "v1", 4, "rules 5", "db 6"}, at, abc}).append(nil), func(b []byte) (any, error) { return parseHello(b) },
			&hello{Hello{"world", 2, 3, "formats 1", "v1", 4, "rules 5", "db 6"}, at, abc}},
		"accept": {appendTime(nil, at), func(b []byte) (any, error) { return parseAccept(b) }, at},
		"ping":   {appendTime(nil, at), func(b []byte) (any, error) { return parsePing(b) }, at},
		"pong":   {pong{at, at.Add(1), at.Add(2)}.append(nil), func(b []byte) (any, error) { return parsePong(b) }, pong{at, at.Add(1), at.Add(2)}},
	} {
		t.Run(name, func(t *testing.T) {
			if got, err := c.parse(c.body); err != nil || !reflect.DeepEqual(got, c.want) {
				t.Errorf("%v, %v, want %v", got, err, c.want)
			}
			for n := range c.body {
				if _, err := c.parse(c.body[:n]); !errors.Is(err, errShort) && !errors.Is(err, errMagic) {
					t.Errorf("%d bytes of %d: %v", n, len(c.body), err)
				}
			}
			if _, err := c.parse(append(slices.Clip(c.body), 0)); !errors.Is(err, errTrailing) {
				t.Error(err)
			}
		})
	}
}

func TestHelloBeyondLimitsIsRefused(t *testing.T) {
	for want, h := range map[string]*hello{
		"0 nodes":                        {Hello: Hello{Cluster: "c"}},
		"17 nodes":                       {nodes: make([]string, 17)},
		"a name or version has 33 bytes": {nodes: []string{strings.Repeat("n", 33)}},
		"a name or version has 40 bytes": {Hello: Hello{Cluster: strings.Repeat("c", 40)}, nodes: abc},
		"a name or version has 129":      {Hello: Hello{Formats: strings.Repeat("f", 129)}, nodes: abc},
		"a name or version has 130":      {Hello: Hello{Program: strings.Repeat("p", 130)}, nodes: abc},
		"a name or version has 131":      {Hello: Hello{Game: strings.Repeat("g", 131)}, nodes: abc},
		"a name or version has 132":      {Hello: Hello{Database: strings.Repeat("d", 132)}, nodes: abc},
	} {
		if _, err := parseHello(h.append(nil)); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%v, want %q", err, want)
		}
	}
}

func TestLargestHelloFitsIntoFrame(t *testing.T) {
	h := &hello{Hello: Hello{Cluster: strings.Repeat("c", maxName), Formats: strings.Repeat("f", maxVersion), Program: strings.Repeat("p", maxVersion), Game: strings.Repeat("g", maxVersion), Database: strings.Repeat("d", maxVersion)}, clock: time.Unix(0, 0)}
	for range maxNodes {
		h.nodes = append(h.nodes, strings.Repeat("n", maxName))
	}
	if n := len(h.append(nil)); n > maxControl {
		t.Errorf("%d bytes", n)
	}
}

func TestRefusalTextOfLinkIsShortenedAndMadePrintable(t *testing.T) {
	if got, err := parseRefusal(appendRefusal(nil, strings.Repeat("x", 600))); err != nil || len(got) != maxReason {
		t.Errorf("%d bytes, %v", len(got), err)
	}
	if got, err := parseRefusal([]byte("a\nb\x1bc\xffd")); err != nil || got != "a?b?c?d" {
		t.Errorf("%q, %v", got, err)
	}
	for _, b := range [][]byte{nil, make([]byte, maxReason+1)} {
		if _, err := parseRefusal(b); err == nil {
			t.Errorf("text of %d bytes is accepted", len(b))
		}
	}
}

func TestTruncatedFrameIsRefusedAtEveryLength(t *testing.T) {
	frame := appendFrame(nil, 77, []byte("twelve bytes"))
	for n := range frame {
		want := io.ErrUnexpectedEOF
		if n == 0 {
			want = io.EOF
		}
		if _, _, err := readFrame(bytes.NewReader(frame[:n]), MaxBody); !errors.Is(err, want) {
			t.Errorf("%d bytes: %v, want %v", n, err, want)
		}
	}
	kind, body, err := readFrame(bytes.NewReader(frame), MaxBody)
	if kind != 77 || string(body) != "twelve bytes" || err != nil {
		t.Error(kind, body, err)
	}
}

func TestFrameWithLargeLengthAndNoDataAllocatesLittle(t *testing.T) {
	head := appendHead(nil, 77, MaxBody)
	var before, after runtime.MemStats
	runtime.ReadMemStats(&before)
	for range 100 {
		if _, _, err := readFrame(bytes.NewReader(head), MaxBody); !errors.Is(err, io.ErrUnexpectedEOF) {
			t.Fatal(err)
		}
	}
	runtime.ReadMemStats(&after)
	if n := (after.TotalAlloc - before.TotalAlloc) / 100; n > 4*firstPart {
		t.Errorf("%d bytes are allocated for a frame without a body", n)
	}
}

func TestFrameBodyOfAnySizeIsReadCompletely(t *testing.T) {
	for _, size := range []int{firstPart - 1, firstPart, firstPart + 1, 3 * firstPart, 1<<20 + 1} {
		body := make([]byte, size)
		for i := range body {
			body[i] = byte(i * 7 >> 3)
		}
		_, got, err := readFrame(bytes.NewReader(appendFrame(nil, 77, body)), MaxBody)
		if err != nil || !bytes.Equal(got, body) {
			t.Errorf("%d bytes: %d, %v", size, len(got), err)
		}
	}
}

func FuzzHello(f *testing.F) {
	f.Add((&hello{Hello{"world", 2, 3, "formats 1", "v1", 4, "rules 5", "db 6"}, time.Unix(1_900_000_000, 1), abc}).append(nil))
	f.Add([]byte(helloMagic + "\x00\x04"))
	f.Fuzz(func(t *testing.T, b []byte) {
		h, err := parseHello(b)
		if err != nil {
			return
		}
		if again := h.append(nil); !bytes.Equal(again, b) {
			t.Fatalf("accepted %x but wrote %x", b, again)
		}
	})
}

// FuzzFrames reads frames as a link does, and writes those that were accepted again.
func FuzzFrames(f *testing.F) {
	at := time.Unix(1_900_000_000, 1)
	f.Add(appendFrame(appendFrame(nil, kindPing, appendTime(nil, at)), 16, []byte("body")))
	f.Add(appendFrame(nil, kindPong, pong{at, at, at}.append(nil)))
	f.Add(appendFrame(nil, kindRefuse, []byte("no")))
	f.Add(appendHead(nil, 255, MaxBody))
	f.Fuzz(func(t *testing.T, b []byte) {
		in := bytes.NewReader(b)
		var again []byte
		for {
			kind, body, err := readFrame(in, MaxBody)
			if err != nil {
				if errors.Is(err, io.EOF) && !bytes.Equal(again, b) {
					t.Fatalf("accepted %x but wrote %x", b, again)
				}
				return
			}
			again = appendFrame(again, kind, body)
			var fields []byte
			switch kind {
			case kindAccept, kindPing:
				var at time.Time
				if at, err = parsePing(body); err == nil {
					fields = appendTime(nil, at)
				}
			case kindPong:
				var p pong
				if p, err = parsePong(body); err == nil {
					fields = p.append(nil)
					measure(p, time.Unix(1_900_000_000, 0))
				}
			case kindRefuse:
				_, _ = parseRefusal(body)
				continue
			default:
				continue
			}
			if err == nil && !bytes.Equal(fields, body) {
				t.Fatalf("accepted %x but wrote %x", body, fields)
			}
		}
	})
}
