package admission

import (
	"testing"
	"time"
)

var noon = time.Date(2026, 1, 1, 12, 0, 0, 0, time.UTC)

func TestEventCountOfKeyExpiresAtEndOfTimeWindow(t *testing.T) {
	c := NewWindow[string](time.Minute, 10)
	c.Add("a", noon)
	c.Add("a", noon.Add(59*time.Second))
	if n := c.Get("a", noon.Add(59*time.Second)); n != 2 {
		t.Errorf("count is %d", n)
	}
	if n := c.Get("a", noon.Add(60*time.Second)); n != 0 {
		t.Errorf("after its span the count is %d", n)
	}
	c.Add("a", noon.Add(61*time.Second))
	if n := c.Get("a", noon.Add(119*time.Second)); n != 1 {
		t.Errorf("in the next span the count is %d", n)
	}
}

func TestClearedCountOfKeyIsZeroAndNextEventBeginsNewTimeWindow(t *testing.T) {
	c := NewWindow[string](time.Minute, 10)
	c.Add("a", noon)
	c.Clear("a")
	if n := c.Get("a", noon); n != 0 {
		t.Errorf("count is %d", n)
	}
	c.Add("a", noon.Add(30*time.Second)) // this count begins a new window
	if n := c.Get("a", noon.Add(70*time.Second)); n != 1 {
		t.Errorf("the end of a cleared span cleared a new one: %d", n)
	}
}

func TestWindowForgetsOldestKeysBeyondItsMaximumNumber(t *testing.T) {
	c := NewWindow[int](time.Minute, 100)
	for i := range 10_000 {
		c.Add(i, noon)
		if i%3 == 0 {
			c.Clear(i)
		}
	}
	if len(c.counts) > 100 || len(c.order) > 100 {
		t.Errorf("holds %d keys, %d entries", len(c.counts), len(c.order))
	}
	if c.Get(9_998, noon) != 1 || c.Get(1, noon) != 0 {
		t.Error("it did not forget the oldest")
	}
}
