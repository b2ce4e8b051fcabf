package web

// The start of the contexts of a snapshot.
var (
	priorMore = [2]prob{probHalf, probHalf}
	priorGap  = func() (n number) { n.reset(); return n }()
	priorNone = func() (n number) { n.reset(); return n }()
)

// priorField returns the start of the contexts of a field in a class.
func priorField(field, class int) number { return priorNone }
