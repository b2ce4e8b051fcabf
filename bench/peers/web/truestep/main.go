// Command truestep sends the motion of a crowd from a server to a client by the web protocol, over WebTransport or WebSocket. It has the
// part of the web door and of its clients that carries the states of actors: the coding, the acknowledgements and the limit on bytes, in
// the same packets. The client sends no inputs.
//
//	truestep server wt|ws MOTION.jsonl SCENE HZ ADDR
//	truestep client wt|ws ADDR ACTORS SCENE HZ
//
// MOTION.jsonl is what ../measure writes. Both read commands from standard input and answer each with a line of JSON: a server answers
// "ticks" with the number of ticks so far, and "stop", after which nothing moves, with the states of all actors; a client answers
// "state" with the states of the actors that it knows. Both exit at the end of the input.
package main

import (
	"bufio"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"strconv"

	"github.com/truestep-io/truestep/internal/crowd"
	"github.com/truestep-io/truestep/internal/webscene"
)

func main() {
	if err := run(os.Args[1:]); err != nil {
		fmt.Fprintln(os.Stderr, "truestep:", err)
		os.Exit(1)
	}
}

var errUsage = errors.New("usage: truestep server wt|ws MOTION.jsonl SCENE HZ ADDR, or truestep client wt|ws ADDR ACTORS SCENE HZ")

func run(args []string) error {
	if len(args) != 6 {
		return errUsage
	}
	transport, ok := transports[args[1]]
	if !ok {
		return errUsage
	}
	sceneArg := args[3]
	if args[0] == "client" {
		sceneArg = args[4]
	}
	scene, ok := crowd.Named(sceneArg)
	if !ok {
		return fmt.Errorf("scene %q does not exist", sceneArg)
	}
	switch args[0] {
	case "server":
		hz, err := strconv.Atoi(args[4])
		if err != nil {
			return err
		}
		s := &server{hz: hz, exact: scene.Unit > 0, schema: webscene.SchemaOf(&scene)}
		if s.rows, err = readMotion(args[2]); err != nil {
			return err
		}
		go answer(map[string]func() any{"ticks": s.ticks, "stop": s.stop})
		return transport.listen(args[5], func() { fmt.Println("ready") }, s.serve)
	case "client":
		actors, err := strconv.Atoi(args[3])
		if err != nil {
			return err
		}
		c := newClient(actors, &scene)
		go answer(map[string]func() any{"state": c.state})
		l, err := transport.dial(args[2])
		if err != nil {
			return err
		}
		return c.play(l)
	}
	return errUsage
}

// answer answers the commands on standard input, and ends the program at the end of the input.
func answer(commands map[string]func() any) {
	in, out := bufio.NewScanner(os.Stdin), json.NewEncoder(os.Stdout)
	for in.Scan() {
		if f := commands[in.Text()]; f != nil {
			_ = out.Encode(f()) // an error means that the reader of the answers has ended
		}
	}
	os.Exit(0)
}

// readMotion returns the rows of a file with motion: for each tick the values of all actors.
func readMotion(path string) (rows [][]int32, err error) {
	f, err := os.Open(path)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	d := json.NewDecoder(f)
	for d.More() {
		var row []int32
		if err := d.Decode(&row); err != nil {
			return nil, fmt.Errorf("decode row %d of the motion file %s: %w", len(rows)+1, path, err)
		}
		rows = append(rows, row)
	}
	if len(rows) == 0 {
		return nil, fmt.Errorf("the motion file %s has no rows", path)
	}
	return rows, nil
}
