package web

import (
	"crypto/tls"
	"crypto/x509"
	"encoding/pem"
	"log/slog"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/truestep-io/truestep/internal/logbuf"
)

// writeCertificate writes a new certificate and its key, and returns the certificate.
func writeCertificate(t *testing.T, cert, key string) []byte {
	t.Helper()
	pair, err := newCertificate(time.Now())
	if err != nil {
		t.Fatal(err)
	}
	der, err := x509.MarshalPKCS8PrivateKey(pair.PrivateKey)
	if err != nil {
		t.Fatal(err)
	}
	write(t, cert, pem.EncodeToMemory(&pem.Block{Type: "CERTIFICATE", Bytes: pair.Certificate[0]}))
	write(t, key, pem.EncodeToMemory(&pem.Block{Type: "PRIVATE KEY", Bytes: der}))
	return pair.Certificate[0]
}

// write writes a file and sets its modification time to the time of the test's clock.
func write(t *testing.T, name string, b []byte) {
	t.Helper()
	if err := os.WriteFile(name, b, 0o600); err != nil {
		t.Fatal(err)
	}
	if err := os.Chtimes(name, time.Time{}, time.Now()); err != nil {
		t.Fatal(err)
	}
}

func TestRenewedCertificateIsServedWithoutRestart(t *testing.T) {
	dir := t.TempDir()
	synctest.Test(t, func(t *testing.T) {
		cert, key := filepath.Join(dir, "cert.pem"), filepath.Join(dir, "key.pem")
		first := writeCertificate(t, cert, key)
		logs := &logbuf.Buffer{}
		c, err := openCertificateFile(cert, key, slog.New(slog.NewTextHandler(logs, nil)))
		if err != nil {
			t.Fatal(err)
		}
		serves := func(when string, want []byte) {
			t.Helper()
			if got, err := c.config().GetCertificate(&tls.ClientHelloInfo{}); err != nil || string(got.Certificate[0]) != string(want) {
				t.Errorf("%s: another certificate is served, or %v", when, err)
			}
		}
		serves("at the start", first)
		time.Sleep(time.Second)
		second := writeCertificate(t, cert, key)
		serves("before the check", first)
		time.Sleep(certCheck)
		serves("after the check", second)

		write(t, cert, []byte("half a certificate"))
		time.Sleep(certCheck)
		serves("while the file cannot be used", second)
		if !strings.Contains(logs.String(), "web-cert: ") {
			t.Errorf("the log does not say so: %s", logs.String())
		}
		if err := os.Remove(key); err != nil {
			t.Fatal(err)
		}
		time.Sleep(certCheck)
		serves("while a file is missing", second)
		third := writeCertificate(t, cert, key)
		time.Sleep(certCheck)
		serves("after another renewal", third)
	})
}
