package session

// Loss follows how much of what a gateway sends has to be sent again. The zero value is ready; it belongs to one
// goroutine.
type Loss struct {
	sent, again         uint64 // at the last look
	sentLate, againLate float64
}

// lossKeeps is the share of what counted at one look that still counts at the next. At a look a second that is a memory
// of some ten seconds.
const lossKeeps = 0.9

// Look takes how much was sent in all, for the first time and again, and returns the thousandths of what was sent lately
// that had to be sent again; -1 while nothing was sent. Appearance come in even intervals.
func (l *Loss) Update(sent, again uint64) int32 {
	l.sentLate = float64(l.sentLate*lossKeeps) + float64(sent-l.sent)
	l.againLate = float64(l.againLate*lossKeeps) + float64(again-l.again)
	l.sent, l.again = sent, again
	all := l.sentLate + l.againLate
	if all < 0.5 {
		if sent == 0 {
			return -1
		}
		return 0
	}
	return int32(l.againLate/all*1000 + 0.5)
}
