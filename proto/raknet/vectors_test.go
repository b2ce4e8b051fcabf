package raknet

import (
	"bytes"
	"encoding/hex"
	"encoding/json"
	"net/netip"
	"os"
	"testing"
)

// vector is one captured datagram or message. Note names the program that wrote it.
type vector struct{ ID, Hex, Note string }

func vectors(t testing.TB) map[string][]byte {
	t.Helper()
	text, err := os.ReadFile("testdata/vectors.json")
	if err != nil {
		t.Fatal(err)
	}
	var list []vector
	if err := json.Unmarshal(text, &list); err != nil {
		t.Fatal(err)
	}
	out := map[string][]byte{}
	for _, v := range list {
		if out[v.ID], err = hex.DecodeString(v.Hex); err != nil {
			t.Fatal(err)
		}
	}
	return out
}

// roundTrip checks that b is unchanged after parsing and appending, and that no shorter prefix of it can be parsed.
func roundTrip[T interface{ append([]byte) []byte }](t *testing.T, b []byte, parse func([]byte) (T, bool)) T {
	t.Helper()
	return roundTripStep(t, b, parse, len(b)+1)
}

// roundTripStep does the same as roundTrip for a message with a list of addresses, each of size bytes, that has no length field.
// A prefix of the message that lacks one or more of the addresses can therefore be parsed, too.
func roundTripStep[T interface{ append([]byte) []byte }](t *testing.T, b []byte, parse func([]byte) (T, bool), size int) T {
	t.Helper()
	m, ok := parse(b)
	if !ok {
		t.Fatalf("%x is refused", b)
	}
	if again := m.append(nil); !bytes.Equal(again, b) {
		t.Errorf("read  %x\nwrote %x", b, again)
	}
	for n := range b {
		if _, ok := parse(b[:n]); ok && (len(b)-n)%size != 0 {
			t.Errorf("%d of %d bytes are accepted", n, len(b))
		}
	}
	return m
}

func loopback(port uint16) netip.AddrPort {
	return netip.AddrPortFrom(netip.AddrFrom4([4]byte{127, 0, 0, 1}), port)
}

func TestOfflineMessageVectorsRoundTrip(t *testing.T) {
	v := vectors(t)
	if m := roundTrip(t, v["unconnected_ping"], parsePing); m.time != 0x3b || m.guid != 0x4d2a983bc1f452b1 || m.open {
		t.Errorf("parsed %+v", m)
	}
	if m := roundTrip(t, v["unconnected_pong"], parsePong); string(m.text[:8]) != "MCPE;pro" || m.guid != 0x55580004c1f3dc0d {
		t.Errorf("parsed %+v", m)
	}
	for id, protocol := range map[string]uint8{"open_connection_request_1_prefix": 11, "open_connection_request_1_prefix_v10": 10} {
		size := 1464
		if protocol == 10 {
			size = 1399
		}
		padded := append(bytes.Clone(v[id]), make([]byte, size-len(v[id]))...)
		m, ok := parseRequest1(padded)
		if !ok || m.protocol != protocol || m.size != size || !bytes.Equal(m.append(nil), padded) {
			t.Errorf("%s: %+v", id, m)
		}
	}
	if m := roundTrip(t, v["open_connection_reply_1_no_security"], parseReply1); m.secure || m.mtu != 1400 {
		t.Errorf("parsed %+v", m)
	}
	if m := roundTrip(t, v["open_connection_reply_2"], parseReply2); m.mtu != 1492 || m.addr.Addr() != loopback(0).Addr() {
		t.Errorf("parsed %+v", m)
	}
	for id, secure := range map[string]bool{"open_connection_request_2": false, "open_connection_request_2_cookie": true} {
		m := roundTrip(t, v[id], func(b []byte) (request2, bool) { return parseRequest2(b, secure) })
		if m.mtu != 1492 || secure && m.cookie != 0xa1b2c3d4 {
			t.Errorf("%s: %+v", id, m)
		}
		if _, ok := parseRequest2(v[id], !secure); ok {
			t.Errorf("%s: parses with the wrong cookie setting", id)
		}
	}
}

