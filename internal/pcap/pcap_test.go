package pcap

import (
	"bytes"
	"encoding/binary"
	"errors"
	"io"
	"net/netip"
	"testing"
	"time"
)

// captureFile builds a capture file of frames, one per second from 1000.5 s on.
func captureFile(order binary.ByteOrder, nano bool, link Link, frames ...[]byte) []byte {
	app := order.(binary.AppendByteOrder)
	magic := uint32(0xa1b2c3d4)
	fraction := uint32(500000)
	if nano {
		magic, fraction = 0xa1b23c4d, 500000000
	}
	b := app.AppendUint32(nil, magic)
	b = app.AppendUint16(app.AppendUint16(b, 2), 4)
	b = append(b, make([]byte, 8)...)
	b = app.AppendUint32(app.AppendUint32(b, 65535), uint32(link))
	for i, f := range frames {
		b = app.AppendUint32(app.AppendUint32(b, uint32(1000+i)), fraction)
		b = app.AppendUint32(app.AppendUint32(b, uint32(len(f))), uint32(len(f)))
		b = append(b, f...)
	}
	return b
}

var (
	from4 = netip.MustParseAddrPort("10.0.0.1:40000")
	to4   = netip.MustParseAddrPort("10.0.0.2:25000")
	from6 = netip.MustParseAddrPort("[::1]:40000")
	to6   = netip.MustParseAddrPort("[::1]:25000")
)

func datagram(from, to netip.AddrPort, payload string) []byte {
	udp := binary.BigEndian.AppendUint16(nil, from.Port())
	udp = binary.BigEndian.AppendUint16(udp, to.Port())
	udp = binary.BigEndian.AppendUint16(udp, uint16(8+len(payload)))
	udp = append(append(udp, 0, 0), payload...)
	if from.Addr().Is4() {
		ip := []byte{0x45, 0, 0, 0, 0, 0, 0, 0, 64, protoUDP, 0, 0}
		ip = append(append(ip, from.Addr().AsSlice()...), to.Addr().AsSlice()...)
		return append(ip, udp...)
	}
	ip := []byte{0x60, 0, 0, 0, 0, 0, protoUDP, 64}
	ip = append(append(ip, from.Addr().AsSlice()...), to.Addr().AsSlice()...)
	return append(ip, udp...)
}

func join(parts ...[]byte) []byte { return bytes.Join(parts, nil) }

func TestPcapReaderSupportsEveryByteOrderAndClockUnit(t *testing.T) {
	for _, order := range []binary.ByteOrder{binary.LittleEndian, binary.BigEndian} {
		for _, nano := range []bool{false, true} {
			r, err := NewReader(bytes.NewReader(captureFile(order, nano, LinkRaw, []byte("one"), nil, []byte("three"))))
			if err != nil {
				t.Fatalf("%v nano %v: %v", order, nano, err)
			}
			for i, want := range []string{"one", "", "three"} {
				p, err := r.Next()
				at := time.Unix(int64(1000+i), 5e8).UTC()
				if err != nil || string(p.Data) != want || p.Length != len(want) || !p.Time.Equal(at) || r.Link() != LinkRaw {
					t.Errorf("%v nano %v: packet %d is %q of %d at %v, %v", order, nano, i, p.Data, p.Length, p.Time, err)
				}
			}
			if _, err := r.Next(); err != io.EOF {
				t.Errorf("%v nano %v: after the last packet %v", order, nano, err)
			}
		}
	}
}

func TestUnsupportedCaptureFilesAreRefused(t *testing.T) {
	good := captureFile(binary.LittleEndian, false, LinkRaw)
	wrongVersion := bytes.Clone(good)
	wrongVersion[4] = 3
	for name, c := range map[string]struct {
		b    []byte
		want error
	}{
		"empty":         {nil, ErrFormat},
		"text":          {[]byte("0e 01020304050607 and so on"), ErrFormat},
		"pcapng":        {append([]byte{0x0a, 0x0d, 0x0d, 0x0a}, make([]byte, 40)...), ErrPcapng},
		"short pcapng":  {[]byte{0x0a, 0x0d, 0x0d, 0x0a}, ErrPcapng},
		"half a header": {good[:20], ErrFormat},
		"version 3":     {wrongVersion, ErrFormat},
	} {
		if _, err := NewReader(bytes.NewReader(c.b)); !errors.Is(err, c.want) {
			t.Errorf("%s: %v, wanted %v", name, err, c.want)
		}
	}
}

func TestTruncatedCaptureReturnsErrTruncated(t *testing.T) {
	whole := captureFile(binary.LittleEndian, false, LinkRaw, []byte("one"))
	for n := fileHeaderSize + 1; n < len(whole); n++ {
		r, err := NewReader(bytes.NewReader(whole[:n]))
		if err != nil {
			t.Fatal(err)
		}
		if _, err := r.Next(); !errors.Is(err, ErrTruncated) {
			t.Errorf("%d of %d bytes: %v", n, len(whole), err)
		}
	}
}

func TestImpossiblePacketSizeIsRefusedBeforeAllocation(t *testing.T) {
	b := captureFile(binary.LittleEndian, false, LinkRaw, []byte("one"))
	binary.LittleEndian.PutUint32(b[fileHeaderSize+8:], MaxPacket+1)
	r, err := NewReader(bytes.NewReader(b))
	if err != nil {
		t.Fatal(err)
	}
	if _, err := r.Next(); !errors.Is(err, ErrSize) {
		t.Errorf("error %v", err)
	}
}

