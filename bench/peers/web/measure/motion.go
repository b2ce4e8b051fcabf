//go:build linux

package main

import (
	"bufio"
	"encoding/json"
	"errors"
	"os"

	"github.com/truestep-io/truestep/internal/crowd"
	"github.com/truestep-io/truestep/internal/webscene"
)

// writeMotion writes a file with the motion of a scene for the peers, which are written in several languages. The file has
// a JSON array for each tick: the values of all actors (webscene.AppendValues) in their order.
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
			row = webscene.AppendValues(row, &scene, &c.Members[i])
		}
		if err := lines.Encode(row); err != nil {
			return err
		}
	}
	return out.Flush()
}
