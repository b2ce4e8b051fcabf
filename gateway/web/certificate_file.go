package web

import (
	"crypto/tls"
	"fmt"
	"log/slog"
	"os"
	"sync"
	"time"
)

// certCheck is the minimum time between two checks whether the operator's certificate files have changed. A check runs during a
// TLS handshake.
const certCheck = 10 * time.Second

// certificateFile is an operator's certificate in files, which another program renews while the server runs. A renewed
// certificate is used for TLS handshakes at most certCheck after the files have changed. The methods are safe for concurrent use.
type certificateFile struct {
	cert, key string // paths
	log       *slog.Logger

	mu      sync.Mutex
	loaded  *tls.Certificate // certificate that is served
	stamp   [2]fileStamp     // versions of both files when they were last read
	checked time.Time        // time of the last check
}

// fileStamp is the modification time and the size of a file. If they differ from those at the last reading, the file has changed.
type fileStamp struct {
	modified time.Time
	size     int64
}

// openCertificateFile reads an operator's certificate and its key from two files. Errors name the file.
func openCertificateFile(cert, key string, log *slog.Logger) (*certificateFile, error) {
	c := &certificateFile{cert: cert, key: key, log: log, checked: time.Now()}
	stamp, err := c.stampOf()
	if err != nil {
		return nil, err
	}
	pair, err := tls.LoadX509KeyPair(cert, key)
	if err != nil {
		return nil, err
	}
	c.stamp, c.loaded = stamp, &pair
	return c, nil
}

func (c *certificateFile) stampOf() (stamp [2]fileStamp, err error) {
	for i, name := range []string{c.cert, c.key} {
		f, err := os.Stat(name)
		if err != nil {
			return stamp, err
		}
		stamp[i] = fileStamp{f.ModTime(), f.Size()}
	}
	return stamp, nil
}

// get returns the certificate for a TLS handshake. If the files have changed but the new certificate cannot be used, get logs the
// error and returns the previous certificate.
func (c *certificateFile) get(*tls.ClientHelloInfo) (*tls.Certificate, error) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if now := time.Now(); now.Sub(c.checked) >= certCheck {
		c.checked = now
		c.reload()
	}
	return c.loaded, nil
}

// reload reads the files if they have changed since they were last read. The mutex mu must be held.
func (c *certificateFile) reload() {
	stamp, err := c.stampOf()
	if err == nil && stamp == c.stamp {
		return
	}
	var pair tls.Certificate
	if err == nil {
		pair, err = tls.LoadX509KeyPair(c.cert, c.key)
	}
	if err != nil {
		c.log.Warn("web: the renewed certificate cannot be used; the previous one is still in use", "error", fmt.Errorf("web-cert: %w", err))
		return // the next check tries again, because certificate and key are not written at the same moment
	}
	c.stamp, c.loaded = stamp, &pair
	c.log.Info("web: the renewed certificate is in use", "file", c.cert, "expires", pair.Leaf.NotAfter)
}

// config returns a TLS configuration that serves, at each handshake, the certificate that the method get returns.
func (c *certificateFile) config() *tls.Config {
	return &tls.Config{MinVersion: tls.VersionTLS12, GetCertificate: c.get}
}
