package web

import (
	"crypto/ecdsa"
	"crypto/elliptic"
	"crypto/rand"
	"crypto/sha256"
	"crypto/tls"
	"crypto/x509"
	"crypto/x509/pkix"
	"encoding/base64"
	"fmt"
	"math/big"
	"net"
	"sync"
	"time"
)

// Durations for the server's self-signed certificates. The page tells the browser which certificate to accept, by its hash
// (serverCertificateHashes of WebTransport). Browsers accept this only for certificates that are valid for at most 14 days.
const (
	certRenewal = 7 * 24 * time.Hour  // time for which a certificate is served
	certLife    = 13 * 24 * time.Hour // time for which a certificate is valid
	certEarly   = time.Hour           // time between the beginning of a certificate's validity and its first use, because clocks differ
)

// certificates holds the TLS certificates for WebTransport: either the operator's certificate, or self-signed certificates, of
// which the server makes a new one every week. Its methods are safe for concurrent use.
type certificates struct {
	operator *tls.Config      // TLS configuration with the operator's certificate; nil selects the server's own certificates
	now      func() time.Time // current time; tests replace it
	start    time.Time        // beginning of period 0

	mu     sync.Mutex
	period int64               // number of the current period, each of which lasts certRenewal; -1 before the first certificate
	valid  [2]*tls.Certificate // certificate of the current period and of the next one
}

func newCertificates(operator *tls.Config) (*certificates, error) {
	c := &certificates{operator: operator, now: time.Now, start: time.Now(), period: -1}
	if operator != nil {
		return c, nil
	}
	_, err := c.pair()
	return c, err
}

// config returns the TLS configuration for WebTransport. It serves the current certificate at each handshake.
func (c *certificates) config() *tls.Config {
	if c.operator != nil {
		return c.operator.Clone()
	}
	return &tls.Config{MinVersion: tls.VersionTLS13, GetCertificate: func(*tls.ClientHelloInfo) (*tls.Certificate, error) {
		pair, err := c.pair()
		return pair[0], err
	}}
}

// hashes returns the SHA-256 hashes, in base64, of the self-signed certificates that a client may be served: the current one
// and the next one. It returns nil for the operator's certificate, which browsers verify without a hash.
func (c *certificates) hashes() []string {
	if c.operator != nil {
		return nil
	}
	pair, err := c.pair()
	if err != nil {
		return nil
	}
	var list []string
	for _, cert := range pair {
		sum := sha256.Sum256(cert.Certificate[0])
		list = append(list, base64.StdEncoding.EncodeToString(sum[:]))
	}
	return list
}

// pair returns the current self-signed certificate and the next one. It creates them if they do not exist yet.
func (c *certificates) pair() ([2]*tls.Certificate, error) {
	c.mu.Lock()
	defer c.mu.Unlock()
	now := int64(c.now().Sub(c.start) / certRenewal)
	for c.period < now {
		from := max(c.period+1, now-1)
		first := c.valid[1]
		if first == nil || from != c.period+1 {
			var err error
			if first, err = newCertificate(c.start.Add(time.Duration(from) * certRenewal)); err != nil {
				return c.valid, err
			}
		}
		next, err := newCertificate(c.start.Add(time.Duration(from+1) * certRenewal))
		if err != nil {
			return c.valid, err
		}
		c.period, c.valid = from, [2]*tls.Certificate{first, next}
	}
	return c.valid, nil
}

// newCertificate creates a self-signed certificate. The parameter "from" is the time from which the server will use it.
func newCertificate(from time.Time) (*tls.Certificate, error) {
	key, err := ecdsa.GenerateKey(elliptic.P256(), rand.Reader)
	if err != nil {
		return nil, fmt.Errorf("web: cannot create the key of the self-signed certificate: %w", err)
	}
	serial, err := rand.Int(rand.Reader, new(big.Int).Lsh(big.NewInt(1), 126))
	if err != nil {
		return nil, fmt.Errorf("web: cannot create the serial number of the self-signed certificate: %w", err)
	}
	begin := from.Add(-certEarly)
	template := x509.Certificate{
		SerialNumber: serial, Subject: pkix.Name{CommonName: "Truestep"}, NotBefore: begin, NotAfter: begin.Add(certLife),
		KeyUsage: x509.KeyUsageDigitalSignature, ExtKeyUsage: []x509.ExtKeyUsage{x509.ExtKeyUsageServerAuth},
		DNSNames: []string{"localhost"}, IPAddresses: []net.IP{net.IPv4(127, 0, 0, 1), net.IPv6loopback}, BasicConstraintsValid: true,
	}
	der, err := x509.CreateCertificate(rand.Reader, &template, &template, &key.PublicKey, key)
	if err != nil {
		return nil, fmt.Errorf("web: cannot create the self-signed certificate: %w", err)
	}
	return &tls.Certificate{Certificate: [][]byte{der}, PrivateKey: key}, nil
}
