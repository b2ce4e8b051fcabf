package rewind_test

import (
	"fmt"

	"github.com/truestep-io/truestep/client/rewind"
)

// A cart moves by its speed. The server pushed it after tick 2; the client learns of it at tick 4.
func Example() {
	type cart struct{ At, Speed int }
	type push struct{ Speed int }

	h := rewind.New(40,
		func(c *cart, throttle int) {
			c.Speed += throttle
			c.At += c.Speed
		},
		func(c cart, p push) cart {
			c.Speed += p.Speed
			return c
		},
		rewind.Equal[cart])

	h.Step(1) // tick 1: starts to move
	for range 3 {
		h.Step(0)
	}
	fmt.Println("tick", h.Tick(), h.State())

	h.Add(2, push{Speed: 10})
	fmt.Printf("%+v\n", h.Reconcile())
	fmt.Println("tick", h.Tick(), h.State())
	// Output:
	// tick 4 {4 1}
	// {To:2 Replayed:2 Changed:3 Visible:true}
	// tick 4 {24 11}
}
