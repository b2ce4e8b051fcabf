package console

import (
	"bytes"
	"compress/gzip"
	"crypto/sha256"
	"embed"
	"encoding/hex"
	"errors"
	"fmt"
	"io/fs"
	"mime"
	"net/http"
	"path"
	"strconv"
	"strings"
	"sync"
)

//go:embed all:dist
var dist embed.FS

// embeddedPage returns the files of the web page that was built into the program.
func embeddedPage() fs.FS {
	page, err := fs.Sub(dist, "dist")
	if err != nil {
		panic(err) // cannot happen: dist is a valid path
	}
	return page
}

// embeddedAssets returns the files of the embedded page. The first call reads and compresses them.
var embeddedAssets = sync.OnceValues(func() (assets, error) { return loadAssets(embeddedPage()) })

// assets holds the files of the web page by path without the leading slash. It does not change.
type assets map[string]*asset

// asset is one file of the web page, prepared for responses: with the values of their headers, and with a copy compressed with
// gzip.
type asset struct {
	contentType string // value of the Content-Type header
	content     []byte // the file as it is
	gzipped     []byte // content compressed with gzip; nil if compression saves less than a tenth
	etag        string // value of the ETag header
	immutable   bool   // the file name contains a hash of the content, so browsers may cache it for ever
}

const indexFile = "index.html" // file that is served for the path /

// contentTypes maps file extensions of the web page to MIME types. The MIME table of the operating system is not used,
// because it differs between machines.
var contentTypes = map[string]string{
	".html": "text/html; charset=utf-8", ".js": "text/javascript; charset=utf-8", ".css": "text/css; charset=utf-8",
	".svg": "image/svg+xml", ".png": "image/png", ".ico": "image/x-icon", ".json": "application/json", ".txt": "text/plain; charset=utf-8",
	".webmanifest": "application/manifest+json", ".woff2": "font/woff2", ".webp": "image/webp",
}

// loadAssets reads the files of a web page, which must have an index.html.
func loadAssets(page fs.FS) (assets, error) {
	all := assets{}
	err := fs.WalkDir(page, ".", func(name string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() {
			return err
		}
		b, err := fs.ReadFile(page, name)
		if err != nil {
			return err
		}
		sum := sha256.Sum256(b)
		a := &asset{contentType: contentTypes[path.Ext(name)], content: b, gzipped: compress(b), etag: `"` + hex.EncodeToString(sum[:12]) + `"`}
		if a.contentType == "" {
			a.contentType = "application/octet-stream"
		}
		a.immutable = strings.HasPrefix(name, "assets/")
		all[name] = a
		return nil
	})
	if err != nil {
		return nil, fmt.Errorf("read the files of the console's web page: %w", err)
	}
	if all[indexFile] == nil {
		return nil, errors.New("the console's web page has no index.html; run make console to build the page")
	}
	return all, nil
}

// compress returns b compressed with gzip, or nil if gzip saves less than a tenth.
func compress(b []byte) []byte {
	var out bytes.Buffer
	z, _ := gzip.NewWriterLevel(&out, gzip.BestCompression) // never fails: the level is valid
	z.Write(b)                                              // never fails: writes to memory
	z.Close()
	if out.Len() > len(b)*9/10 {
		return nil
	}
	return out.Bytes()
}

// servePage serves the files of the web page. If the browser has the same version of a file already, the response is 304 without
// the file.
func (c *Console) servePage(w http.ResponseWriter, r *http.Request) {
	if r.Method != http.MethodGet && r.Method != http.MethodHead {
		w.Header().Set("Allow", "GET, HEAD")
		writeError(w, &apiError{http.StatusMethodNotAllowed, codeBadRequest, "the method must be GET"})
		return
	}
	name := strings.TrimPrefix(r.URL.Path, "/")
	if name == "" {
		name = indexFile
	}
	a := c.assets[name]
	if a == nil {
		writeError(w, &apiError{http.StatusNotFound, codeNotFound, "there is no such page"})
		return
	}
	h := w.Header()
	h.Set("Content-Type", a.contentType)
	h.Set("ETag", a.etag)
	h.Set("Vary", "Accept-Encoding")
	h.Set("Cache-Control", "no-cache") // browsers must revalidate on each use
	if a.immutable {
		h.Set("Cache-Control", "public, max-age=31536000, immutable")
	}
	if strings.Contains(r.Header.Get("If-None-Match"), a.etag) {
		w.WriteHeader(http.StatusNotModified)
		return
	}
	body := a.content
	if a.gzipped != nil && acceptsGzip(r.Header.Get("Accept-Encoding")) {
		body = a.gzipped
		h.Set("Content-Encoding", "gzip")
	}
	h.Set("Content-Length", strconv.Itoa(len(body)))
	w.WriteHeader(http.StatusOK)
	if r.Method == http.MethodGet {
		w.Write(body) // an error means that the client has disconnected, so it is ignored
	}
}

// acceptsGzip reports whether an Accept-Encoding header allows gzip.
func acceptsGzip(header string) bool {
	for part := range strings.SplitSeq(header, ",") {
		coding, params, err := mime.ParseMediaType(strings.TrimSpace(part))
		if err == nil && coding == "gzip" {
			return params["q"] != "0"
		}
	}
	return false
}
