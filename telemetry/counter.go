package telemetry

import (
	"sync"
	"sync/atomic"

	"github.com/prometheus/client_golang/prometheus"
)

// Counter is a counter that only increases. Counting is one atomic addition without allocation. It is safe for concurrent
// use. Unlike the counters of the Prometheus library, its value can be read, which the status line needs.
type Counter struct{ n atomic.Uint64 }

// Add adds n to the counter. A negative n is ignored.
func (c *Counter) Add(n int) {
	if n > 0 {
		c.n.Add(uint64(n))
	}
}

// Inc adds one to the counter.
func (c *Counter) Inc() { c.n.Add(1) }

// Load returns the current count.
func (c *Counter) Load() uint64 { return c.n.Load() }

// Gauge is a number that can rise and fall. It is safe for concurrent use.
type Gauge struct{ n atomic.Int64 }

// Set replaces the number.
func (g *Gauge) Set(n int) { g.n.Store(int64(n)) }

// Add adds n, which may be negative.
func (g *Gauge) Add(n int) { g.n.Add(int64(n)) }

// Load returns the current number.
func (g *Gauge) Load() int64 { return g.n.Load() }

// Counters are the counters of one metric, one per value of a label. Performance-critical code calls With once and
// stores the result. Label values must be constants of the program, never data that a client sent, because a counter is
// never removed.
type Counters struct {
	reg        prometheus.Registerer
	name, help string
	label      string
	fixed      prometheus.Labels

	mu     sync.RWMutex
	values []string // values in order of their first use; the counter of values[i] is list[i]
	list   []*Counter
}

func newCounters(reg prometheus.Registerer, name, help, label string, fixed prometheus.Labels) *Counters {
	return &Counters{reg: reg, name: name, help: help, label: label, fixed: fixed}
}

// With returns the counter of a label value. Calls with the same value return the same counter.
func (c *Counters) With(value string) *Counter {
	c.mu.RLock()
	found := c.find(value)
	c.mu.RUnlock()
	if found != nil {
		return found
	}
	c.mu.Lock()
	defer c.mu.Unlock()
	if found := c.find(value); found != nil {
		return found
	}
	labels := prometheus.Labels{c.label: value}
	for k, v := range c.fixed {
		labels[k] = v
	}
	fresh := newCounter(c.reg, c.name, c.help, labels)
	c.values = append(c.values, value)
	c.list = append(c.list, fresh)
	return fresh
}

// find returns the counter with the label value, or nil if there is none. The caller holds c.mu. The lists are short
// (doors, reasons, results), so a linear search is as fast as a map.
func (c *Counters) find(value string) *Counter {
	for i, v := range c.values {
		if v == value {
			return c.list[i]
		}
	}
	return nil
}

// Each calls fn with every label value used so far and its count, in order of first use.
func (c *Counters) Each(fn func(value string, n uint64)) {
	c.mu.RLock()
	defer c.mu.RUnlock()
	for i, v := range c.values {
		fn(v, c.list[i].Load())
	}
}

func newCounter(reg prometheus.Registerer, name, help string, labels prometheus.Labels) *Counter {
	c := new(Counter)
	reg.MustRegister(prometheus.NewCounterFunc(
		prometheus.CounterOpts{Name: name, Help: help, ConstLabels: labels},
		func() float64 { return float64(c.Load()) }))
	return c
}

func newGauge(reg prometheus.Registerer, name, help string, labels prometheus.Labels) *Gauge {
	g := new(Gauge)
	reg.MustRegister(prometheus.NewGaugeFunc(
		prometheus.GaugeOpts{Name: name, Help: help, ConstLabels: labels},
		func() float64 { return float64(g.Load()) }))
	return g
}
