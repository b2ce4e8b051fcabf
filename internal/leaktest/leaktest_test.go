package leaktest

import (
	"strings"
	"testing"
	"time"
)

func TestMain(m *testing.M) { VerifyTestMain(m) }

func TestGoroutineThatEndsLateIsNoLeak(t *testing.T) {
	go time.Sleep(1200 * time.Millisecond)
	VerifyNone(t)
}

func TestGoroutineThatDoesNotEndIsReported(t *testing.T) {
	end := make(chan struct{})
	defer close(end)
	go waitFor(end)
	if err := find(0, nil); err == nil || !strings.Contains(err.Error(), "leaktest.waitFor") {
		t.Errorf("the error is %v", err)
	}
}

func waitFor(end chan struct{}) { <-end }
