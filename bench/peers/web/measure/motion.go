//go:build linux

package main

import (
	"bufio"
	"encoding/json"
	"errors"
	"os"

	"github.com/truestep-io/truestep/internal/crowd"
)

// valuesOf returns the values of an actor of a scene: x, y and z in 1/64 block, the yaw in 1/256 turn, the health 0..255 and the flags
// (motion mode); in a published scene x, y and z, the yaw and the pitch, in the resolutions of that scene.
func valuesOf(scene *crowd.Scene, m *crowd.Member) []int32 {
	if scene.Unit > 0 {
		x, y, z, yaw, pitch := scene.Precise(m)
		return []int32{x, y, z, yaw, pitch}
	}
	x, y, z, yaw, health, flags := m.Values()
	return []int32{x, y, z, yaw, health, flags}
}

// writeMotion writes a file with the motion of a scene for the peers, which are written in several languages: one JSON array for each
// tick, a row, with the values of all actors in their order.
func writeMotion(path string, scene crowd.Scene, ticks int, seed uint64) (err error) {
	f, err := os.Create(path)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, f.Close()) }()
	out := bufio.NewWriter(f)
	lines, row := json.NewEncoder(out), []int32(nil)
	c := crowd.New(scene, seed)
	for range ticks {
		c.Step()
		row = row[:0]
		for i := range c.Members {
			row = append(row, valuesOf(&scene, &c.Members[i])...)
		}
		if err := lines.Encode(row); err != nil {
			return err
		}
	}
	return out.Flush()
}
