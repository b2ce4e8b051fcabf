package webhook

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"net"
	"net/url"
	"os"
	"path/filepath"
	"slices"
	"unicode"

	"github.com/BurntSushi/toml"
)

// Limits of a file of receivers.
const (
	maxConfig    = 64 << 10 // bytes
	maxReceivers = 16
	maxName      = 64 // bytes
	minSecret    = 16 // bytes
	maxSecret    = 1 << 10
)

// Formats of a message.
const (
	JSON    = "json"    // the event
	Discord = "discord" // the event, and its text in the field content
	Slack   = "slack"   // the event, and its text in the field text
)

// Receiver is an address to which events are sent. Load returns valid ones.
type Receiver struct {
	Name          string `toml:"name"`
	URL           string `toml:"url"`             // may contain a token, so that it is in no log line and no error
	Format        string `toml:"format"`          // JSON, Discord or Slack; JSON by default
	Events        []Kind `toml:"events"`          // kinds; empty for all
	SecretFile    string `toml:"secret_file"`     // file of the secret that signs messages; "" for no signature
	OldSecretFile string `toml:"old_secret_file"` // file of the former secret, which signs too while secrets are changed
	Insecure      bool   `toml:"insecure"`        // allow http:// beyond loopback

	secrets [][]byte // contents of the files when they were read last
}

const keyNames = "name, url, format, events, secret_file, old_secret_file and insecure"

// Load reads a file of receivers. Names of files in it are relative to its folder. Errors name the receiver and how to fix it.
func Load(path string) ([]Receiver, error) {
	text, err := readSmall(path, maxConfig)
	if err != nil {
		return nil, fmt.Errorf("webhooks: %w; name a file of receivers with --webhooks FILE", err)
	}
	var file struct {
		Receiver []Receiver `toml:"receiver"`
	}
	meta, err := toml.Decode(string(text), &file)
	if bad, ok := errors.AsType[toml.ParseError](err); ok {
		return nil, fmt.Errorf("webhooks: %s:%d: %s", path, bad.Position.Line, bad.Message)
	}
	if err != nil {
		return nil, fmt.Errorf("webhooks: %s: %w", path, err)
	}
	if unknown := meta.Undecoded(); len(unknown) > 0 {
		return nil, fmt.Errorf("webhooks: %s: unknown key %q: the file has tables [[receiver]] with the keys %s", path, unknown[0], keyNames)
	}
	if n := len(file.Receiver); n == 0 || n > maxReceivers {
		return nil, fmt.Errorf("webhooks: %s has %d receivers: write 1 to %d tables [[receiver]]", path, n, maxReceivers)
	}
	names := map[string]bool{}
	for i := range file.Receiver {
		r := &file.Receiver[i]
		if r.Name == "" || len(r.Name) > maxName || names[r.Name] {
			err = errors.Join(err, fmt.Errorf("webhooks: %s: receiver %d needs a name of 1 to %d bytes that no other receiver has", path, i+1, maxName))
		}
		names[r.Name] = true
		if bad := r.check(filepath.Dir(path)); bad != nil {
			err = errors.Join(err, fmt.Errorf("webhooks: %s: receiver %q: %w", path, r.Name, bad))
		}
	}
	if err != nil {
		return nil, err
	}
	return file.Receiver, nil
}

// check fills in defaults, reads the secrets and returns the first error of the receiver. dir is the folder of the file of receivers.
func (r *Receiver) check(dir string) error {
	if r.Format == "" {
		r.Format = JSON
	}
	if !slices.Contains([]string{JSON, Discord, Slack}, r.Format) {
		return fmt.Errorf("format %q is unknown: use json, discord or slack", r.Format)
	}
	u, err := url.Parse(r.URL)
	if err != nil || u.Hostname() == "" || u.Scheme != "https" && u.Scheme != "http" {
		return errors.New("url must be an address such as https://hooks.example/truestep")
	}
	if u.Scheme == "http" && !r.Insecure && !isLoopback(u.Hostname()) {
		return errors.New("url is not encrypted: use https, or say insecure = true")
	}
	for _, k := range r.Events {
		if !slices.Contains(Kinds, k) {
			return fmt.Errorf("event %q is unknown: use some of %s, or leave events out for all", k, kindList())
		}
	}
	if r.SecretFile == "" && r.OldSecretFile != "" {
		return errors.New("old_secret_file is for a former secret: name the file of the present one with secret_file")
	}
	for _, file := range []*string{&r.SecretFile, &r.OldSecretFile} {
		if *file != "" && !filepath.IsAbs(*file) {
			*file = filepath.Join(dir, *file)
		}
	}
	return r.readSecrets()
}

// readSecrets reads the secret and the old one. After an error the former ones are kept.
func (r *Receiver) readSecrets() error {
	var list [][]byte
	for _, path := range []string{r.SecretFile, r.OldSecretFile} {
		if path == "" {
			continue
		}
		secret, err := readSmall(path, maxSecret)
		if err != nil {
			return fmt.Errorf("secret: %w", err)
		}
		secret = bytes.TrimSpace(secret)
		if len(secret) < minSecret || bytes.ContainsFunc(secret, unicode.IsSpace) {
			return fmt.Errorf("secret: %s: write one secret of at least %d characters without spaces, as from openssl rand -hex 32", path, minSecret)
		}
		list = append(list, secret)
	}
	r.secrets = list
	return nil
}

// readSmall reads a file of at most limit bytes.
func readSmall(path string, limit int64) ([]byte, error) {
	if info, err := os.Stat(path); err != nil {
		return nil, err
	} else if !info.Mode().IsRegular() {
		return nil, fmt.Errorf("%s is not a file", path)
	}
	f, err := os.Open(path)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	b, err := io.ReadAll(io.LimitReader(f, limit+1))
	if err == nil && int64(len(b)) > limit {
		err = fmt.Errorf("%s has more than %d bytes", path, limit)
	}
	return b, err
}

func isLoopback(host string) bool {
	ip := net.ParseIP(host)
	return host == "localhost" || ip != nil && ip.IsLoopback()
}
