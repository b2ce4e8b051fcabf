// Command motion prints how the members of a crowd (package internal/crowd) move in a scene, for programs in other languages that
// need the same motion. It prints one JSON array for each tick, with four numbers for each member: x, y and z in 1/64 block, and
// the yaw in 1/256 turn.
package main

import (
	"bufio"
	"encoding/json"
	"flag"
	"fmt"
	"os"

	"github.com/truestep-io/truestep/internal/crowd"
)

func main() {
	name := flag.String("scene", "wander", "vale, wander or asteroids")
	ticks := flag.Int("ticks", 1200, "number of lines")
	seed := flag.Uint64("seed", 77, "seed of all random choices")
	flag.Parse()
	scene, ok := crowd.Named(*name)
	if !ok {
		fmt.Fprintf(os.Stderr, "motion: scene %q: must be vale, wander or asteroids\n", *name)
		os.Exit(2)
	}
	c := crowd.New(scene, *seed)
	out := bufio.NewWriter(os.Stdout)
	defer out.Flush()
	lines := json.NewEncoder(out)
	for range *ticks {
		c.Step()
		var line []int32
		for i := range c.Members {
			x, y, z, yaw, _, _ := c.Members[i].Values()
			line = append(line, x, y, z, yaw)
		}
		if err := lines.Encode(line); err != nil {
			fmt.Fprintln(os.Stderr, "motion:", err)
			os.Exit(1)
		}
	}
}
