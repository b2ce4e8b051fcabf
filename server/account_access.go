package server

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"net/http"
	"net/url"
	"os"
	"path/filepath"
	"time"

	"github.com/truestep-io/truestep/chatlog"
	"github.com/truestep-io/truestep/console"
	"github.com/truestep-io/truestep/console/adminclient"
	"github.com/truestep-io/truestep/journal"
	"github.com/truestep-io/truestep/session"
	"github.com/truestep-io/truestep/store/sqlite"
	"github.com/truestep-io/truestep/tape"
)

// Output holds the writers for the results and the errors of the commands in this package.
type Output struct{ Out, Err io.Writer }

// Problem is an error that the operator can correct.
type Problem struct{ error }

// Unwrap returns the wrapped error.
func (p *Problem) Unwrap() error { return p.error }

func problem(format string, args ...any) error { return &Problem{fmt.Errorf(format, args...)} }

// AccountAccess holds the flags that all account commands have in common: how to reach the accounts, under which name, and how
// to print the result. While a server uses the data folder, the commands reach the accounts through the API of the server's
// console. Otherwise they open the data folder themselves.
type AccountAccess struct {
	DataDir string `help:"Folder of the server's data; default ./truestep-data." default:"./truestep-data" placeholder:"DIR"`
	StoreConfig
	URL   string `help:"Address of the console of a running server, such as http://127.0.0.1:8080, if it has another data folder; needs --token."`
	Token string `help:"Token of an operator for that console; also TRUESTEP_TOKEN." placeholder:"TOKEN"`
	As    string `help:"Your name in the audit; default your user name." placeholder:"NAME"`
	JSON  bool   `name:"json" help:"Print JSON instead of text: one object."`
}

// accountCaller sends requests to the account API: to the console of a running server over HTTP, or to a handler in this process.
type accountCaller struct {
	do      func(*http.Request) (*http.Response, error) // sends a request
	base    string                                      // URL before the path of the API
	changes func(context.Context) error                 // returns an error if accounts must not be changed now
	close   func() error                                // releases the connection or the data folder
}

// recordedAnswer is an http.ResponseWriter that keeps the response in memory. It is for an API handler that is called in this
// process.
type recordedAnswer struct {
	header http.Header
	status int
	body   bytes.Buffer
}

// Header implements http.ResponseWriter.
func (w *recordedAnswer) Header() http.Header { return w.header }

// WriteHeader implements http.ResponseWriter.
func (w *recordedAnswer) WriteHeader(status int) { w.status = status }

// Write implements http.ResponseWriter.
func (w *recordedAnswer) Write(b []byte) (int, error) { return w.body.Write(b) }

// maxAnswer is the maximum size in bytes of a console's response. The largest responses are exports of accounts, because an
// export contains the account's entries in the journal.
const maxAnswer = 256 << 20

