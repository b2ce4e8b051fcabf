package dissect

import (
	"bytes"
	"encoding/binary"
	"encoding/hex"
	"errors"
	"fmt"
	"io"
	"net/netip"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/truestep-io/truestep/proto/rcce"
)

// decodeRCCE decodes an input and returns the printed text. The command line arguments in words select the input.
func decodeRCCE(t *testing.T, o RCCE, stdin string, words ...string) (string, error) {
	t.Helper()
	var out bytes.Buffer
	err := ReadInput(words, strings.NewReader(stdin),
		func(b []byte) error { return o.PrintBytes(&out, b) }, func(r io.Reader) error { return o.PrintCapture(&out, r) })
	return out.String(), err
}

// isInputError reports whether the input itself is at fault.
func isInputError(err error) bool { return errors.As(err, new(InputError)) }

func TestRCCEMessageIsPrintedFieldByField(t *testing.T) {
	for name, c := range map[string]struct {
		o     RCCE
		words []string
	}{
		"claim":          {RCCE{Side: ClientSide}, []string{"0e 0000e642 0000a4c1 00005040 0000c842 0000a4c1 01 00"}},
		"echo":           {RCCE{Side: ServerSide}, []string{"0e", "0201", "0000c842", "0000a4c1", "0100", "0000e642", "0000a4c1", "0000"}},
		"ambiguous":      {RCCE{}, []string{"0e0000e6420000a4c1000050400000c8420000a4c10100"}},
		"hit":            {RCCE{}, []string{"0x12 48 2c01 1900 03"}},
		"missed":         {RCCE{}, []string{"12:48:2c:01:00:00:00"}},
		"login":          {RCCE{}, []string{"02 07 72757374626f74 20 3563326237333965623837393065663065616137366133393039396661353830"}},
		"login_secrets":  {RCCE{Secrets: true}, []string{"02 07 72757374626f74 20 3563326237333965623837393065663065616137366133393039396661353830"}},
		"chat_windows":   {RCCE{Side: ServerSide}, []string{"10 fe 93 48e9 94 80"}},
		"newactor":       {RCCE{}, []string{"../proto/rcce/testdata/v32_newactor_rat.hex"}},
		"newactor_full":  {RCCE{Full: true}, []string{"../proto/rcce/testdata/v32_newactor_rat.hex"}},
		"not_finite":     {RCCE{Side: ClientSide}, []string{"../proto/rcce/testdata/v3_standardupdaterequest_notfinite.hex"}},
		"dialog":         {RCCE{Side: ServerSide}, []string{"15 4e 01000000"}},
		"create_account": {RCCE{}, []string{"../proto/rcce/testdata/v26_createaccountrequest.hex"}},
	} {
		t.Run(name, func(t *testing.T) {
			got, err := decodeRCCE(t, c.o, "", c.words...)
			if err != nil {
				t.Error(err)
			}
			golden(t, ""+name+".txt", got)
		})
	}
}

func TestRCCEInvalidMessageIsPrintedUpToError(t *testing.T) {
	for name, c := range map[string]struct {
		o     RCCE
		words []string
	}{
		"bad_short":     {RCCE{Side: ClientSide}, []string{"0e 00002041 0000a041 00000000 00000041 00009041 01"}},
		"bad_trailing":  {RCCE{}, []string{"12 2c01 00"}},
		"bad_unknown":   {RCCE{}, []string{"38 0102"}},
		"bad_direction": {RCCE{Side: ClientSide}, []string{"13 2c01"}},
		"bad_letter":    {RCCE{Side: ServerSide}, []string{"12 5a 2c01 1900 03"}},
	} {
		t.Run(name, func(t *testing.T) {
			got, err := decodeRCCE(t, c.o, "", c.words...)
			if err == nil {
				t.Error("no error")
			} else if isInputError(err) || strings.Contains(err.Error(), "\n") {
				t.Errorf("error %q", err)
			}
			golden(t, ""+name+".txt", got)
		})
	}
}

// The handshake of docs/wire/rcce.md#enet, from a capture.
var captured = []string{
	"44332211ffff1000 82ff0001 0000 0578 00008000 000000fe 00000000 00000000 00001388 00000002 00000002 44332211",
	"443322118000 1002 83ff0001 0000 0578 00008000 000000fe 00000000 00000000 00001388 00000002 00000002",
	"443322118000 1004 01ff0001 0001 1002 86010001 0001 00 8aff0002 00000000 00000000",
	"443322118000 1006 01010001 0001 1004 01ff0000 0002 1004 86010001 0003 0c0100 8aff0002 0000000000000000 07020000 0001 0002 0eaa",
	"443322110000 01010001 0001 1006 01ff0001 0002 1006",
	"443322118000 128b 84ff0004 00000000",
}

