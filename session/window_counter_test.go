package session

import (
	"net/netip"
	"testing"
	"time"
)

var noon = time.Date(2026, 1, 1, 12, 0, 0, 0, time.UTC)

func TestWindowCounterExpiresAfterWindow(t *testing.T) {
	c := newWindowCounter[string](time.Minute, 10)
	c.add("a", noon)
	c.add("a", noon.Add(59*time.Second))
	if n := c.get("a", noon.Add(59*time.Second)); n != 2 {
		t.Errorf("count is %d", n)
	}
	if n := c.get("a", noon.Add(60*time.Second)); n != 0 {
		t.Errorf("after its span the count is %d", n)
	}
	c.add("a", noon.Add(61*time.Second))
	if n := c.get("a", noon.Add(119*time.Second)); n != 1 {
		t.Errorf("in the next span the count is %d", n)
	}
}

func TestWindowCounterForgetsClearedKey(t *testing.T) {
	c := newWindowCounter[string](time.Minute, 10)
	c.add("a", noon)
	c.clear("a")
	if n := c.get("a", noon); n != 0 {
		t.Errorf("count is %d", n)
	}
	c.add("a", noon.Add(30*time.Second)) // a span of its own
	if n := c.get("a", noon.Add(70*time.Second)); n != 1 {
		t.Errorf("the end of a cleared span cleared a new one: %d", n)
	}
}

func TestWindowCounterHoldsBoundedNumberOfKeys(t *testing.T) {
	c := newWindowCounter[int](time.Minute, 100)
	for i := range 10_000 {
		c.add(i, noon)
		if i%3 == 0 {
			c.clear(i)
		}
	}
	if len(c.counts) > 100 || len(c.order) > 100 {
		t.Errorf("holds %d keys, %d entries", len(c.counts), len(c.order))
	}
	if c.get(9_998, noon) != 1 || c.get(1, noon) != 0 {
		t.Error("it did not forget the oldest")
	}
}

func TestNetworkIsIPv4AddressOrIPv6Prefix(t *testing.T) {
	for addr, want := range map[string]string{
		"192.0.2.7":              "192.0.2.7",
		"::ffff:192.0.2.7":       "192.0.2.7",
		"2001:db8:1:2:3:4:5:6":   "2001:db8:1:2::",
		"2001:db8:1:2:ffff::1":   "2001:db8:1:2::",
		"fe80::1%eth0":           "fe80::",
		"::1":                    "::1",
		"2001:db8:1:3:3:4:5:6%x": "2001:db8:1:3::",
	} {
		if got := (Peer{Addr: netip.MustParseAddr(addr)}).network(); got.String() != want {
			t.Errorf("%s counts as %s, want %s", addr, got, want)
		}
	}
	if got := (Peer{}).network(); got.IsValid() {
		t.Errorf("no address counts as %s", got)
	}
}
