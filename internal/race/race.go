//go:build race

// Package race reports to tests whether the race detector is on. The detector makes code about ten times slower, so some long
// tests run fewer rounds with it. `make test` runs their packages, or these tests, without it.
package race

// Enabled reports whether the race detector is on.
const Enabled = true
