// Package history stores statistics of a server over a year in a file of fixed size. A sample has one value per series
// and is added about every ten seconds. Samples are aggregated in buckets of 10 s, 1 min, 15 min and 3 h. The buckets
// of one width form a ring, in which the newest bucket replaces the oldest.
//
//	s := history.Open(history.Options{Path: path, Series: series, Retain: history.MaxRetain, Start: time.Now()})
//	s.Add(time.Now(), values)
//	r := s.Query(from, to, time.Now(), func(history.Series) bool { return true })
//
// Open always returns a usable store: damaged records are skipped, a file that is not a history file is renamed, and
// without a writable file the values are kept in memory only. A Store is safe for concurrent use and starts no
// goroutines.
package history
