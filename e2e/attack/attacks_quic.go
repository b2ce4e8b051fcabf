//go:build linux

package main

import (
	"context"
	"crypto/aes"
	"crypto/cipher"
	"crypto/hkdf"
	"crypto/rand"
	"crypto/sha256"
	"crypto/tls"
	"encoding/binary"
	"errors"
	"fmt"
	"net"
	"net/netip"
	"slices"
	"sync/atomic"
	"time"
)

// initialSize is the length in bytes of a datagram with an Initial packet, the minimum that servers accept (RFC 9000, section
// 14.1).
const initialSize = 1200

// sourceID is the source connection ID in the packets of all attacking clients.
var sourceID = []byte("attacker")

// quicHello returns the ClientHello of a QUIC connection to the web door. It fits into one Initial packet.
func quicHello(ctx context.Context) ([]byte, error) {
	c := tls.QUICClient(&tls.QUICConfig{TLSConfig: &tls.Config{
		InsecureSkipVerify: true, MinVersion: tls.VersionTLS13, NextProtos: []string{"h3"}, CurvePreferences: []tls.CurveID{tls.X25519}, ServerName: "localhost",
	}})
	defer c.Close()
	c.SetTransportParameters(append([]byte{0x0f, byte(len(sourceID))}, sourceID...)) // initial_source_connection_id
	if err := c.Start(ctx); err != nil {
		return nil, err
	}
	for {
		switch e := c.NextEvent(); e.Kind {
		case tls.QUICWriteData:
			return slices.Clone(e.Data), nil
		case tls.QUICNoEvent:
			return nil, errors.New("crypto/tls returned no ClientHello for a QUIC connection")
		}
	}
}

// initialPacket returns a datagram with an Initial packet of a client (RFC 9000, section 17.2.2), protected as RFC 9001, section 5,
// says. In a first packet, destination is a connection ID that the client has chosen, and token is empty. In an answer to a Retry
// packet of the server, both are those of the Retry packet.
func initialPacket(destination, token, hello []byte) ([]byte, error) {
	const number = 4 // length of the packet number, which is 0
	header := append([]byte{0xc0 | number - 1, 0, 0, 0, 1, byte(len(destination))}, destination...)
	header = append(append(header, byte(len(sourceID))), sourceID...)
	header = append(binary.BigEndian.AppendUint16(header, 0x4000|uint16(len(token))), token...)
	at := len(header) + 2
	payload := append(binary.BigEndian.AppendUint16([]byte{6, 0}, 0x4000|uint16(len(hello))), hello...) // CRYPTO frame from offset 0
	padding := initialSize - at - number - 16 - len(payload)
	if padding < 0 {
		return nil, fmt.Errorf("a ClientHello of %d bytes and a token of %d bytes do not fit into one datagram", len(hello), len(token))
	}
	payload = append(payload, make([]byte, padding)...)
	header = binary.BigEndian.AppendUint16(header, 0x4000|uint16(number+len(payload)+16))
	header = append(header, make([]byte, number)...)

	secret, err := hkdf.Extract(sha256.New, destination, []byte("\x38\x76\x2c\xf7\xf5\x59\x34\xb3\x4d\x17\x9a\xe6\xa4\xc8\x0c\xad\xcc\xbb\x7f\x0a"))
	if err != nil {
		return nil, err
	}
	client := expandLabel(secret, "client in", 32)
	block, err := aes.NewCipher(expandLabel(client, "quic key", 16))
	if err != nil {
		return nil, err
	}
	aead, err := cipher.NewGCM(block)
	if err != nil {
		return nil, err
	}
	mask, err := aes.NewCipher(expandLabel(client, "quic hp", 16))
	if err != nil {
		return nil, err
	}
	b := aead.Seal(slices.Clone(header), expandLabel(client, "quic iv", 12), payload, header)
	var m [16]byte
	mask.Encrypt(m[:], b[at+4:at+20])
	b[0] ^= m[0] & 15
	for i := range number {
		b[at+i] ^= m[1+i]
	}
	return b, nil
}

// expandLabel is HKDF-Expand-Label of TLS 1.3 without a context.
func expandLabel(secret []byte, label string, n int) []byte {
	info := append([]byte{0, byte(n), byte(len("tls13 ") + len(label))}, "tls13 "+label...)
	b, _ := hkdf.Expand(sha256.New, secret, string(append(info, 0)), n) // fails only for lengths above 255 hashes
	return b
}

