package dissect

import (
	"bytes"
	"encoding/binary"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/truestep-io/truestep/proto/bedrock"
)

// decodeBedrock decodes an input and returns the printed text. The command line arguments in words select the input.
func decodeBedrock(t testing.TB, o BedrockOptions, stdin string, words ...string) (string, error) {
	t.Helper()
	d, err := NewBedrock(o)
	if err != nil {
		return "", err
	}
	var out bytes.Buffer
	err = ReadInput(words, strings.NewReader(stdin),
		func(b []byte) error { return d.PrintBytes(&out, b) }, func(r io.Reader) error { return d.PrintCapture(&out, r) })
	return out.String(), err
}

// Inputs as the bedrock-protocol npm client sends them; proto/bedrock/testdata documents them.
const (
	idle2169 = "900100000000000000000000003f713d83420000003f00000000000000000000000001026064010202000000000000000064000000002e90a0bd0000000001000100010001000100000000000000000000000000000000000000803f0000000000000000"
	walk2193 = "900100000000000000000000003f713d83428716193f000000000000803f0000000003146064010202000000000000000065000000002e90a0bd352b5b3d0000000000000000000000803f00000000000000000000803f000000000000803f"
)

func TestBedrockPacketInHexIsPrintedFieldByField(t *testing.T) {
	for name, c := range map[string]struct {
		o     BedrockOptions
		words []string
	}{
		"input_2169":   {BedrockOptions{Port: 19132}, []string{idle2169}},
		"input_2193":   {BedrockOptions{Port: 19132}, []string{walk2193}},
		"input_full":   {BedrockOptions{Full: true, Port: 19132}, []string{idle2169}},
		"batch":        {BedrockOptions{Port: 19132}, []string{"fe 06c101 0000 0879"}},
		"batch_packed": {BedrockOptions{Port: 19132}, []string{"../proto/bedrock/testdata/batch_deflate.hex"}},
		"first_game":   {BedrockOptions{Port: 19132}, []string{"84 040000 60 0040 020000 010000 00 fe06c10100000879"}},
		"handshake":    {BedrockOptions{Port: 19132}, []string{"84000000400090000000090d9712bcc1f736fb00000000000000fb00"}},
		"ack":          {BedrockOptions{Port: 19132}, []string{"c0 0002 01000000 00050000 0a0000"}},
		"nack":         {BedrockOptions{Port: 19132}, []string{"a0 0001 01 070000"}},
		"ping":         {BedrockOptions{Port: 19132}, []string{"01 0000000000000007 00ffff00fefefefefdfdfdfd12345678 0000000000000001"}},
		"part":         {BedrockOptions{Port: 19132}, []string{"84 000000 70 0010 000000 000000 00 00000002 0005 00000001 fe01"}},
	} {
		t.Run(name, func(t *testing.T) {
			got, err := decodeBedrock(t, c.o, "", c.words...)
			if err != nil {
				t.Error(err)
			}
			golden(t, "bedrock/"+name+".txt", got)
		})
	}
}

func TestBedrockInvalidPacketIsPrintedUpToError(t *testing.T) {
	for name, c := range map[string]struct {
		o     BedrockOptions
		words []string
	}{
		"bad_short":     {BedrockOptions{Port: 19132}, []string{idle2169[:100]}},
		"bad_version":   {BedrockOptions{Version: bedrock.V2193, Port: 19132}, []string{idle2169}},
		"bad_unknown":   {BedrockOptions{Port: 19132}, []string{"e707 0102"}},
		"bad_trailing":  {BedrockOptions{Port: 19132}, []string{"c101 00000879 ffff"}},
		"bad_header":    {BedrockOptions{Port: 19132}, []string{"ff"}},
		"bad_batch":     {BedrockOptions{Port: 19132}, []string{"fe 06c101 0000 0879 05 c1"}},
		"bad_sealed":    {BedrockOptions{Port: 19132}, []string{"fe 4b 41 b5 2e 11 90 07 f1"}},
		"bad_datagram":  {BedrockOptions{Unit: DatagramUnit, Port: 19132}, []string{"84 000000 40 0090 000000 090d97"}},
		"bad_offline":   {BedrockOptions{Unit: DatagramUnit, Port: 19132}, []string{"01 00"}},
		"bad_inside":    {BedrockOptions{Port: 19132}, []string{"84 000000 00 0010 fe07"}},
		"bad_as_packet": {BedrockOptions{Unit: BatchUnit, Port: 19132}, []string{"06c101 0000 0879"}},
	} {
		t.Run(name, func(t *testing.T) {
			got, err := decodeBedrock(t, c.o, "", c.words...)
			if err == nil || isInputError(err) || strings.Contains(err.Error(), "\n") {
				t.Errorf("error %v", err)
			}
			golden(t, "bedrock/"+name+".txt", got)
		})
	}
}

