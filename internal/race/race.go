//go:build race

// Package race reports to tests whether the race detector is on, which makes code about ten times slower. Some long tests
// run fewer rounds then; make golden runs them in full.
package race

// Enabled reports whether the race detector is on.
const Enabled = true
