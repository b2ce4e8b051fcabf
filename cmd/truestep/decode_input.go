package main

import (
	"bufio"
	"bytes"
	"fmt"
	"io"
	"os"
	"strings"

	"github.com/truestep-io/truestep/internal/pcap"
)

// How much of the input is looked at.
const maxHexText = 1 << 20 // bytes of hex text

// decodeInput is what a decode command is given: hex digits, a file of them, a capture, or - for stdin.
type decodeInput struct {
	words   []string
	in      io.Reader // what - reads
	bytes   func(b []byte) error
	capture func(r io.Reader) error
}

// read hands the input to bytes or to capture.
func (d *decodeInput) read() error {
	if len(d.words) == 1 {
		if name := d.words[0]; name == "-" {
			return d.stream("stdin", d.in)
		} else if b, err := parseHex(name); err == nil {
			return d.bytes(b)
		}
		return d.file(d.words[0])
	}
	b, err := parseHex(strings.Join(d.words, " "))
	if err != nil {
		return usage(fmt.Errorf("input: %w", err))
	}
	return d.bytes(b)
}

func (d *decodeInput) file(name string) error {
	f, err := os.Open(name)
	if err != nil {
		if looksLikeHex(name) {
			_, hexErr := parseHex(name)
			return usage(fmt.Errorf("input: %w", hexErr))
		}
		return usage(fmt.Errorf("input is neither hex nor a file: %w", err))
	}
	defer f.Close()
	return d.stream(name, f)
}

// stream looks at the first bytes to tell a capture from hex text.
func (d *decodeInput) stream(name string, r io.Reader) error {
	in := bufio.NewReader(r)
	magic, _ := in.Peek(4)
	if pcap.IsMagic(magic) {
		if err := d.capture(in); err != nil {
			return fmt.Errorf("%s: %w", name, err)
		}
		return nil
	}
	text, err := io.ReadAll(io.LimitReader(in, maxHexText+1))
	if err != nil {
		return fmt.Errorf("%s: %w", name, err)
	}
	if len(text) > maxHexText {
		return usage(fmt.Errorf("%s: neither a pcap file nor hex of at most %d bytes", name, maxHexText))
	}
	b, err := parseHex(string(text))
	if err != nil {
		return usage(fmt.Errorf("%s: neither a pcap file nor hex: %w", name, err))
	}
	return d.bytes(b)
}

// parseHex reads hex digits, with whatever people put between them: white space, 0x, and the marks of hexdumps. A line
// from # on is a comment. Errors name the first character that is none of these.
func parseHex(text string) ([]byte, error) {
	var digits bytes.Buffer
	for line := range strings.Lines(text) {
		line, _, _ = strings.Cut(line, "#")
		for word := range strings.FieldsFuncSeq(line, isHexGap) {
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
		return nil, fmt.Errorf("%d hex digits do not make whole bytes", len(d))
	}
	b := make([]byte, len(d)/2)
	for i := range b {
		b[i] = uint8(hexValue(d[2*i])<<4 | hexValue(d[2*i+1]))
	}
	return b, nil
}

func isHexGap(r rune) bool { return strings.ContainsRune(" \t\r\n,;:|_-", r) }

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

// looksLikeHex says whether somebody meant s as hex rather than as a file's name: most of it is digits.
func looksLikeHex(s string) bool {
	digits := 0
	for i := range len(s) {
		if hexValue(s[i]) >= 0 {
			digits++
		}
	}
	return digits*4 >= len(s)*3 && !strings.ContainsAny(s, `./\`)
}