// bedrock.cap is a capture of two sessions of the npm client, first of game version 1.26.45 and then of 1.26.51; in
// each the client claims positions three blocks off in ticks 8 to 11. bedrock.keys is the key log of the server.
var (
	playPcap = filepath.Join("testdata", "bedrock.cap")
	playKeys = filepath.Join("testdata", "bedrock.keys")
)

func TestBedrockEncryptedCaptureIsPrinted(t *testing.T) {
	for name, c := range map[string]BedrockOptions{
		"capture_moves":  {KeyLog: playKeys, Only: []string{"correct", "AUTHINPUT", "latency"}, Port: 19132},
		"capture_no_key": {Port: 19132},
		"capture_raknet": {RakNet: true, Only: []string{"PlayStatus"}, Port: 19132},
	} {
		got, err := decodeBedrock(t, c, "", playPcap)
		if err != nil {
			t.Error(err)
		}
		golden(t, "bedrock/"+name+".txt", got)
	}
	got, err := decodeBedrock(t, BedrockOptions{KeyLog: playKeys, Port: 19132}, "", playPcap)
	if err != nil {
		t.Fatal(err)
	}
	for _, wrong := range []string{"error", "could not be read", "not known", "missing in the capture"} {
		if strings.Contains(got, wrong) {
			t.Errorf("output has %q", wrong)
		}
	}
	for text, want := range map[string]int{
		" c2s PlayerAuthInput Tick=": 49, " s2c LevelChunk X=": 98, " s2c CorrectPlayerMovePrediction Tick=8 ": 2,
		"off by 3.0000 blocks": 2, " s2c StartGame Tick=": 2, " c2s Login Protocol=": 2,
	} {
		if n := strings.Count(got, text); n != want {
			t.Errorf("output has %q %d times, want %d", text, n, want)
		}
	}
	if every, err := decodeBedrock(t, BedrockOptions{KeyLog: playKeys, Port: 0}, "", playPcap); err != nil || every != got {
		t.Errorf("port 0 prints something else: %v", err)
	}
	if other, err := decodeBedrock(t, BedrockOptions{Port: 19133}, "", playPcap); err != nil || !strings.Contains(other, "nothing has UDP port 19133") {
		t.Errorf("port 19133: %v\n%s", err, other)
	}
}

// playFrames returns the file header of the capture and its frames, each with its frame header.
func playFrames(t testing.TB) (head []byte, frames [][]byte) {
	t.Helper()
	b, err := os.ReadFile(playPcap)
	if err != nil {
		t.Fatal(err)
	}
	head, b = b[:pcapFileHeader], b[pcapFileHeader:]
	for len(b) > 0 {
		n := pcapFrameHeader + int(binary.LittleEndian.Uint32(b[8:]))
		frames, b = append(frames, b[:n:n]), b[n:]
	}
	return head, frames
}

// makeFile returns a capture file of a header and frames.
func makeFile(head []byte, frames ...[]byte) string {
	return string(head) + string(bytes.Join(frames, nil))
}

