//go:build linux

package main

import (
	"os"
	"strconv"
	"strings"
	"time"

	"golang.org/x/sys/unix"
)

// now returns the time of the machine's monotonic clock in ns. All processes of the machine read the same clock, so times from
// different processes can be compared.
func now() int64 {
	var t unix.Timespec
	_ = unix.ClockGettime(unix.CLOCK_MONOTONIC, &t) // CLOCK_MONOTONIC exists on every Linux, so there is no error
	return t.Nano()
}

// cpuOf returns the processor time that a process has used, user and system together; 0 if it has ended.
func cpuOf(pid int) time.Duration {
	text, err := os.ReadFile("/proc/" + strconv.Itoa(pid) + "/stat")
	if err != nil {
		return 0 // the process has ended
	}
	_, rest, _ := strings.Cut(string(text), ") ")
	fields := strings.Fields(rest) // from field 3, state
	if len(fields) < 13 {
		return 0
	}
	user, _ := strconv.ParseInt(fields[11], 10, 64)
	system, _ := strconv.ParseInt(fields[12], 10, 64)
	return time.Duration(user+system) * (time.Second / ticksPerSecond)
}

const ticksPerSecond = 100 // USER_HZ of Linux on every platform that Go supports

// loadAverage returns the machine's load average of the last minute.
func loadAverage() float64 {
	text, err := os.ReadFile("/proc/loadavg")
	if err != nil {
		return 0
	}
	first, _, _ := strings.Cut(string(text), " ")
	load, _ := strconv.ParseFloat(first, 64)
	return load
}
