package dissect

import (
	"bufio"
	"bytes"
	"flag"
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/truestep-io/truestep/proto/bedrock"
)

var damages = flag.Int("damages", 200, "captures that TestBedrockDissectorReportsDamagedCapturesWithoutPanic damages")

// plainCapture returns an unencrypted session with every packet type once in each direction; bodies are zero bytes.
func plainCapture() []byte {
	frames := [][]byte{
		reply2,
		batchFrame(bedrockClient, bedrockServer, 0, "", packetBytes(bedrock.RequestNetworkSettings{Protocol: bedrock.V2169})),
		batchFrame(bedrockServer, bedrockClient, 0, "", packetBytes(bedrock.NetworkSettings{Threshold: 1})),
	}
	n := byte(1)
	for _, row := range bedrock.Table() {
		packet := append(bedrock.AppendHeader(nil, row.ID), make([]byte, 90)...)
		frames = append(frames,
			batchFrame(bedrockClient, bedrockServer, n, "\xff", packet), batchFrame(bedrockServer, bedrockClient, n, "\xff", packet))
		n++
	}
	return captureFile(101, frames...)
}

// A fuzzer seldom produces a valid capture file. This test damages captures so that most of them stay valid.
func TestBedrockDissectorReportsDamagedCapturesWithoutPanic(t *testing.T) {
	head, frames := playFrames(t)
	files := [][]byte{plainCapture(), []byte(makeFile(head, frames[:60]...)), []byte(makeFile(head, frames[100:140]...))}
	keys, err := readKeyLog(playKeys)
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
		for len(b) > pcapFileHeader && rng.IntN(3) == 0 { // cuts off the end of one file in three; more cuts would leave too few packets to decode
			b = b[:len(b)-rng.IntN(20)-1]
		}
		var out bytes.Buffer
		d := &Bedrock{BedrockOptions: BedrockOptions{Port: 19132, RakNet: seed%3 == 0, Full: seed%5 == 0}, keys: keys}
		p := &bedrockPrinter{printer{w: bufio.NewWriter(&out), full: d.Full}, d}
		run := newBedrockCapture(p)
		err := run.read(bytes.NewReader(b))
		p.w.Flush()
		if err != nil && (strings.TrimSpace(err.Error()) == "" || strings.Contains(err.Error(), "\n")) {
			t.Errorf("seed %d: error %q", seed, err)
		}
		if run.bytesLeft != maxReassemblyBytes || len(run.open) > 0 {
			t.Errorf("seed %d: %d bytes still held, %d sessions open", seed, maxReassemblyBytes-run.bytesLeft, len(run.open))
		}
		if out.Len() > 4<<20 {
			t.Errorf("seed %d: %d bytes of output", seed, out.Len())
		}
	}
}