func TestBedrockOutputSaysWhatIncompleteCaptureLacks(t *testing.T) {
	head, frames := playFrames(t)
	long := slices.IndexFunc(frames[10:], func(f []byte) bool { return len(f) > 200 }) + 10
	short := bytes.Clone(frames[long])[:pcapFrameHeader+60]
	binary.LittleEndian.PutUint32(short[8:], 60)
	for name, c := range map[string]struct {
		stdin string
		wants []string
	}{
		"joined late": {makeFile(head, frames[60:100]...), []string{"the capture begins inside of the session", "from before the player joins", "14 of its 14 batches could not be read"}},
		"a gap":       {makeFile(head, append(frames[:60:60], frames[64:120]...)...), []string{"missing in the capture before this", "decrypted again from here on, behind 1 batch", "messages lost in the capture 1"}},
		"cut short":   {makeFile(head, append(frames[:20:20], short)...), []string{"tcpdump -s 0", "1 datagrams are cut short"}},
		"nothing":     {makeFile(head), []string{"0 frames", "0 clients"}},
	} {
		got, err := decodeBedrock(t, BedrockOptions{KeyLog: playKeys, Port: 19132}, c.stdin, "-")
		if err != nil {
			t.Errorf("%s: %v", name, err)
		}
		for _, want := range c.wants {
			if !strings.Contains(got, want) {
				t.Errorf("%s: output lacks %q\n%s", name, want, got)
			}
		}
	}
	_, err := decodeBedrock(t, BedrockOptions{Port: 19132}, makeFile(head, frames[0], frames[1][:20]), "-")
	want := fmt.Sprintf("stdin: read frame 2 of the capture, at byte %d: the capture file ends inside a packet", pcapFileHeader+len(frames[0]))
	if err == nil || isInputError(err) || err.Error() != want {
		t.Errorf("%v, want %s", err, want)
	}
}

func TestBedrockDecryptionResumesAfterGapsInCapture(t *testing.T) {
	head, frames := playFrames(t)
	wgap, err := decodeBedrock(t, BedrockOptions{KeyLog: playKeys, Port: 19132}, makeFile(head, frames...), "-")
	if err != nil {
		t.Fatal(err)
	}
	inputs := func(s string) int { return strings.Count(s, " c2s PlayerAuthInput Tick=") }
	for _, gap := range []int{1, 3, 7} {
		for at := 50; at < 100; at += 11 {
			got, err := decodeBedrock(t, BedrockOptions{KeyLog: playKeys, Port: 19132}, makeFile(head, append(frames[:at:at], frames[at+gap:]...)...), "-")
			if err != nil || inputs(got) < inputs(wgap)-gap || strings.Contains(got, "cannot be decrypted") || strings.Contains(got, "error") {
				t.Errorf("without %d frames from %d on: %d inputs, %v", gap, at, inputs(got), err)
			}
		}
	}
}

