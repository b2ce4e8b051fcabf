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

// Limits of a webhook configuration file and its values.
const (
	maxConfig    = 64 << 10 // maximum size of the file in bytes
	maxReceivers = 16       // maximum number of receivers
	maxName      = 64       // maximum length of a receiver's name in bytes
	minSecret    = 16       // minimum length of a secret in bytes
	maxSecret    = 1 << 10  // maximum size of a secret file in bytes
)

// Values of Receiver.Format: formats of the request body.
const (
	JSON    = "json"    // the event as a JSON object
	Discord = "discord" // the JSON object with the text repeated in the field content, which Discord shows
	Slack   = "slack"   // the JSON object with the text repeated in the field text, which Slack shows
)

// Receiver is an HTTP address to which events are sent. Load returns validated receivers.
type Receiver struct {
	Name       string `toml:"name"`        // unique name, 1 to 64 bytes
	URL        string `toml:"url"`         // http or https address; may contain a token, so it never appears in logs or errors
	Format     string `toml:"format"`      // JSON, Discord or Slack; JSON by default
	Events     []Kind `toml:"events"`      // kinds of events that are sent; empty for all kinds
	SecretFile string `toml:"secret_file"` // file with the secret that signs messages; "" to send unsigned messages
	// OldSecretFile is the file with the previous secret; "" if none. While a secret is being replaced, messages are signed with both
	// secrets.
	OldSecretFile string `toml:"old_secret_file"`
	Insecure      bool   `toml:"insecure"` // allow unencrypted http:// to hosts other than localhost

	secrets [][]byte // contents of the secret files when they were last read
}

const keyNames = "name, url, format, events, secret_file, old_secret_file and insecure"

// Load reads a webhook configuration file. Relative file names in it are relative to its folder. An error names the
// receiver and says how to fix the entry.
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
		return nil, fmt.Errorf("webhooks: parse %s:%d: %s", path, bad.Position.Line, bad.Message)
	}
	if err != nil {
		return nil, fmt.Errorf("webhooks: parse %s: %w", path, err)
	}
	if unknown := meta.Undecoded(); len(unknown) > 0 {
		return nil, fmt.Errorf("webhooks: %s: unknown key %q: a table [[receiver]] has the keys %s", path, unknown[0], keyNames)
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

// check fills in defaults, reads the secrets and returns the first error in the receiver's settings. The parameter dir
// is the folder of the configuration file.
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
		return errors.New("url is not encrypted: use https, or set insecure = true")
	}
	for _, k := range r.Events {
		if !slices.Contains(Kinds, k) {
			return fmt.Errorf("event %q is unknown: use some of %s, or leave events out for all", k, kindList())
		}
	}
	if r.SecretFile == "" && r.OldSecretFile != "" {
		return errors.New("old_secret_file is set without secret_file: secret_file must name the file of the present secret")
	}
	for _, file := range []*string{&r.SecretFile, &r.OldSecretFile} {
		if *file != "" && !filepath.IsAbs(*file) {
			*file = filepath.Join(dir, *file)
		}
	}
	return r.readSecrets()
}

// readSecrets reads the secret and the old secret from their files. If a file cannot be read, both secrets that were read before
// stay in use.
func (r *Receiver) readSecrets() error {
	var list [][]byte
	for _, path := range []string{r.SecretFile, r.OldSecretFile} {
		if path == "" {
			continue
		}
		secret, err := readSmall(path, maxSecret)
		if err != nil {
			return fmt.Errorf("read the secret file: %w", err)
		}
		secret = bytes.TrimSpace(secret)
		if len(secret) < minSecret || bytes.ContainsFunc(secret, unicode.IsSpace) {
			return fmt.Errorf("secret file %s: must contain one secret of at least %d characters without spaces, such as the output of openssl rand -hex 32", path, minSecret)
		}
		list = append(list, secret)
	}
	r.secrets = list
	return nil
}

// readSmall reads a regular file. It returns an error if the file has more than limit bytes.
func readSmall(path string, limit int64) ([]byte, error) {
	if info, err := os.Stat(path); err != nil {
		return nil, err
	} else if !info.Mode().IsRegular() {
		return nil, fmt.Errorf("%s is not a regular file", path)
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