// dataVector parses a data datagram and checks that it appends back unchanged.
func dataVector(t *testing.T, b []byte, number uint32) (frames []frame) {
	t.Helper()
	if b[0]&^0x0f != flagValid || u24(b[1:]) != number {
		t.Fatalf("header % x", b[:headerSize])
	}
	again := bytes.Clone(b[:headerSize])
	for rest := b[headerSize:]; len(rest) > 0; {
		f, next, ok := parseFrame(rest)
		if !ok {
			t.Fatalf("frame %x is refused", rest)
		}
		for n := range len(rest) - len(next) {
			if _, _, ok := parseFrame(rest[:n]); ok {
				t.Errorf("%d bytes of a frame are accepted", n)
			}
		}
		again = f.append(again)
		frames = append(frames, f)
		rest = next
	}
	if !bytes.Equal(again, b) {
		t.Errorf("read  %x\nwrote %x", b, again)
	}
	return frames
}

func TestDatagramVectorsRoundTrip(t *testing.T) {
	v := vectors(t)
	f := dataVector(t, v["connection_request_datagram"], 0)
	if len(f) != 1 || f[0].kind != Reliable || f[0].message != 0 {
		t.Errorf("frames %+v", f)
	}
	if m := roundTrip(t, f[0].body, parseConnectionRequest); m.guid != 0x0d9712bcc1f736fb || m.time != 0xfb {
		t.Errorf("parsed %+v", m)
	}
	f = dataVector(t, v["connection_request_accepted_datagram"], 0)
	if m := roundTripStep(t, f[0].body, parseConnectionAccepted, addrSize4); len(m.system) != 10*addrSize4 || m.echo != 0xfb || m.time != 0xfc {
		t.Errorf("parsed %+v", m)
	}
	f = dataVector(t, v["new_incoming_connection_datagram"], 1)
	if len(f) != 2 || f[0].kind != ReliableOrdered || f[1].kind != Unreliable {
		t.Fatalf("frames %+v", f)
	}
	if m := roundTripStep(t, f[0].body, parseNewConnection, addrSize4); m.addr != loopback(m.addr.Port()) || m.echo != 0xfc || m.time != 0x106 {
		t.Errorf("parsed %+v", m)
	}
	if m := roundTrip(t, f[1].body, parseConnectedPing); m.time != 0x106 {
		t.Errorf("parsed %+v", m)
	}
	f = dataVector(t, v["first_game_datagram"], 4)
	if len(f) != 1 || f[0].body[0] != 0xfe || f[0].message != 2 || f[0].order != 1 {
		t.Errorf("frames %+v", f)
	}
}

func TestSplitMessageOfTestVectorIsParsed(t *testing.T) {
	b := vectors(t)["split_fragment_header"]
	whole := append(bytes.Clone(b), make([]byte, headerSize+frameSize+splitSize+1432-len(b))...)
	f := dataVector(t, whole, 5)[0]
	if f.kind != ReliableOrdered || !f.split || f.message != 3 || f.order != 2 || f.count != 19 || f.id != 0 || f.index != 0 {
		t.Errorf("frames %+v", f)
	}
}

func TestAckVectorsRoundTrip(t *testing.T) {
	v := vectors(t)
	for id, want := range map[string]span{"ack_single_0": {0, 0}, "ack_range_1_2": {1, 2}} {
		spans, ok := parseRecords(nil, v[id][1:])
		if !ok || len(spans) != 1 || spans[0] != want {
			t.Errorf("%s: %v", id, spans)
		}
		if b, n := appendRecords(nil, flagValid|flagAck, spans, 100); n != 1 || !bytes.Equal(b, v[id]) {
			t.Errorf("%s: wrote %x", id, b)
		}
	}
}
