package rs

import (
	"bytes"
	"errors"
	"fmt"
	"strings"
	"testing"

	"github.com/truestep-io/truestep/proto/wire"
)

func TestHuffmanCodesOfChatMatchGameClient(t *testing.T) {
	for c, want := range map[byte]string{
		' ': "001", 'e': "011", 'a': "0100", 'o': "1100", 't': "1110", 'h': "10000", 'l': "10001", 'A': "000001101",
	} {
		if got := fmt.Sprintf("%0*b", chatHuffman.lengths[c], chatHuffman.codes[c]); got != want {
			t.Errorf("%q is %s, want %s", c, got, want)
		}
	}
}

func TestPackedChatTextMatchesGameClient(t *testing.T) {
	for text, want := range map[string]string{
		"hello":         "05 838c70",
		"Hello, world!": "0d 0db8c7011fb2b15008",
		"":              "00",
	} {
		got := ChatHuffman().Append(nil, []byte(text))
		if !bytes.Equal(got, unhex(t, want)) {
			t.Errorf("%q is %x, want %s", text, got, want)
		}
		if back, err := ChatHuffman().Parse(nil, got, MaxChatLength); string(back) != text || err != nil {
			t.Errorf("%q parsed as %q, %v", text, back, err)
		}
	}
}

func TestHuffmanRoundTripsEveryByte(t *testing.T) {
	all := make([]byte, 256)
	for i := range all {
		all[i] = byte(i)
	}
	packed := ChatHuffman().Append([]byte("in front"), all)[len("in front"):]
	if got, err := ChatHuffman().Parse([]byte("text"), packed, 256); err != nil || !bytes.Equal(got, append([]byte("text"), all...)) {
		t.Errorf("%x, %v", got, err)
	}
	for n := range packed {
		if got, err := ChatHuffman().Parse(nil, packed[:n], 256); !errors.Is(err, wire.ErrShort) || got != nil {
			t.Errorf("%d of %d bytes: %x, %v", n, len(packed), got, err)
		}
	}
}

func TestHuffmanParseRefusesInvalidText(t *testing.T) {
	long := ChatHuffman().Append(nil, bytes.Repeat([]byte{'e'}, MaxChatLength+1))
	for name, c := range map[string]struct {
		b    []byte
		want error
	}{
		"over the limit":           {long, wire.ErrRange},
		"length of 32767":          {[]byte{0xff, 0xff}, wire.ErrRange},
		"length in a long form":    {unhex(t, "8005 838c70"), wire.ErrRange},
		"trailing byte":            {unhex(t, "05 838c70 00"), wire.ErrTrailing},
		"padding bits set":         {unhex(t, "05 838c71"), wire.ErrRange},
		"no bytes":                 {nil, wire.ErrShort},
		"byte after an empty text": {unhex(t, "00 00"), wire.ErrTrailing},
	} {
		if got, err := ChatHuffman().Parse(nil, c.b, MaxChatLength); got != nil || !errors.Is(err, c.want) {
			t.Errorf("%s: %q, %v", name, got, err)
		}
	}
	if _, err := ChatHuffman().Parse(nil, []byte{1, 0}, -1); !errors.Is(err, wire.ErrRange) {
		t.Errorf("negative limit: %v", err)
	}
}

func TestChatTextOfMaximumLengthFitsIntoFrame(t *testing.T) {
	worst := strings.Repeat("\x01", MaxChatLength)
	w := NewFrameWriter(S2C, nil)
	if _, err := w.AppendPacket(nil, MessagePublic{Index: 1, Text: worst}); err != nil {
		t.Error(err)
	}
	if _, err := w.AppendPacket(nil, MessagePublic{Index: 1, Text: worst + "\x01"}); !errors.Is(err, ErrSize) {
		t.Errorf("one character more: %v", err)
	}
}

func TestNewHuffmanRefusesInvalidCodeLengths(t *testing.T) {
	for name, change := range map[string]func(*[256]uint8){
		"missing code":             func(l *[256]uint8) { l['e'] = 0 },
		"free leaf":                func(l *[256]uint8) { l['e']++ },
		"too few leaves":           func(l *[256]uint8) { l['e']-- },
		"code longer than 24 bits": func(l *[256]uint8) { l['e'] = maxCode + 1 },
		"all codes of 1 bit":       func(l *[256]uint8) { *l = [256]uint8(bytes.Repeat([]byte{1}, 256)) },
		"all codes of 24 bits":     func(l *[256]uint8) { *l = [256]uint8(bytes.Repeat([]byte{24}, 256)) },
		"all codes of 7 bits":      func(l *[256]uint8) { *l = [256]uint8(bytes.Repeat([]byte{7}, 256)) },
	} {
		lengths := chatLengths
		change(&lengths)
		if h, err := NewHuffman(lengths); h != nil || !errors.Is(err, wire.ErrRange) {
			t.Errorf("%s: %v", name, err)
		}
	}
	if _, err := NewHuffman([256]uint8(bytes.Repeat([]byte{8}, 256))); err != nil {
		t.Errorf("all codes of 8 bits: %v", err)
	}
}

func FuzzHuffman(f *testing.F) {
	f.Add([]byte("hello"))
	f.Add(ChatHuffman().Append(nil, []byte("Hello, world!")))
	f.Fuzz(func(t *testing.T, b []byte) {
		if text, err := ChatHuffman().Parse(nil, b, 32767); err == nil {
			if again := ChatHuffman().Append(nil, text); !bytes.Equal(again, b) {
				t.Fatalf("accepted %x but wrote %x", b, again)
			}
		}
		if len(b) > 32767 {
			return
		}
		if text, err := ChatHuffman().Parse(nil, ChatHuffman().Append(nil, b), 32767); err != nil || !bytes.Equal(text, b) {
			t.Fatalf("%x parsed as %x, %v", b, text, err)
		}
	})
}
