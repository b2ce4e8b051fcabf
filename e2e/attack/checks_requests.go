//go:build linux

package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"net/http"
	"strings"

	"github.com/truestep-io/truestep/client/bedrock"
	"github.com/truestep-io/truestep/client/rcce"
	"github.com/truestep-io/truestep/client/rs"
)

// body requests a URL of a server on loopback and returns the text of the response. The parameter host is the Host header; ""
// means the host of the URL. A status other than 200 is an error.
func (t *targets) body(ctx context.Context, url, host string) (string, error) {
	resp, err := t.get(ctx, loopback, url, host)
	if err != nil {
		return "", err
	}
	defer resp.Body.Close()
	text, err := io.ReadAll(resp.Body)
	if err == nil && resp.StatusCode != http.StatusOK {
		err = fmt.Errorf("the answer has the HTTP status %s", resp.Status)
	}
	return string(text), err
}

// checkForeignHosts sends requests with the Host header of another site. Browsers send such requests for a page of an attacker
// whose host name resolves to 127.0.0.1 (DNS rebinding). The server must refuse them.
func checkForeignHosts(k *checkRun) error {
	s, err := k.start("data", "--metrics-profiles")
	if err != nil {
		return err
	}
	for _, url := range []string{"http://" + s.Metrics + "/metrics", "http://" + s.Metrics + "/debug/pprof/heap", s.overviewURL(), s.Scheme + "://" + s.Console + "/"} {
		if _, err := s.body(k.ctx, url, ""); err != nil {
			return fmt.Errorf("GET %s: %w", url, err)
		}
		if text, err := s.body(k.ctx, url, "evil.example"); err == nil {
			return fmt.Errorf("%s: a request with the Host header evil.example must be refused, but is answered with: %.80s", url, text)
		}
	}
	if err := s.process.Stop(); err != nil {
		return err
	}
	if s, err = k.start("data"); err != nil {
		return err
	}
	if _, err := s.body(k.ctx, "http://"+s.Metrics+"/debug/pprof/heap", ""); err == nil {
		return errors.New("the metrics address serves profiles, although the server runs without --metrics-profiles")
	}
	return nil
}

// markedName is a player's name with markup: RuneScape clients display <img=1> as an operator's crown.
const markedName = "<img=1>Ada"

// checkMarkupNames tries to join with markedName at each door. The server must refuse the name, or show the player to others
// without brackets.
func checkMarkupNames(k *checkRun) error {
	s, err := k.start("data")
	if err != nil {
		return err
	}
	ctx, cancel := context.WithTimeout(k.ctx, recoverLimit)
	defer cancel()
	if c, err := rcce.Dial(ctx, s.Rcce, rcce.Options{User: "Ada", Password: password, Character: markedName, SameConnection: true}); err != nil {
		return err
	} else if err := c.Join(ctx); err == nil {
		return fmt.Errorf("the RealmCrafter door creates a character named %q, but must refuse markup in names", markedName)
	}
	if c, err := rs.Dial(ctx, rs.Config{Addr: s.Rs, Key: s.key, User: markedName, Password: password}); err == nil {
		defer c.Close()
	}
	if c, err := bedrock.Dial(ctx, s.Bedrock, bedrock.Options{Name: markedName, Chunks: &chunks}); err == nil {
		defer c.Close()
	}
	text, err := s.body(ctx, s.Scheme+"://"+s.Console+"/api/v1/players", "")
	if err == nil && (strings.Contains(text, `"name":"<`) || strings.Contains(text, `"name":"\\u003c`)) {
		err = fmt.Errorf("the name of a player in the world begins with <, so clients may read it as markup: %s", text)
	}
	return err
}
