//go:build race

package sim

// raceEnabled reports whether the race detector is on. Long tests then do less: the package has no goroutines, and make golden runs
// them in full.
const raceEnabled = true