// open returns a caller of the account API. If the operator has given the URL of a console, or if a server uses the data folder,
// the caller sends its requests to the server's console. Otherwise open opens the data folder, and a handler in this process
// answers the requests.
func (a *AccountAccess) open(ctx context.Context) (*accountCaller, error) {
	if a.URL != "" {
		return a.connect()
	}
	if _, err := os.Stat(filepath.Join(a.DataDir, sqlite.FileName)); errors.Is(err, os.ErrNotExist) && a.Store == "" && a.CheckFolder(a.DataDir) == nil {
		return nil, problem("account: %s has no %s: name the folder of the server's data with --data-dir DIR", a.DataDir, sqlite.FileName)
	}
	st, err := openStore(ctx, a.DataDir, a.StoreConfig, storeOptions{log: slog.New(slog.DiscardHandler)})
	if errors.Is(err, sqlite.ErrInUse) {
		if local, err := console.ReadLocalAccess(a.DataDir); err == nil {
			return a.connectLocal(local), nil
		} else if !errors.Is(err, console.ErrNoLocalAccess) {
			return nil, &Problem{err}
		}
		return nil, problem("account: a running server uses %s: stop the server, or give the address of its console with --url http://127.0.0.1:8080 and a token with --token TOKEN, which truestep token add NAME --role admin creates", a.DataDir)
	}
	if err != nil {
		return nil, &Problem{err}
	}
	j, err := journal.Open(journal.Options{Path: filepath.Join(a.DataDir, journal.FileName), Log: slog.New(slog.DiscardHandler), MaxAge: maxRetain, MaxEntries: maxKeep})
	if err != nil {
		return nil, errors.Join(&Problem{err}, st.Close())
	}
	chat, err := chatlog.OpenExisting(chatlog.Options{Path: filepath.Join(a.DataDir, chatlog.FileName), Log: slog.New(slog.DiscardHandler), Retain: maxRetain, Keep: maxChatKeep})
	if err != nil {
		return nil, errors.Join(&Problem{err}, j.Close(ctx), st.Close())
	}
	handler := console.NewAccountHandler(console.AccountHandlerOptions{
		Keeper: session.NewKeeper(st), Journal: j, Chat: chat, Log: slog.New(slog.DiscardHandler), Operator: a.person() + " (terminal)",
	})
	return &accountCaller{
		base: "http://localhost",
		do: func(r *http.Request) (*http.Response, error) {
			w := &recordedAnswer{header: http.Header{}, status: http.StatusOK}
			handler.ServeHTTP(w, r)
			return &http.Response{Status: http.StatusText(w.status), StatusCode: w.status, Header: w.header, Body: io.NopCloser(&w.body)}, nil
		},
		changes: func(ctx context.Context) error { return a.checkChanges(ctx, st) },
		close:   func() error { return errors.Join(j.Close(ctx), chat.Close(ctx), st.Close()) },
	}, nil
}

// connect returns a caller of the account API at the URL that the operator has given, a.URL.
func (a *AccountAccess) connect() (*accountCaller, error) {
	u, err := url.Parse(a.URL)
	if err != nil || u.Host == "" || u.Scheme != "http" && u.Scheme != "https" {
		return nil, problem("account: --url %q: give it as http://HOST:PORT", a.URL)
	}
	token := a.Token
	if token == "" {
		return nil, problem("account: --url needs --token TOKEN, or TRUESTEP_TOKEN; truestep token add NAME --role admin makes one")
	}
	return newConsoleCaller(u.Scheme+"://"+u.Host, token, "", &http.Client{Timeout: accountTimeout}), nil
}

// accountTimeout is the maximum duration of a call to a running server, which is long because an export may be large.
const accountTimeout = time.Minute

// connectLocal returns a caller of the console of the server that uses the data folder. The audit log records its requests under
// the name that the user has on this machine.
func (a *AccountAccess) connectLocal(local console.LocalAccess) *accountCaller {
	client := &http.Client{Timeout: accountTimeout}
	if local.Certificate != "" {
		client.Transport = &http.Transport{TLSClientConfig: adminclient.Pinned(local.Certificate)}
	}
	return newConsoleCaller(local.URL, local.Token, a.person(), client)
}

// newConsoleCaller returns a caller of the console at a URL, the parameter base. The parameter operator is the name under which
// the audit log records the requests; it is "" if the token already identifies the operator.
func newConsoleCaller(base, token, operator string, client *http.Client) *accountCaller {
	return &accountCaller{
		base: base,
		do: func(r *http.Request) (*http.Response, error) {
			r.Header.Set("Authorization", "Bearer "+token)
			r.Header.Set(console.ClientHeader, "terminal")
			if operator != "" {
				r.Header.Set(console.OperatorHeader, operator)
			}
			return client.Do(r)
		},
		changes: func(context.Context) error { return nil },
		close:   func() error { client.CloseIdleConnections(); return nil },
	}
}

// person returns the name of the user of this command. The audit records changes under this name.
func (a *AccountAccess) person() string {
	if a.As != "" {
		return a.As
	}
	return adminclient.UserName()
}

// checkChanges returns an error if a change of accounts in the store of a stopped server, the parameter st, must be refused, because
// the next start of the server would undo the change.
func (a *AccountAccess) checkChanges(ctx context.Context, st backend) error {
	if err := a.checkCluster(ctx, st); err != nil {
		return err
	}
	return a.checkTape()
}

