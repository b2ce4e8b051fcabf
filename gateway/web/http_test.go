package web_test

import (
	"bufio"
	"context"
	"crypto/tls"
	"encoding/hex"
	"io"
	"net"
	"net/http"
	"strings"
	"testing"
	"time"

	"github.com/truestep-io/truestep/gateway/web"
	"github.com/truestep-io/truestep/internal/netsim"
	proto "github.com/truestep-io/truestep/proto/web"
)

// slowReader reads at a limited rate.
type slowReader struct {
	net.Conn
	perSecond int // bytes per second
}

func (r slowReader) Read(b []byte) (int, error) {
	n, err := r.Conn.Read(b)
	time.Sleep(time.Duration(n) * time.Second / time.Duration(r.perSecond))
	return n, err
}

// downloads is the number of files for which requestFiles asks. The files are longer than the window of the simulated
// connection, so the server cannot send them to a client that does not read.
const downloads = 3

// requestFiles opens a connection and asks for a large file several times. It reads nothing.
func (r *rig) requestFiles() net.Conn {
	r.t.Helper()
	_, h := r.options("", true)
	c, err := h.Dial(context.Background(), "tcp", "127.0.0.1:8090")
	if err == nil {
		_, err = io.WriteString(c, strings.Repeat("GET /page.js HTTP/1.1\r\nHost: 127.0.0.1:8090\r\n\r\n", downloads))
	}
	if err != nil {
		r.t.Fatal(err)
	}
	return c
}

// A client that asks for files and does not read them is disconnected after half a minute, and counted as a slow reader.
func TestUnreadDownloadIsCutAfterHalfMinute(t *testing.T) {
	besideHonest(t, func(r *rig) {
		c := r.requestFiles()
		defer c.Close()
		time.Sleep(29 * time.Second)
		if n := r.bad("slow_reader"); n != 0 {
			r.t.Errorf("%d slow readers are counted after 29 s, want none", n)
		}
		time.Sleep(2 * time.Second)
		if n := r.bad("slow_reader"); n != 1 {
			r.t.Errorf("%d slow readers are counted after 31 s, want 1", n)
		}
		in, complete := bufio.NewReader(c), 0
		for ; ; complete++ {
			a, err := http.ReadResponse(in, nil)
			if err == nil {
				_, err = io.Copy(io.Discard, a.Body)
			}
			if err != nil {
				break
			}
		}
		if complete >= downloads {
			r.t.Errorf("%d files arrived complete, want less than %d", complete, downloads)
		}
	})
}

// A client on a slow line gets a whole file, although the download takes longer than the time after which a client that
// reads nothing is disconnected.
func TestSlowDownloadIsNotCut(t *testing.T) {
	t.Parallel()
	withServer(t, web.Options{}, netsim.Impairment{}, func(r *rig) {
		c := r.requestFiles()
		defer c.Close()
		began, in := time.Now(), bufio.NewReader(slowReader{c, 3 << 10})
		for range downloads {
			a, err := http.ReadResponse(in, nil)
			if err != nil {
				r.t.Fatal(err)
			}
			if n, err := io.Copy(io.Discard, a.Body); err != nil || n != a.ContentLength || n < 100<<10 {
				r.t.Errorf("%d of %d bytes arrived: %v", n, a.ContentLength, err)
			}
		}
		if took := time.Since(began); took < 2*time.Minute || r.bad("slow_reader") != 0 {
			r.t.Errorf("the downloads took %v, with %d slow readers counted; want more than two minutes and none", took, r.bad("slow_reader"))
		}
	})
}

// Over HTTP/2, the time limit applies to each stream: a file that the client reads arrives, and the sending of an unread one is stopped.
func TestUnreadDownloadOverHTTP2IsCut(t *testing.T) {
	t.Parallel()
	served, _ := newTLS(t)
	withServer(t, web.Options{TLS: served}, netsim.Impairment{}, func(r *rig) {
		_, h := r.options("", true)
		transport := &http.Transport{
			DialContext: h.Dial, TLSClientConfig: &tls.Config{InsecureSkipVerify: true}, ForceAttemptHTTP2: true,
			HTTP2: &http.HTTP2Config{MaxReceiveBufferPerStream: 64 << 10}, DisableCompression: true,
		}
		defer transport.CloseIdleConnections()
		for _, wait := range []time.Duration{0, 31 * time.Second} {
			a, err := (&http.Client{Transport: transport}).Get("https://127.0.0.1:8090/page.js")
			if err != nil {
				r.t.Fatal(err)
			}
			time.Sleep(wait)
			n, err := io.Copy(io.Discard, a.Body)
			_ = a.Body.Close()
			if complete := err == nil && n == a.ContentLength; a.ProtoMajor != 2 || complete != (wait == 0) {
				r.t.Errorf("%s, not read for %v: %d of %d bytes arrived: %v", a.Proto, wait, n, a.ContentLength, err)
			}
		}
		if n := r.bad("slow_reader"); n != 1 {
			r.t.Errorf("%d slow readers are counted, want 1", n)
		}
	})
}

// The path of an area's ground contains the hash of its content, so clients may cache it forever. The schema and the reasons may
// change at the next start of the server, so clients must ask for them again.
func TestGroundIsCachedForeverButSchemaAndReasonsAreRevalidated(t *testing.T) {
	t.Parallel()
	withServer(t, web.Options{}, netsim.Impairment{}, func(r *rig) {
		x := r.newRaw()
		if err := x.dial(nil); err != nil {
			r.t.Fatal(err)
		}
		defer x.close()
		x.send(proto.AppendMessage(nil, &proto.Hello{Features: proto.Features, Ticket: x.ticket()}))
		var welcome *proto.Welcome
		x.until(func(m proto.Message) (ok bool) {
			welcome, ok = m.(*proto.Welcome)
			return ok
		})
		if welcome == nil {
			r.t.Fatal("no Welcome")
		}
		for path, want := range map[string]string{
			"ground/" + hex.EncodeToString(welcome.Area.Ground[:]): "public, max-age=31536000, immutable", "schema": "no-cache", "reasons": "no-store",
		} {
			a, err := x.http.Get("http://127.0.0.1:8090/play/v1/" + path)
			if err != nil {
				r.t.Fatal(err)
			}
			if got := a.Header.Get("Cache-Control"); a.StatusCode != http.StatusOK || got != want {
				r.t.Errorf("%s: status %d, Cache-Control %q, want %q", path, a.StatusCode, got, want)
			}
			_ = a.Body.Close()
		}
	})
}
