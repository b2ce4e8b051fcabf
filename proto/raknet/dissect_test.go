package raknet

import (
	"errors"
	"net/netip"
	"strings"
	"testing"

	"github.com/truestep-io/truestep/proto/wire"
)

func TestDissectParsesCapturedDatagrams(t *testing.T) {
	v := vectors(t)
	var d Dissection
	for _, c := range []struct {
		id     string
		kind   DatagramKind
		number uint32
		frames int
		spans  []Span
	}{
		{"unconnected_ping", OfflineDatagram, 0, 0, nil},
		{"connection_request_datagram", DataDatagram, 0, 1, nil},
		{"connection_request_accepted_datagram", DataDatagram, 0, 1, nil},
		{"new_incoming_connection_datagram", DataDatagram, 1, 2, nil},
		{"ack_single_0", AckDatagram, 0, 0, []Span{{0, 0}}},
		{"ack_range_1_2", AckDatagram, 0, 0, []Span{{1, 2}}},
	} {
		if err := d.Dissect(v[c.id]); err != nil {
			t.Errorf("%s: %v", c.id, err)
		}
		if d.Kind != c.kind || d.Number != c.number || len(d.Frames) != c.frames || len(d.Spans) != len(c.spans) {
			t.Errorf("%s: %+v", c.id, d)
			continue
		}
		for i, s := range c.spans {
			if d.Spans[i] != s {
				t.Errorf("%s: span %d is %v", c.id, i, d.Spans[i])
			}
		}
	}
}

func TestDissectReturnsFramesBeforeErrorInMalformedDatagram(t *testing.T) {
	whole := vectors(t)["new_incoming_connection_datagram"]
	var d Dissection
	if err := d.Dissect(whole[:len(whole)-1]); !errors.Is(err, ErrMalformedDatagram) || !strings.Contains(err.Error(), "offset 108") || len(d.Frames) != 1 {
		t.Errorf("%d frames, %v", len(d.Frames), err)
	}
	for n := range headerSize {
		if err := d.Dissect(whole[:n]); !errors.Is(err, wire.ErrShort) {
			t.Errorf("%d bytes: %v", n, err)
		}
	}
	if err := d.Dissect([]byte{0xc0, 0, 2, 1, 5, 0, 0}); !errors.Is(err, ErrMalformedDatagram) || len(d.Spans) != 1 {
		t.Errorf("records: %v, %v", d.Spans, err)
	}
}

func TestRakNetMessagesAreDescribedAsText(t *testing.T) {
	v := vectors(t)
	for id, want := range map[string]string{
		"unconnected_ping":                    "unconnected ping time=",
		"unconnected_pong":                    "unconnected pong time=",
		"open_connection_request_1_prefix":    "open connection request 1 raknet=",
		"open_connection_reply_1_no_security": "open connection reply 1 guid=",
		"open_connection_request_2":           "open connection request 2 server=",
		"open_connection_reply_2":             "open connection reply 2 guid=",
		"open_connection_request_2_cookie":    " cookie=",
	} {
		b, there := v[id]
		if !there {
			t.Errorf("no vector %s", id)
			continue
		}
		d, ok := DescribeOffline(b)
		if !ok || !strings.Contains(d.String(), want) {
			t.Errorf("%s: %v, %v", id, d, ok)
		}
		if FromClient(b) == FromServer(b) || OpensConnection(b) != (id == "open_connection_reply_2") {
			t.Errorf("%s: from client %v, from server %v, opens %v", id, FromClient(b), FromServer(b), OpensConnection(b))
		}
		if d, ok := DescribeOffline(b[:17]); ok || d.Name == "" || d.Fields != "" {
			t.Errorf("%s cut short: %v, %v", id, d, ok)
		}
	}
	for want, b := range map[string][]byte{
		"connected ping time=7":                                      connectedPing{7}.append(nil),
		"connected pong echo=7 time=8":                               connectedPong{7, 8}.append(nil),
		"connection request guid=0000000000000001 time=2":            connectionRequest{1, 2}.append(nil),
		"connection request accepted client=1.2.3.4:5 echo=2 time=3": connectionAccepted{addr: netip.MustParseAddrPort("1.2.3.4:5"), echo: 2, time: 3}.append(nil),
		"new incoming connection server=1.2.3.4:5 echo=2 time=3":     newConnection{addr: netip.MustParseAddrPort("1.2.3.4:5"), echo: 2, time: 3}.append(nil),
		"disconnect": {idDisconnect},
	} {
		if d, ok := DescribeMessage(b); !ok || d.String() != want || IsUserMessage(b) {
			t.Errorf("%q, wanted %q", d, want)
		}
	}
	for _, b := range [][]byte{nil, {0xfe}, {0x55}} {
		if d, ok := DescribeMessage(b); ok || d.Name != "" {
			t.Errorf("%x: %v", b, d)
		}
		if d, ok := DescribeOffline(b); ok || d.Name != "" {
			t.Errorf("%x: %v", b, d)
		}
	}
}

func FuzzDissect(f *testing.F) {
	for _, b := range vectors(f) {
		f.Add(b)
	}
	f.Fuzz(func(t *testing.T, b []byte) {
		var d Dissection
		err := d.Dissect(b)
		_, _ = DescribeOffline(b)
		for _, fr := range d.Frames {
			if len(fr.Body) == 0 || fr.Offset >= len(b) {
				t.Fatalf("frame %+v", fr)
			}
			_, _ = DescribeMessage(fr.Body)
		}
		if err == nil && d.Kind == DataDatagram && len(d.Frames) == 0 {
			t.Fatal("data datagram without a frame accepted")
		}
	})
}