func TestBedrockKeyIsFoundInKeyLog(t *testing.T) {
	text, err := os.ReadFile(playKeys)
	if err != nil {
		t.Fatal(err)
	}
	dir := t.TempDir()
	write := func(text string) string {
		file := filepath.Join(dir, "keys")
		if err := os.WriteFile(file, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
		return file
	}
	otherKey := "BEDROCK 127.0.0.1:51530 " + strings.Repeat("ab", 32) + "\n"
	for name, keys := range map[string]string{
		"behind a network that rewrites addresses": strings.ReplaceAll(string(text), "127.0.0.1:", "10.1.2.3:"),
		"with IPv4 written as IPv6":                strings.ReplaceAll(string(text), "127.0.0.1:", "[::ffff:127.0.0.1]:"),
		"among older ones of the address":          otherKey + string(text) + otherKey,
	} {
		got, err := decodeBedrock(t, BedrockOptions{KeyLog: write(keys), Only: []string{"correct"}, Port: 19132}, "", playPcap)
		if err != nil || strings.Count(got, "CorrectPlayerMovePrediction Tick=8") != 2 {
			t.Errorf("%s: %v\n%s", name, err, got)
		}
	}
	head, frames := playFrames(t)
	lost := slices.IndexFunc(frames, func(f []byte) bool { return binary.LittleEndian.Uint32(f[4:]) == 169490 }) // capture time, in microseconds, of the frame with the client's first encrypted batch
	got, err := decodeBedrock(t, BedrockOptions{KeyLog: playKeys, Only: []string{"authinput"}, Port: 19132}, makeFile(head, append(frames[:lost:lost], frames[lost+1:]...)...), "-")
	if err != nil || !strings.Contains(got, " 1 c2s PlayerAuthInput Tick=26 ") {
		t.Errorf("without the first encrypted batch of the client: %v\n%s", err, got)
	}
	got, err = decodeBedrock(t, BedrockOptions{KeyLog: write(otherKey), Port: 19132}, "", playPcap)
	if err != nil || !strings.Contains(got, "none of the 1 key in") {
		t.Errorf("a wrong key: %v\n%s", err, got)
	}
	for keys, want := range map[string]string{
		"":                                "no keys",
		"CLIENT_RANDOM 00 00\n":           "no keys",
		"\nBEDROCK 127.0.0.1:1 00\n":      "line 2: the third word of the line, the key, must be 64 hex digits",
		"BEDROCK here 00\n":               `line 1: "here" is not a client address`,
		"BEDROCK 127.0.0.1:1\n":           "line 1: the line has 2 words instead of 3",
		strings.Repeat("x", 1<<17) + "\n": "line 1: ",
	} {
		_, err := decodeBedrock(t, BedrockOptions{KeyLog: write(keys), Port: 19132}, "", playPcap)
		if err == nil || !isInputError(err) || strings.Contains(err.Error(), "\n") || !strings.Contains(err.Error(), want) {
			t.Errorf("%.40q: %v, want %q", keys, err, want)
		}
	}
}

func TestBedrockUnreadableInputReturnsOneLineInputError(t *testing.T) {
	for want, c := range map[string]struct {
		o     BedrockOptions
		words []string
	}{
		"3 hex digits":           {BedrockOptions{Port: 19132}, []string{"fe0"}},
		"'g' is not a hex":       {BedrockOptions{Port: 19132}, []string{"feg0"}},
		"neither hex digits nor": {BedrockOptions{Port: 19132}, []string{"nosuch.pcap"}},
		"empty":                  {BedrockOptions{Port: 19132}, []string{"-"}},
		`"walrus" in its name`:   {BedrockOptions{Only: []string{"correct", "walrus"}, Port: 19132}, []string{"fe"}},
		"keylog: open nosuch":    {BedrockOptions{KeyLog: "nosuch", Port: 19132}, []string{"fe"}},
		"neither a pcap file":    {BedrockOptions{Port: 19132}, []string{"input.go"}},
	} {
		_, err := decodeBedrock(t, c.o, "", c.words...)
		if err == nil || strings.Contains(err.Error(), "\n") || !strings.Contains(err.Error(), want) {
			t.Errorf("%+v: %v, want %q", c, err, want)
		}
	}
}

// slowReader returns a capture in small pieces, and calls write when half of it has been read.
type slowReader struct {
	r     *strings.Reader
	write func()
}

func (s *slowReader) Read(b []byte) (int, error) {
	if s.write != nil && s.r.Len() < int(s.r.Size())/2 {
		s.write()
		s.write = nil
	}
	return s.r.Read(b[:min(len(b), 100)])
}

func TestBedrockLiveCaptureReloadsKeyLogToFindNewKeys(t *testing.T) {
	keys, err := os.ReadFile(playKeys)
	if err != nil {
		t.Fatal(err)
	}
	file := filepath.Join(t.TempDir(), "keys")
	if err := os.WriteFile(file, nil, 0o600); err != nil {
		t.Fatal(err)
	}
	head, frames := playFrames(t)
	in := &slowReader{r: strings.NewReader(makeFile(head, frames...)), write: func() {
		if err := os.WriteFile(file, keys, 0o600); err != nil {
			t.Error(err)
		}
	}}
	var out bytes.Buffer
	d, err := NewBedrock(BedrockOptions{Port: 19132, KeyLog: file, Only: []string{"correct"}, Live: true})
	if err != nil {
		t.Fatal(err)
	}
	if err := d.PrintCapture(&out, in); err != nil {
		t.Error(err)
	}
	if got := out.String(); !strings.Contains(got, " 1 the rest is encrypted, and none of the 0 keys") || !strings.Contains(got, " 2 s2c CorrectPlayerMovePrediction Tick=8 ") {
		t.Errorf("keys are not found:\n%s", got)
	}
}

const (
	bedrockClient = "192.0.2.7:40000"
	bedrockServer = "192.0.2.1:19132"
)

// batchFrame returns a frame with a batch of packets, which is the n-th message of its sender.
func batchFrame(from, to string, n byte, head string, packets ...[]byte) []byte {
	body := append([]byte{bedrock.BatchID}, head...)
	for _, p := range packets {
		body = append(append(body, byte(len(p))), p...)
	}
	b := []byte{0x84, n, 0, 0, 0x60, byte(len(body) * 8 >> 8), byte(len(body) * 8), n, 0, 0, n, 0, 0, 0}
	return udp(from, to, append(b, body...))
}

func packetBytes(p bedrock.Packet) []byte {
	return p.Append(bedrock.AppendHeader(nil, p.ID()), bedrock.V2169)
}

// reply2 is a frame with an open connection reply 2, which begins a session.
var reply2 = udp(bedrockServer, bedrockClient, []byte("\x08\x00\xff\xff\x00\xfe\xfe\xfe\xfe\xfd\xfd\xfd\xfd\x12\x34\x56\x78"+
	"\x00\x00\x00\x00\x00\x00\x00\x01\x04\x3f\xff\xfd\xf8\x9c\x40\x05\xd4\x00"))

func TestBedrockErrorsInUnencryptedSessionArePrinted(t *testing.T) {
	const plain = "\xff" // compressor byte of an uncompressed batch
	hello := packetBytes(bedrock.RequestNetworkSettings{Protocol: bedrock.V2169})
	settings := packetBytes(bedrock.NetworkSettings{Threshold: 256})
	input := func(tick uint64, x float32) []byte {
		return packetBytes(bedrock.PlayerAuthInput{Tick: tick, Position: bedrock.Vec3{x, 65.62, 0}, Input: bedrock.InputDataOf(bedrock.InputUp, bedrock.InputSprinting)})
	}
	correct := func(tick uint64) []byte {
		return packetBytes(bedrock.CorrectPlayerMovePrediction{Tick: tick, Position: bedrock.Vec3{1, 65.62, 0}, OnGround: true})
	}
	c2s := func(n byte, head string, packets ...[]byte) []byte {
		return batchFrame(bedrockClient, bedrockServer, n, head, packets...)
	}
	s2c := func(n byte, head string, packets ...[]byte) []byte {
		return batchFrame(bedrockServer, bedrockClient, n, head, packets...)
	}
	file := captureFile(101,
		reply2,
		c2s(0, "", hello), s2c(0, "", settings),
		s2c(1, plain, packetBytes(bedrock.StartGame{Runtime: 5})[:100]),                        // body that does not parse
		s2c(2, plain, packetBytes(bedrock.MovePlayer{Runtime: 5, Mode: bedrock.MoveTeleport})), // the runtime id of the player is still unknown
		c2s(1, plain, input(10, 1.5), input(11, 2)),
		c2s(3, plain, input(14, 3)), c2s(2, plain, input(12, 2.5)), // two inputs out of order
		c2s(3, plain, input(14, 3)), // repeated input
		s2c(3, plain, correct(10), correct(3), append(correct(11), 1, 2)),
		s2c(4, plain, []byte{0xe7, 0x07, 1, 2, 3}, hello), // a packet of unknown type, and a packet in the wrong direction
		s2c(5, plain, []byte{}),
		c2s(4, "\x07", input(15, 1)),
		udp(bedrockServer, bedrockClient, []byte{0xa0, 0, 1, 1, 4, 0, 0}),
		udp(bedrockServer, bedrockClient, []byte{0x84, 9, 0, 0, 0x60}),
		udp(bedrockClient, bedrockServer, []byte("\x84\x05\x00\x00\x00\x00\x08\x15")),
		reply2, c2s(0, "", hello), // the next session of the same address
	)
	got, err := decodeBedrock(t, BedrockOptions{Port: 19132}, string(file), "-")
	if err != nil {
		t.Error(err)
	}
	golden(t, "bedrock/plain.txt", got)
}

func FuzzBedrock(f *testing.F) {
	head, frames := playFrames(f)
	f.Add([]byte(makeFile(head, frames[:40]...)))
	f.Add([]byte(makeFile(head, frames[120:150]...)))
	f.Add([]byte(idle2169))
	f.Add([]byte("fe06c10100000879"))
	f.Add(captureFile(101, reply2, batchFrame(bedrockClient, bedrockServer, 0, "", []byte{0xc1, 1, 0, 0, 8, 0x79})))
	f.Fuzz(func(t *testing.T, b []byte) {
		var out bytes.Buffer
		d, err := NewBedrock(BedrockOptions{Port: 19132, RakNet: len(b)%2 == 0, KeyLog: playKeys})
		if err != nil {
			t.Fatal(err)
		}
		err = ReadInput([]string{"-"}, bytes.NewReader(b),
			func(b []byte) error { return d.PrintBytes(&out, b) }, func(r io.Reader) error { return d.PrintCapture(&out, r) })
		if err != nil && strings.TrimSpace(err.Error()) == "" {
			t.Fatal("an error without a message")
		}
	})
}
