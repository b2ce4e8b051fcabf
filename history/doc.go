// Package history keeps figures of a server over a year in a file of fixed size. Samples, about one in ten seconds, are
// collected in buckets of 10 s, 1 min, 15 min and 3 h; each resolution is a ring in which the newest bucket replaces the oldest.
//
//	s := history.Open(history.Options{Path: path, Columns: columns, Retain: history.MaxRetain, Start: time.Now()})
//	s.Add(time.Now(), values)
//	r := s.Query(from, to, nil)
//
// A store always opens: records that are damaged are left out, a file that is not one is moved aside, and without a
// writable file the figures are kept in memory. A store is safe for concurrent use and has no goroutines.
package history