func TestUDPDatagramIsExtractedFromEveryLinkLayer(t *testing.T) {
	v4, v6 := datagram(from4, to4, "hello"), datagram(from6, to6, "hello")
	mac := make([]byte, 12)
	hopByHop := join(v6[:6], []byte{0, 64}, v6[8:40], []byte{protoUDP, 0, 0, 0, 0, 0, 0, 0}, v6[40:])
	for name, c := range map[string]struct {
		link  Link
		frame []byte
		v6    bool
	}{
		"ethernet":            {LinkEthernet, join(mac, []byte{8, 0}, v4), false},
		"ethernet, padded":    {LinkEthernet, join(mac, []byte{8, 0}, v4, make([]byte, 9)), false},
		"ethernet, VLAN":      {LinkEthernet, join(mac, []byte{0x81, 0, 0, 5, 8, 0}, v4), false},
		"ethernet, two VLANs": {LinkEthernet, join(mac, []byte{0x88, 0xa8, 0, 5, 0x81, 0, 0, 6, 0x86, 0xdd}, v6), true},
		"raw 101":             {LinkRaw, v4, false},
		"raw 12":              {LinkRawBSD, v6, true},
		"ipv4":                {LinkIPv4, v4, false},
		"ipv6":                {LinkIPv6, v6, true},
		"ipv6, hop by hop":    {LinkIPv6, hopByHop, true},
		"null":                {LinkNull, join([]byte{2, 0, 0, 0}, v4), false},
		"null, swapped":       {LinkNull, join([]byte{0, 0, 0, 30}, v6), true},
		"loop":                {LinkLoop, join([]byte{0, 0, 0, 2}, v4), false},
		"sll":                 {LinkSLL, join(make([]byte, 14), []byte{8, 0}, v4), false},
		"sll2":                {LinkSLL2, join([]byte{0x86, 0xdd}, make([]byte, 18), v6), true},
	} {
		from, to := from4, to4
		if c.v6 {
			from, to = from6, to6
		}
		d, err := UDP(c.link, c.frame)
		if err != nil || d.From != from || d.To != to || string(d.Payload) != "hello" || d.Length != 5 {
			t.Errorf("%s: %v > %v %q of %d, %v", name, d.From, d.To, d.Payload, d.Length, err)
		}
	}
}

func TestCapturedFrameWithoutCompleteUDPDatagramIsRefusedWithReason(t *testing.T) {
	tcp, part := datagram(from4, to4, "x"), datagram(from4, to4, "x")
	tcp[9] = 6
	part[6] = 0x20
	part6 := datagram(from6, to6, "x")
	part6[6] = 44
	for name, c := range map[string]struct {
		link  Link
		frame []byte
		want  error
	}{
		"tcp":                   {LinkRaw, tcp, ErrNotUDP},
		"fragment":              {LinkRaw, part, ErrFragment},
		"ipv6 fragment":         {LinkRaw, part6, ErrFragment},
		"arp":                   {LinkEthernet, join(make([]byte, 12), []byte{8, 6}, make([]byte, 28)), ErrNotUDP},
		"unsupported link type": {105, tcp, ErrLink},
		"ip version 5":          {LinkRaw, []byte{0x50}, ErrNotUDP},
	} {
		if _, err := UDP(c.link, c.frame); !errors.Is(err, c.want) {
			t.Errorf("%s: %v, wanted %v", name, err, c.want)
		}
	}
	frame := join(make([]byte, 12), []byte{8, 0}, datagram(from4, to4, ""))
	for n := range frame {
		if _, err := UDP(LinkEthernet, frame[:n]); !errors.Is(err, ErrShort) {
			t.Errorf("%d of %d bytes: %v", n, len(frame), err)
		}
	}
}

func TestTruncatedDatagramReportsOriginalLength(t *testing.T) {
	whole := datagram(from4, to4, "hello")
	d, err := UDP(LinkRaw, whole[:len(whole)-2])
	if err != nil || string(d.Payload) != "hel" || d.Length != 5 {
		t.Errorf("%q of %d, %v", d.Payload, d.Length, err)
	}
}

func FuzzReader(f *testing.F) {
	f.Add(captureFile(binary.LittleEndian, false, LinkEthernet, join(make([]byte, 12), []byte{8, 0}, datagram(from4, to4, "hi"))))
	f.Add(captureFile(binary.BigEndian, true, LinkRaw, datagram(from6, to6, "hi")))
	f.Add([]byte{0x0a, 0x0d, 0x0d, 0x0a})
	f.Fuzz(func(t *testing.T, b []byte) {
		r, err := NewReader(bytes.NewReader(b))
		if err != nil {
			return
		}
		for {
			p, err := r.Next()
			if err != nil {
				return
			}
			if d, err := UDP(r.Link(), p.Data); err == nil && len(d.Payload) > d.Length {
				t.Fatalf("%d bytes of %d", len(d.Payload), d.Length)
			}
		}
	})
}

func FuzzUDP(f *testing.F) {
	for _, link := range []uint32{0, 1, 12, 101, 108, 113, 228, 229, 276} {
		f.Add(link, datagram(from4, to4, "hi"))
		f.Add(link, datagram(from6, to6, "hi"))
	}
	f.Fuzz(func(t *testing.T, link uint32, b []byte) {
		if d, err := UDP(Link(link), b); err == nil && len(d.Payload) > len(b) {
			t.Fatal("payload longer than its frame")
		}
	})
}
