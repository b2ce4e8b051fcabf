//go:build linux

package main

import (
	"slices"
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