func TestRCCEBytesAreDetectedAsENetDatagramOrMessage(t *testing.T) {
	for i, text := range captured {
		got, err := decodeRCCE(t, RCCE{}, text, "-")
		if i != 3 && err != nil {
			t.Errorf("datagram %d: %v", i, err)
		}
		golden(t, fmt.Sprintf("enet_%d.txt", i+1), got)
	}
	files, _ := filepath.Glob("../proto/rcce/testdata/*.hex")
	if len(files) == 0 {
		t.Fatal("no vectors")
	}
	for _, file := range files {
		if got, _ := decodeRCCE(t, RCCE{}, "", file); !strings.HasPrefix(got, "message, ") {
			t.Errorf("%s is detected as a datagram:\n%s", file, got)
		}
	}
}

func TestRCCETransportOptionOverridesDetection(t *testing.T) {
	if got, err := decodeRCCE(t, RCCE{Transport: ENetTransport}, "", "12 2c01"); err == nil || !strings.HasPrefix(got, "ENet datagram, 3 bytes") {
		t.Errorf("--enet: %v\n%s", err, got)
	}
	if got, err := decodeRCCE(t, RCCE{Transport: NoTransport}, captured[4], "-"); err == nil || !strings.HasPrefix(got, "message, 22 bytes") {
		t.Errorf("--no-enet: %v\n%s", err, got)
	}
}

func TestRCCEUnreadableInputReturnsOneLineInputError(t *testing.T) {
	dir := t.TempDir()
	ng := filepath.Join(dir, "new.pcapng")
	wifi := filepath.Join(dir, "wifi.pcap")
	text := filepath.Join(dir, "notes.txt")
	for name, b := range map[string][]byte{
		ng: append([]byte{0x0a, 0x0d, 0x0d, 0x0a}, make([]byte, 60)...), text: []byte("hello"),
		wifi: captureFile(105, []byte("frame")),
	} {
		if err := os.WriteFile(name, b, 0o644); err != nil {
			t.Fatal(err)
		}
	}
	for _, c := range []struct {
		words []string
		want  string
	}{
		{[]string{"0e0"}, "3 hex digits"},
		{[]string{"0e", "0x"}, ""},
		{[]string{"0e0g"}, "'g' is not a hex digit"},
		{[]string{"nosuch.pcap"}, "neither hex digits nor a readable file"},
		{[]string{""}, "empty"},
		{[]string{"-"}, "empty"},
		{[]string{ng}, "editcap -F pcap"},
		{[]string{wifi}, "link type 105"},
		{[]string{text}, "is neither a pcap file nor a text with hex digits"},
	} {
		_, err := decodeRCCE(t, RCCE{}, "", c.words...)
		if c.want == "" {
			continue
		}
		if err == nil || !isInputError(err) || strings.Contains(err.Error(), "\n") || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%q: %v, want %q", c.words, err, c.want)
		}
	}
}

// captureFile makes a capture with frames that are 20 ms apart.
func captureFile(link uint32, frames ...[]byte) []byte {
	le := binary.LittleEndian
	b := le.AppendUint32(nil, 0xa1b2c3d4)
	b = le.AppendUint16(le.AppendUint16(b, 2), 4)
	b = append(b, make([]byte, 8)...)
	b = le.AppendUint32(le.AppendUint32(b, 65535), link)
	for i, f := range frames {
		b = le.AppendUint32(le.AppendUint32(b, 1700000000), uint32(20000*i))
		b = le.AppendUint32(le.AppendUint32(b, uint32(len(f))), uint32(len(f)))
		b = append(b, f...)
	}
	return b
}

// udp makes a raw IPv4 frame.
func udp(from, to string, payload []byte) []byte {
	src, dst := netip.MustParseAddrPort(from), netip.MustParseAddrPort(to)
	b := []byte{0x45, 0, 0, 0, 0, 0, 0, 0, 64, 17, 0, 0}
	b = append(append(b, src.Addr().AsSlice()...), dst.Addr().AsSlice()...)
	b = binary.BigEndian.AppendUint16(binary.BigEndian.AppendUint16(b, src.Port()), dst.Port())
	b = binary.BigEndian.AppendUint16(b, uint16(8+len(payload)))
	return append(append(b, 0, 0), payload...)
}

// atPort holds the options of truestep decode rcce without flags.
var atPort = RCCE{Port: 25000}

const (
	clientAddr = "192.0.2.7:40000"
	serverAddr = "192.0.2.1:25000"
)

