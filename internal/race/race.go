//go:build race

// Package race reports to tests whether the race detector is on. The detector makes code about ten times slower, so some
// long tests run fewer rounds with it. `make test` runs these tests, or their packages, without the detector.
package race

// Enabled reports whether the race detector is on.
const Enabled = true
