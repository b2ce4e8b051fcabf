//go:build race

// Package race reports to tests whether the race detector is on, which makes code about ten times slower. Some long tests then
// do less; make golden runs them in full.
package race

// Enabled reports whether the race detector is on.
const Enabled = true