// talk returns the captured handshake as frames. It adds an unrelated datagram, and at the end a message in two
// fragments, of which the second is sent twice.
func talk(t *testing.T) [][]byte {
	t.Helper()
	var frames [][]byte
	for i, text := range captured {
		b, err := hex.DecodeString(strings.ReplaceAll(text, " ", ""))
		if err != nil {
			t.Fatal(err)
		}
		from, to := clientAddr, serverAddr
		if i == 1 || i == 3 {
			from, to = to, from
		}
		frames = append(frames, udp(from, to, b))
	}
	frames = append(frames, udp("192.0.2.7:53000", "192.0.2.53:53", []byte("dns")))
	msg := rcce.PartyUpdate{Names: []string{"Ann", "Bo"}}.Append(nil)
	cut := 4
	for _, number := range []uint32{0, 1, 1} {
		data, offset := msg[:cut], uint32(0)
		if number == 1 {
			data, offset = msg[cut:], uint32(cut)
		}
		b := []byte{0x44, 0x33, 0x22, 0x11, 0x80, 0, 0x10, 0x08, 0x88, 1, 0, uint8(2 + number), 0, 2, 0, uint8(len(data))}
		for _, v := range []uint32{2, number, uint32(len(msg)), offset} {
			b = binary.BigEndian.AppendUint32(b, v)
		}
		frames = append(frames, udp(serverAddr, clientAddr, append(b, data...)))
	}
	return frames
}

func TestRCCECaptureIsPrintedDatagramByDatagram(t *testing.T) {
	file := filepath.Join(t.TempDir(), "talk.pcap")
	if err := os.WriteFile(file, captureFile(101, talk(t)...), 0o644); err != nil {
		t.Fatal(err)
	}
	got, err := decodeRCCE(t, atPort, "", file)
	if err != nil {
		t.Error(err)
	}
	golden(t, "capture.txt", got)

	got, err = decodeRCCE(t, RCCE{}, string(captureFile(101, talk(t)...)), "-")
	if err != nil || !strings.Contains(got, "192.0.2.53:53") || !strings.Contains(got, "direction unknown") {
		t.Errorf("any port: %v\n%s", err, got)
	}
	got, err = decodeRCCE(t, RCCE{Port: 25001}, "", file)
	if err != nil || !strings.Contains(got, "nothing has UDP port 25001") {
		t.Errorf("port 25001: %v\n%s", err, got)
	}
}

func TestRCCETruncatedCaptureIsPrintedUpToItsEnd(t *testing.T) {
	whole := captureFile(101, talk(t)...)
	got, err := decodeRCCE(t, atPort, string(whole[:len(whole)-1]), "-")
	if err == nil || isInputError(err) || !strings.Contains(got, "CONNECT") {
		t.Errorf("%v\n%s", err, got)
	}
}

func FuzzRCCE(f *testing.F) {
	for _, text := range captured {
		f.Add([]byte(text))
	}
	f.Add(captureFile(101, udp(clientAddr, serverAddr, []byte{0x44, 0x33, 0x22, 0x11, 0, 0, 0x85, 1, 0, 1})))
	f.Fuzz(func(t *testing.T, b []byte) {
		var out bytes.Buffer
		err := ReadInput([]string{"-"}, bytes.NewReader(b),
			func(b []byte) error { return atPort.PrintBytes(&out, b) }, func(r io.Reader) error { return atPort.PrintCapture(&out, r) })
		if err != nil && strings.TrimSpace(err.Error()) == "" {
			t.Fatal("an error without a message")
		}
	})
}

// A capture on the sending machine may contain several datagrams as one frame, because they are segmented after the capture.
func TestCapturedPacketBeforeUDPSegmentationIsSplitIntoDatagrams(t *testing.T) {
	update := func(rid uint16) []byte {
		msg := rcce.StandardUpdate{RuntimeID: rid, X: 1, Z: 2}.Append(nil)
		b := []byte{0x44, 0x33, 0x22, 0x11, 0, 0, 0x07, 2, 0, 0, 0, uint8(rid), 0, uint8(len(msg))}
		return append(b, msg...)
	}
	long := append(update(1), update(2)[6:]...)
	burst := slices.Concat(long, long, update(3))
	got, err := decodeRCCE(t, atPort, string(captureFile(101, udp(serverAddr, clientAddr, burst))), "-")
	if err != nil || strings.Count(got, "StandardUpdate (14)") != 5 || !strings.Contains(got, " 0 errors") || !strings.Contains(got, "3 datagrams shown") {
		t.Errorf("%v\n%s", err, got)
	}
}
