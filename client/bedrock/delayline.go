package bedrock

// delayLine delays messages by a number of ticks, to simulate a slow connection. The messages stay in order.
type delayLine struct {
	ticks    int              // delay of each message in ticks
	messages []delayedMessage // delayed messages in the order in which they are due
}

type delayedMessage struct {
	due  uint64 // tick at which the delay ends
	data []byte
}

// push stores a copy of data. The parameter now is the current tick. popDue delivers the copy when l.ticks more ticks have
// passed.
func (l *delayLine) push(now uint64, data []byte) {
	l.messages = append(l.messages, delayedMessage{now + uint64(l.ticks), append([]byte(nil), data...)})
}

// popDue removes the messages whose delay has ended and calls deliver with each of them. It stops at the first error.
func (l *delayLine) popDue(now uint64, deliver func(data []byte) error) error {
	n := 0
	defer func() {
		rest := copy(l.messages, l.messages[n:])
		clear(l.messages[rest:])
		l.messages = l.messages[:rest]
	}()
	for n < len(l.messages) && l.messages[n].due <= now {
		n++
		if err := deliver(l.messages[n-1].data); err != nil {
			return err
		}
	}
	return nil
}
