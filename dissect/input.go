package dissect

import (
	"bufio"
	"bytes"
	"fmt"
	"io"
	"os"
	"strings"

	"github.com/truestep-io/truestep/internal/pcap"
)

const maxHexText = 1 << 20 // maximum number of bytes of hex text that are read

// ReadInput reads what the user named on the command line. Several words are hex digits. A single word may also be the name of a file
// with hex digits, the name of a pcap file, or "-" for standard input. ReadInput calls the function capture with the content of a pcap
// file, and the function bytes with the bytes of hex digits.
func ReadInput(words []string, stdin io.Reader, bytes func(b []byte) error, capture func(r io.Reader) error) error {
	in := input{bytes, capture}
	if len(words) == 1 {
		if name := words[0]; name == "-" {
			return in.stream("stdin", stdin)
		} else if b, err := ParseHex(name); err == nil {
			return bytes(b)
		}
		return in.file(words[0])
	}
	b, err := ParseHex(strings.Join(words, " "))
	if err != nil {
		return badInput(fmt.Errorf("input: %w", err))
	}
	return bytes(b)
}

// input holds the two functions that ReadInput calls with what it has read: one for bytes from hex digits, one for a capture.
type input struct {
	bytes   func(b []byte) error
	capture func(r io.Reader) error
}

// file reads a file with hex digits or a capture.
func (in *input) file(name string) error {
	f, err := os.Open(name)
	if err != nil {
		if looksLikeHex(name) {
			_, hexErr := ParseHex(name)
			return badInput(fmt.Errorf("input: %w", hexErr))
		}
		return badInput(fmt.Errorf("the input is neither hex digits nor a readable file: %w", err))
	}
	defer f.Close()
	return in.stream(name, f)
}

// stream reads a capture or hex text, which it distinguishes by the first bytes.
func (in *input) stream(name string, r io.Reader) error {
	buffered := bufio.NewReader(r)
	magic, _ := buffered.Peek(4)
	if pcap.IsMagic(magic) {
		if err := in.capture(buffered); err != nil {
			return fmt.Errorf("%s: %w", name, err)
		}
		return nil
	}
	text, err := io.ReadAll(io.LimitReader(buffered, maxHexText+1))
	if err != nil {
		return fmt.Errorf("%s: %w", name, err)
	}
	if len(text) > maxHexText {
		return badInput(fmt.Errorf("%s is neither a pcap file nor a text of at most %d bytes with hex digits", name, maxHexText))
	}
	b, err := ParseHex(string(text))
	if err != nil {
		return badInput(fmt.Errorf("%s is neither a pcap file nor a text with hex digits: %w", name, err))
	}
	return in.bytes(b)
}

// ParseHex reads hex digits. It skips white space, 0x and the separators of hex dumps (, ; : | _ -). A # begins a comment that
// ends with the line. Any other character is an error, which names the character.
func ParseHex(text string) ([]byte, error) {
	var digits bytes.Buffer
	for line := range strings.Lines(text) {
		line, _, _ = strings.Cut(line, "#")
		for word := range strings.FieldsFuncSeq(line, isHexSeparator) {
			word = strings.TrimPrefix(strings.TrimPrefix(word, "0x"), "0X")
			for i := range len(word) {
				if hexValue(word[i]) < 0 {
					return nil, fmt.Errorf("%q is not a hex digit", word[i])
				}
			}
			digits.WriteString(word)
		}
	}
	d := digits.Bytes()
	if len(d)%2 != 0 {
		return nil, fmt.Errorf("%d hex digits do not make whole bytes; a byte has two digits", len(d))
	}
	b := make([]byte, len(d)/2)
	for i := range b {
		b[i] = uint8(hexValue(d[2*i])<<4 | hexValue(d[2*i+1]))
	}
	return b, nil
}

func isHexSeparator(r rune) bool { return strings.ContainsRune(" \t\r\n,;:|_-", r) }

func hexValue(c byte) int {
	switch {
	case c >= '0' && c <= '9':
		return int(c - '0')
	case c >= 'a' && c <= 'f':
		return int(c-'a') + 10
	case c >= 'A' && c <= 'F':
		return int(c-'A') + 10
	}
	return -1
}

// looksLikeHex reports whether a user meant s as hex digits rather than as a file name: at least three quarters of its
// characters are hex digits.
func looksLikeHex(s string) bool {
	digits := 0
	for i := range len(s) {
		if hexValue(s[i]) >= 0 {
			digits++
		}
	}
	return digits*4 >= len(s)*3 && !strings.ContainsAny(s, `./\`)
}

// HexOrFile returns the bytes that the hex digits in text stand for. If text is @FILE, the digits are read from that file. The
// file may also contain the bytes themselves: it then has exactly rawSize bytes, which are not all hex digits.
func HexOrFile(text string, rawSize int) ([]byte, error) {
	name, isFile := strings.CutPrefix(text, "@")
	if !isFile {
		return ParseHex(text)
	}
	f, err := os.Open(name)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	all, err := io.ReadAll(io.LimitReader(f, maxHexText+1))
	if err != nil {
		return nil, err
	}
	if len(all) > maxHexText {
		return nil, fmt.Errorf("%s: the file has more than %d bytes", name, maxHexText)
	}
	b, err := ParseHex(string(all))
	switch {
	case err != nil && len(all) == rawSize:
		return all, nil
	case err != nil:
		return nil, fmt.Errorf("%s: %w", name, err)
	}
	return b, nil
}