// checkCluster returns an error if the accounts are those of a cluster. Its areas continue from their Raft logs at the next start, and
// the logs contain players, also after all nodes were stopped in order. The next record of such a player would overwrite a change.
func (a *AccountAccess) checkCluster(ctx context.Context, st backend) error {
	used, err := st.UsedByCluster(ctx)
	if err != nil {
		return &Problem{err}
	}
	if !used && a.Store != "" {
		if used, err = hasRaftLogs(a.DataDir); err != nil {
			return &Problem{err}
		}
	}
	if used {
		return problem("account: the accounts are those of a cluster, whose areas continue from their logs at the next start, with the players in them, which would undo the change: start the nodes, or the single server that has taken over from them, and change accounts while it runs")
	}
	return nil
}

// checkTape returns an error if the next start of the server would restore players from the tape and thereby undo a
// change of accounts.
func (a *AccountAccess) checkTape() error {
	area, err := tape.InPlay(tape.Options{Dir: filepath.Join(a.DataDir, sqlite.TapeFolder)})
	if err != nil {
		return problem("account: the tape of %s cannot be read: %w", a.DataDir, err)
	}
	if area != "" {
		return problem("account: the server was killed while it ran, and its next start restores the players of the area %s from the tape, which would undo the change: start the server once and stop it with Ctrl-C, or change accounts while it runs", area)
	}
	return nil
}

// read sends a request to the account API that changes nothing, and returns the body of the response. If into is not nil, read also
// decodes the JSON response into it.
func (a *AccountAccess) read(method, path string, query url.Values, into any) (answer []byte, err error) {
	return a.call(false, method, path, query, nil, into)
}

// change sends a request to the account API that changes accounts, as read does, or returns an error if they must not be changed now.
func (a *AccountAccess) change(method, path string, query url.Values, body, into any) (answer []byte, err error) {
	return a.call(true, method, path, query, body, into)
}

func (a *AccountAccess) call(changes bool, method, path string, query url.Values, body, into any) (answer []byte, err error) {
	ctx := context.Background()
	c, err := a.open(ctx)
	if err != nil {
		return nil, err
	}
	defer func() { err = errors.Join(err, c.close()) }()
	if changes {
		if err := c.changes(ctx); err != nil {
			return nil, err
		}
	}
	return c.send(ctx, method, path, query, body, into)
}

// send sends one request to the account API and returns the body of the response. If into is not nil, send also decodes the JSON
// response into it.
func (c *accountCaller) send(ctx context.Context, method, path string, query url.Values, body, into any) (answer []byte, err error) {
	var sent io.Reader
	if body != nil {
		b, err := json.Marshal(body)
		if err != nil {
			return nil, err
		}
		sent = bytes.NewReader(b)
	}
	address := c.base + "/api/v1" + path
	if len(query) > 0 {
		address += "?" + query.Encode()
	}
	r, err := http.NewRequestWithContext(ctx, method, address, sent)
	if err != nil {
		return nil, err
	}
	w, err := c.do(r)
	if err != nil {
		return nil, problem("account: %w", err)
	}
	defer w.Body.Close()
	if answer, err = io.ReadAll(io.LimitReader(w.Body, maxAnswer)); err != nil {
		return nil, problem("account: %w", err)
	}
	if w.StatusCode >= http.StatusBadRequest {
		var refused struct{ Error struct{ Message string } }
		if json.Unmarshal(answer, &refused) != nil || refused.Error.Message == "" {
			return nil, problem("account: the console of the server answered %s without an error message", w.Status)
		}
		return nil, problem("account: %s", refused.Error.Message)
	}
	if into != nil {
		if err := json.Unmarshal(answer, into); err != nil {
			return nil, problem("account: cannot decode the response of the server's console: %w", err)
		}
	}
	return answer, nil
}

// accountPath returns the API path of an account. If more is given, it returns the path of a part of the account, such as
// "characters".
func accountPath(account string, more ...string) string {
	path := "/accounts/" + url.PathEscape(account)
	for _, part := range more {
		path += "/" + url.PathEscape(part)
	}
	return path
}

// done prints the result of a command: with the flag --json the API's response (the parameter answer), otherwise the
// sentence that format and args form.
func (a *AccountAccess) done(to Output, answer []byte, format string, args ...any) error {
	if a.JSON {
		_, err := to.Out.Write(answer)
		return err
	}
	_, err := fmt.Fprintf(to.Out, format+"\n", args...)
	return err
}
