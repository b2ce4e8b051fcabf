package main

import (
	"bufio"
	"bytes"
	"flag"
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/truestep-io/truestep/proto/bedrock"
)

var damages = flag.Int("damages", 200, "captures that TestDecodeBedrockSurvivesDamage damages")

// plainCapture is a session without encryption that has every packet type once in each direction, as far as its zero
// value goes.
func plainCapture() []byte {
	frames := [][]byte{
		reply2,
		say(bedrockClient, bedrockServer, 0, "", packetBytes(bedrock.RequestNetworkSettings{Protocol: bedrock.V2169})),
		say(bedrockServer, bedrockClient, 0, "", packetBytes(bedrock.NetworkSettings{Threshold: 1})),
	}
	n := byte(1)
	for _, row := range bedrock.Table() {
		packet := append(bedrock.AppendHeader(nil, row.ID), make([]byte, 90)...)
		frames = append(frames,
			say(bedrockClient, bedrockServer, n, "\xff", packet), say(bedrockServer, bedrockClient, n, "\xff", packet))
		n++
	}
	return captureFile(101, frames...)
}

// What a fuzzer makes of a capture is seldom one: this damages captures so that most of them remain so.
func TestDecodeBedrockSurvivesDamage(t *testing.T) {
	head, frames := playFrames(t)
	files := [][]byte{plainCapture(), []byte(joined(head, frames[:60]...)), []byte(joined(head, frames[100:140]...))}
	keys, err := readBedrockKeys(playKeys)
	if err != nil {
		t.Fatal(err)
	}
	for seed := range uint64(*damages) {
		rng := rand.New(rand.NewPCG(seed, 0))
		b := bytes.Clone(files[rng.IntN(len(files))])
		for range 1 + rng.IntN(12) {
			at := pcapFileHeader + rng.IntN(len(b)-pcapFileHeader)
			switch rng.IntN(3) {
			case 0:
				b[at] ^= 1 << rng.IntN(8)
			case 1:
				b[at] = byte(rng.Uint32())
			default:
				b[at] = 0xff
			}
		}
		for len(b) > pcapFileHeader && rng.IntN(3) == 0 { // mostly frames must stay frames
			b = b[:len(b)-rng.IntN(20)-1]
		}
		var out bytes.Buffer
		c := decodeBedrockCmd{Port: 19132, RakNet: seed%3 == 0, Full: seed%5 == 0}
		p := &bedrockPrinter{printer: printer{w: bufio.NewWriter(&out), full: c.Full}}
		run := newBedrockCapture(&c, p, keys)
		err := run.read(bytes.NewReader(b))
		p.w.Flush()
		if err != nil && (strings.TrimSpace(err.Error()) == "" || strings.Contains(err.Error(), "\n")) {
			t.Errorf("seed %d: error %q", seed, err)
		}
		if run.room != maxBedrockHeld || len(run.live) > 0 {
			t.Errorf("seed %d: %d bytes are still held, %d sessions live", seed, maxBedrockHeld-run.room, len(run.live))
		}
		if out.Len() > 4<<20 {
			t.Errorf("seed %d: %d bytes of output", seed, out.Len())
		}
	}
}
