package adminclient

import (
	"bytes"
	"context"
	"crypto/sha256"
	"crypto/tls"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"net/http"
	"net/url"
	"os"
	"os/user"
	"strings"
	"time"

	"github.com/truestep-io/truestep/console"
)

// Output holds the writers that commands print to: results to Out, errors to Err.
type Output struct{ Out, Err io.Writer }

// Access holds the flags that all commands have: the server to connect to, the token of the operator, and the format of
// the output.
type Access struct {
	DataDir string `help:"Folder of the server's data; default ./truestep-data." default:"./truestep-data" placeholder:"DIR"`
	URL     string `help:"Address of another server's console, such as https://example.org:8080; needs --token."`
	Token   string `help:"Token for the console of --url; see truestep token." placeholder:"TOKEN"`
	// As is the operator's name for the audit log; "" selects the name of the system's user. With Token it has no effect, because
	// the token already belongs to a named operator.
	As      string        `help:"Your name in the audit; default your user name. With --token the token says who you are." placeholder:"NAME"`
	JSON    bool          `name:"json" help:"Print JSON instead of text: one object, the answer of the server."`
	Timeout time.Duration `help:"How long to wait for the answer." default:"10s"`
}

// Error is an error that the operator can correct, such as an invalid value, a missing right, or a server that is not
// running.
type Error struct {
	text    string // the message
	missing bool   // the server has no element of the requested name
}

// Error returns the message.
func (e *Error) Error() string { return e.text }

// problem returns an error that the operator can correct, with a formatted text.
func problem(format string, args ...any) error { return &Error{text: fmt.Sprintf(format, args...)} }

// client calls the console of one server.
type client struct {
	to     Output
	json   bool   // print answers of the server as JSON
	base   string // address of the console without a path
	token  string // token of the operator
	name   string // operator's name for the audit log; "" if the token belongs to a named operator
	http   *http.Client
	limit  time.Duration // time limit of a request
	server string        // name of the server in errors
}

// connect returns a client of the server that the flags select. It does not send a request.
func (a *Access) connect(to Output) (*client, error) {
	c := &client{to: to, json: a.JSON, limit: a.Timeout, http: &http.Client{CheckRedirect: func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse }}}
	if a.URL != "" || a.Token != "" {
		u, err := url.Parse(a.URL)
		if err != nil || u.Scheme != "http" && u.Scheme != "https" || u.Host == "" {
			return nil, problem("--url %q is not the address of a console: write one such as https://example.org:8080", a.URL)
		}
		if a.Token == "" {
			return nil, problem("--url needs --token TOKEN: truestep token add NAME --role ROLE makes one on the server's machine")
		}
		c.base, c.token, c.server = u.Scheme+"://"+u.Host, a.Token, u.Host
		return c, nil
	}
	if _, err := os.Stat(a.DataDir); errors.Is(err, fs.ErrNotExist) {
		return nil, problem("there is no folder %s: name the folder of a server's data with --data-dir DIR", a.DataDir)
	}
	local, err := console.ReadLocalAccess(a.DataDir)
	if errors.Is(err, console.ErrNoLocalAccess) {
		return nil, problem("the server of %s does not run, or its console is off; start it with truestep serve", a.DataDir)
	}
	if err != nil {
		return nil, &Error{text: err.Error()}
	}
	c.base, c.token, c.server, c.name = local.URL, local.Token, "the server of "+a.DataDir, a.As
	if c.name == "" {
		c.name = UserName()
	}
	if local.Certificate != "" {
		c.http.Transport = &http.Transport{TLSClientConfig: Pinned(local.Certificate)}
	}
	return c, nil
}

// Pinned returns the TLS settings of a client that accepts only one certificate. The parameter sum is the SHA-256 of that
// certificate, in hex. The name in the certificate is not checked, because the client connects to a loopback address, and
// certificates seldom name it.
func Pinned(sum string) *tls.Config {
	return &tls.Config{
		MinVersion:         tls.VersionTLS12,
		InsecureSkipVerify: true, // VerifyConnection compares the certificate itself
		VerifyConnection: func(s tls.ConnectionState) error {
			if len(s.PeerCertificates) > 0 {
				if got := sha256.Sum256(s.PeerCertificates[0].Raw); hex.EncodeToString(got[:]) == sum {
					return nil
				}
			}
			return errors.New("the SHA-256 of the server's certificate is not the one in the console.json of the server's data folder")
		},
	}
}

// UserName returns the name of the user who runs the command, for the audit. Under sudo it is the user who called sudo.
func UserName() string {
	if name := os.Getenv("SUDO_USER"); name != "" {
		return name
	}
	if u, err := user.Current(); err == nil && u.Username != "" {
		return u.Username
	}
	return "operator"
}

// ask sends a request to the API. It decodes the JSON of the response into *into. If into is nil, it ignores the content of
// the response.
func (c *client) ask(method, path string, body, into any) error {
	ctx, cancel := context.WithTimeout(context.Background(), c.limit)
	defer cancel()
	var send io.Reader
	if body != nil {
		b, err := json.Marshal(body)
		if err != nil {
			return err
		}
		send = bytes.NewReader(b)
	}
	r, err := http.NewRequestWithContext(ctx, method, c.base+"/api/v1"+path, send)
	if err != nil {
		return err
	}
	r.Header.Set("Authorization", "Bearer "+c.token)
	r.Header.Set(console.ClientHeader, "terminal")
	if c.name != "" {
		r.Header.Set(console.OperatorHeader, c.name)
	}
	answer, err := c.http.Do(r)
	if err != nil {
		return problem("%s does not answer: %v", c.server, errors.Unwrap(err))
	}
	defer answer.Body.Close()
	b, err := io.ReadAll(io.LimitReader(answer.Body, maxAnswer))
	if err != nil {
		return problem("%s does not answer: %v", c.server, err)
	}
	if answer.StatusCode >= 300 {
		return c.refusal(answer, b)
	}
	if into == nil {
		return nil
	}
	if err := json.Unmarshal(b, into); err != nil {
		return fmt.Errorf("%s sent a response that cannot be decoded: %w", c.server, err)
	}
	return nil
}

const maxAnswer = 64 << 20 // maximum size of a response in bytes

// refusal returns the error that is in a response of the server with an error status.
func (c *client) refusal(answer *http.Response, b []byte) error {
	var body struct {
		Error struct{ Code, Message string }
	}
	if json.Unmarshal(b, &body) != nil || body.Error.Message == "" {
		return problem("%s answered with the HTTP status %s", c.server, answer.Status)
	}
	if answer.StatusCode == http.StatusUnauthorized && c.name != "" {
		return problem("%s does not accept the token in its data folder, because it was restarted just now or another server has its address: try again", c.server)
	}
	if body.Error.Code == "internal" {
		return fmt.Errorf("%s: %s", c.server, body.Error.Message)
	}
	return &Error{text: body.Error.Message, missing: answer.StatusCode == http.StatusNotFound}
}

// act calls the API. The body is nil for a request without one. If the call succeeds, act prints one line, which it formats from
// done and args.
func (c *client) act(method, path string, body any, done string, args ...any) error {
	return askAndShow(c, method, path, body, func(*json.RawMessage) error { return c.say(done, args...) })
}

// segment escapes a text so that it is one segment of a URL path.
func segment(text string) string { return url.PathEscape(strings.TrimSpace(text)) }
