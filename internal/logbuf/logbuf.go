// Package logbuf collects the log output of servers in tests.
package logbuf

import (
	"bytes"
	"strings"
	"sync"
)

// Buffer collects text that several goroutines write, such as the log of a server or the errors of a process. The zero value is
// empty and ready to use.
type Buffer struct {
	mu   sync.Mutex
	text bytes.Buffer
}

// Write appends p to the text. It implements io.Writer.
func (b *Buffer) Write(p []byte) (int, error) {
	b.mu.Lock()
	defer b.mu.Unlock()
	return b.text.Write(p)
}

// String returns all text written so far.
func (b *Buffer) String() string {
	b.mu.Lock()
	defer b.mu.Unlock()
	return b.text.String()
}

// Count returns the number of lines that contain all the words.
func (b *Buffer) Count(words ...string) (n int) {
next:
	for line := range strings.Lines(b.String()) {
		for _, w := range words {
			if !strings.Contains(line, w) {
				continue next
			}
		}
		n++
	}
	return n
}
