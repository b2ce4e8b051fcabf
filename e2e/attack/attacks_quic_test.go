//go:build linux

package main

import (
	"context"
	"crypto/tls"
	"errors"
	"net"
	"testing"
	"time"

	"github.com/quic-go/quic-go"
)

// A server decrypts the Initial packets and begins the handshake, at once or after it has verified the address with a Retry packet.
func TestQUICInitialPacketStartsHandshakeOfServer(t *testing.T) {
	for name, verify := range map[string]bool{"at once": false, "after Retry": true} {
		t.Run(name, func(t *testing.T) {
			conn, err := net.ListenUDP("udp4", &net.UDPAddr{IP: net.IPv4(127, 0, 0, 1)})
			if err != nil {
				t.Fatal(err)
			}
			defer conn.Close()
			begun := make(chan struct{}, 1)
			server := &quic.Transport{Conn: conn, VerifySourceAddress: func(net.Addr) bool { return verify }}
			defer server.Close()
			listener, err := server.Listen(&tls.Config{NextProtos: []string{"h3"}, GetConfigForClient: func(*tls.ClientHelloInfo) (*tls.Config, error) {
				select {
				case begun <- struct{}{}:
				default:
				}
				return nil, errors.New("no handshake in this test")
			}}, nil)
			if err != nil {
				t.Fatal(err)
			}
			defer listener.Close()
			ctx, cancel := context.WithTimeout(t.Context(), time.Minute)
			defer cancel()
			hello, err := quicHello(ctx)
			if err != nil {
				t.Fatal(err)
			}
			ended := make(chan error, 1)
			go func() {
				_, err := halfOpen(ctx, conn.LocalAddr().String(), "127.0.0.1", hello)
				ended <- err
			}()
			select {
			case <-begun:
			case <-ctx.Done():
				t.Error("the server has not read the ClientHello")
			}
			cancel()
			if err := <-ended; err != nil {
				t.Error(err)
			}
		})
	}
}

func TestMalformedQUICRetryPacketIsRefused(t *testing.T) {
	valid := append([]byte{0xf0, 0, 0, 0, 1, 2, 1, 2, 3, 7, 8, 9, 't', 'o', 'k'}, make([]byte, 16)...)
	id, token, ok := parseRetry(valid)
	if !ok || string(id) != "\x07\x08\x09" || string(token) != "tok" {
		t.Errorf("id %x, token %q, ok %v", id, token, ok)
	}
	for n := range len(valid) - 3 { // the shortened packet has no token, so it is not a Retry packet
		if _, _, ok := parseRetry(valid[:n]); ok {
			t.Errorf("the first %d bytes are taken for a Retry packet", n)
		}
	}
}
