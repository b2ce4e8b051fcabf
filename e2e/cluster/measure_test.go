//go:build linux

package main

import (
	"slices"
	"strings"
	"testing"
	"time"
)

func TestQuantileIsUpperBoundOfBucketInSummedHistogram(t *testing.T) {
	metrics := func(scale float64) map[string]float64 {
		return map[string]float64{
			`wait_bucket{area="A",le="0.001"}`: 2 * scale, `wait_bucket{area="A",le="0.05"}`: 3 * scale, `wait_bucket{area="A",le="+Inf"}`: 3 * scale,
			`wait_bucket{area="B",le="0.001"}`: 0, `wait_bucket{area="B",le="0.05"}`: scale, `wait_bucket{area="B",le="+Inf"}`: scale,
			`wait_count{area="A"}`: 100,
		}
	}
	before := [nodeCount]nodeFigures{{metrics: metrics(5)}, {}, {}}
	after := [nodeCount]nodeFigures{{metrics: metrics(6)}, {metrics: metrics(1)}, {}}
	n, list := quantiles("wait", before, after, 0.5, 0.51)
	if want := []time.Duration{time.Millisecond, 50 * time.Millisecond}; n != 8 || !slices.Equal(list, want) {
		t.Errorf("%d values, quantiles %v, want 8 and %v", n, list, want)
	}
}

func TestMedianWithoutFiguresOrAboveGoalIsAnError(t *testing.T) {
	ms := time.Millisecond
	for _, c := range []struct {
		list []time.Duration
		want string
	}{
		{nil, "no gap was measured"},
		{[]time.Duration{900 * ms, 100 * ms, 150 * ms}, ""},
		{[]time.Duration{900 * ms, 100 * ms, 151 * ms}, "is 151ms, want at most 150ms"},
	} {
		if err := medianError(c.list, 150*ms); (err == nil) != (c.want == "") || err != nil && !strings.Contains(err.Error(), c.want) {
			t.Errorf("%v: %v, want %q", c.list, err, c.want)
		}
	}
}