// parseRetry returns the connection ID and the token of a Retry packet (RFC 9000, section 17.2.5). ok is false if the datagram b
// does not contain one.
func parseRetry(b []byte) (destination, token []byte, ok bool) {
	if len(b) < 7 || b[0]&0xf0 != 0xf0 || binary.BigEndian.Uint32(b[1:]) != 1 {
		return nil, nil, false
	}
	b = b[5:]
	for range 2 { // skip two connection IDs: of the client and of the server
		n := int(b[0])
		if n > 20 || len(b) < 2+n {
			return nil, nil, false
		}
		destination, b = b[1:1+n], b[1+n:]
	}
	if len(b) <= 16 { // the rest must be longer than the integrity tag at its end, which has 16 bytes
		return nil, nil, false
	}
	return slices.Clone(destination), slices.Clone(b[:len(b)-16]), true
}

// newID returns a random connection ID.
func newID() []byte {
	id := make([]byte, 8)
	rand.Read(id) // Read never fails
	return id
}

// halfOpenQUIC begins 300 QUIC connections a second and never continues their handshakes. It answers Retry packets, which prove
// the client's address to the server. To an address without that proof, the server must send at most three times as many bytes as
// it has received from the address.
func halfOpenQUIC(ctx context.Context, a *assault) error {
	hello, err := quicHello(ctx)
	if err != nil {
		return err
	}
	var answered atomic.Int64
	var failed atomic.Pointer[error]
	addresses := a.scaled(70)
	err = a.every(ctx, a.scaled(300), func(ctx context.Context, i int) {
		ctx, cancel := context.WithTimeout(ctx, clientPatience)
		defer cancel()
		got, err := halfOpen(ctx, a.Web, attackerAddr(i%addresses), hello)
		answered.Add(int64(got))
		if err != nil {
			failed.CompareAndSwap(nil, &err)
		}
	})
	switch e := failed.Load(); {
	case err != nil:
		return err
	case e != nil:
		return *e
	case answered.Load() == 0:
		return errors.New("the server answered none of the QUIC Initial packets: the attack does not reach the server")
	}
	return nil
}

// halfOpen begins one QUIC connection and reads what the server sends until ctx ends. The result got is the number of datagrams
// received. err is not nil if the server sent too much to an address that was not verified.
func halfOpen(ctx context.Context, server, from string, hello []byte) (got int, err error) {
	conn, err := dialFrom(from, 0)(ctx, "udp4", server)
	if err != nil {
		return 0, nil // this machine has no free socket: skip this connection
	}
	defer conn.Close()
	defer context.AfterFunc(ctx, func() { _ = conn.SetReadDeadline(time.Now()) })()
	first, err := initialPacket(newID(), nil, hello)
	if err != nil {
		return 0, err
	}
	if _, err := conn.Write(first); err != nil {
		return 0, nil
	}
	b := make([]byte, 2048)
	received, verified := 0, false
	for {
		n, err := conn.Read(b)
		if err != nil {
			return got, nil // ctx has ended, or the server has closed its socket
		}
		got++
		if verified {
			continue
		}
		if received += n; received > 3*len(first) {
			return got, fmt.Errorf("the web door answered one datagram with %d bytes, more than three times its %d, before the client's address was verified", received, len(first))
		}
		if id, token, ok := parseRetry(b[:n]); ok {
			next, err := initialPacket(id, token, hello)
			if err != nil {
				return got, err
			}
			_, _ = conn.Write(next)
			verified = true
		}
	}
}

// forgedInitials sends Initial packets of new connections with forged sender addresses. The server must not send more bytes to these
// addresses than it receives from them. So it answers all but a few packets with a small Retry packet, which asks for a proof of the
// address.
func forgedInitials(ctx context.Context, a *assault) error {
	server := netip.MustParseAddrPort(a.Web)
	hello, err := quicHello(ctx)
	if err != nil {
		return err
	}
	var sent, received atomic.Int64
	var socks []*net.UDPConn
	for range 16 { // ports
		sock, err := listenUDP("0.0.0.0")
		if err != nil {
			return err
		}
		defer sock.Close()
		socks = append(socks, sock)
		go func() {
			for b := make([]byte, 2048); ; {
				n, err := sock.Read(b)
				if err != nil {
					return
				}
				received.Add(int64(n))
			}
		}()
	}
	err = a.forgeEach(ctx, server, socks, func() ([]byte, error) {
		b, err := initialPacket(newID(), nil, hello)
		sent.Add(int64(len(b)))
		return b, err
	})
	switch to, from := sent.Load(), received.Load(); {
	case err != nil:
		return err
	case from == 0:
		return errors.New("the server answered none of the QUIC Initial packets: the attack does not reach the server")
	case from > to:
		return fmt.Errorf("the web door sent %d bytes to forged sender addresses, more than the %d bytes of the datagrams that it received from them", from, to)
	}
	return nil
}
