package bedrock

// line holds messages back for some ticks, as a bad connection would, in order.
type line struct {
	ticks int
	held  []held
}

type held struct {
	due  uint64 // tick
	data []byte
}

// put holds a copy of data back from tick now on.
func (l *line) put(now uint64, data []byte) {
	l.held = append(l.held, held{now + uint64(l.ticks), append([]byte(nil), data...)})
}

// take hands over what is due and forgets it. It ends early with the first error.
func (l *line) take(now uint64, to func(data []byte) error) error {
	n := 0
	defer func() {
		rest := copy(l.held, l.held[n:])
		clear(l.held[rest:])
		l.held = l.held[:rest]
	}()
	for n < len(l.held) && l.held[n].due <= now {
		n++
		if err := to(l.held[n-1].data); err != nil {
			return err
		}
	}
	return nil
}
