//go:build race

// Package race reports to tests whether the race detector is on. The detector makes code about ten times slower, so some long
// tests run fewer rounds with it; `make golden` runs them in full.
package race

// Enabled reports whether the race detector is on.
const Enabled = true
