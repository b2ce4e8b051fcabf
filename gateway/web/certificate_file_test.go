package web_test

import (
	"bytes"
	"context"
	"crypto/ecdsa"
	"crypto/elliptic"
	"crypto/rand"
	"crypto/tls"
	"crypto/x509"
	"encoding/json"
	"math/big"
	"net"
	"net/http"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/quic-go/quic-go"

	"github.com/truestep-io/truestep/gateway"
	"github.com/truestep-io/truestep/gateway/web"
	"github.com/truestep-io/truestep/internal/netsim"
)

// newTLS creates a self-signed certificate. It returns the TLS settings of a server with this certificate, and the certificate itself.
func newTLS(t *testing.T) (served *tls.Config, der []byte) {
	t.Helper()
	key, err := ecdsa.GenerateKey(elliptic.P256(), rand.Reader)
	if err != nil {
		t.Fatal(err)
	}
	long := x509.Certificate{SerialNumber: big.NewInt(1), NotAfter: time.Now().AddDate(1, 0, 0), IPAddresses: []net.IP{net.IPv4(127, 0, 0, 1)}}
	der, err = x509.CreateCertificate(rand.Reader, &long, &long, &key.PublicKey, key)
	if err != nil {
		t.Fatal(err)
	}
	return &tls.Config{Certificates: []tls.Certificate{{Certificate: [][]byte{der}, PrivateKey: key}}}, der
}

// If the operator names a certificate, HTTPS and WebTransport serve it. Tickets then contain no certificate hashes, because
// browsers check the certificate by its authority.
func TestConfiguredCertificateIsServedOverHTTPSAndWebTransport(t *testing.T) {
	served, der := newTLS(t)
	withServer(t, web.Options{TLS: served}, netsim.Impairment{}, func(r *rig) {
		x := r.newRaw()
		x.http.Transport.(*http.Transport).TLSClientConfig = &tls.Config{InsecureSkipVerify: true}
		a, err := x.http.Post("https://127.0.0.1:8090/play/v1/ticket", "application/json", strings.NewReader("{}"))
		if err != nil {
			r.t.Fatal(err)
		}
		defer a.Body.Close()
		var ticket struct {
			WS string
			WT struct {
				URL    string
				Hashes []string
			}
		}
		if err := json.NewDecoder(a.Body).Decode(&ticket); err != nil {
			r.t.Fatal(err)
		}
		if !bytes.Equal(a.TLS.PeerCertificates[0].Raw, der) || len(ticket.WT.Hashes) != 0 || !strings.HasPrefix(ticket.WS, "wss://") || !strings.HasPrefix(ticket.WT.URL, "https://") {
			r.t.Errorf("another certificate is served over HTTPS, or the ticket is wrong: %+v", ticket)
		}
		_, h := r.options("", false)
		_, s, err := r.dialQUIC(context.Background(), h, nil, quic.Config{})
		if err != nil {
			r.t.Fatal(err)
		}
		if got := s.SessionState().ConnectionState.TLS.PeerCertificates[0].Raw; !bytes.Equal(got, der) {
			r.t.Error("another certificate is served over WebTransport")
		}
		_ = s.CloseWithError(0, "")
	})
}

func TestErrorOfUnusableCertificateSaysWhichFile(t *testing.T) {
	door := web.NewDoor()
	door.WebCert, door.WebCertKey = filepath.Join(t.TempDir(), "cert.pem"), "key.pem"
	if err := door.Open(&gateway.Host{}); err == nil || !strings.Contains(err.Error(), "web-cert: ") || !strings.Contains(err.Error(), door.WebCert) {
		t.Errorf("%v, want an error of web-cert with the path", err)
	}
}
