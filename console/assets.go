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
)

//go:embed all:dist
var dist embed.FS

// embedded is the page that was built into the program.
func embedded() fs.FS {
	page, err := fs.Sub(dist, "dist")
	if err != nil {
		panic(err) // the name is ours
	}
	return page
}

// assets are the files of the page, by their path without the first slash.
type assets map[string]*asset

// asset is one file, ready to be sent.
type asset struct {
	kind   string // Content-Type
	plain  []byte
	packed []byte // gzip; nil if it is not smaller
	tag    string // ETag
	keep   bool   // its name has a hash of what is in it, so browsers may keep it
}

const indexFile = "index.html"

// kinds are the types of the files that a page is made of. The system's own table is not asked: it differs.
var kinds = map[string]string{
	".html": "text/html; charset=utf-8", ".js": "text/javascript; charset=utf-8", ".css": "text/css; charset=utf-8",
	".svg": "image/svg+xml", ".png": "image/png", ".ico": "image/x-icon", ".json": "application/json", ".txt": "text/plain; charset=utf-8",
	".webmanifest": "application/manifest+json", ".woff2": "font/woff2", ".webp": "image/webp",
}

// loadAssets reads the files of a page, which must have an index.html.
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
		a := &asset{kind: kinds[path.Ext(name)], plain: b, packed: pack(b), tag: `"` + hex.EncodeToString(sum[:12]) + `"`}
		if a.kind == "" {
			a.kind = "application/octet-stream"
		}
		a.keep = strings.HasPrefix(name, "assets/")
		all[name] = a
		return nil
	})
	if err != nil {
		return nil, fmt.Errorf("page: %w", err)
	}
	if all[indexFile] == nil {
		return nil, errors.New("page: there is no index.html; make console builds it")
	}
	return all, nil
}

// pack compresses b, or returns nil if that saves less than a tenth.
func pack(b []byte) []byte {
	var out bytes.Buffer
	z, _ := gzip.NewWriterLevel(&out, gzip.BestCompression) // the level exists
	z.Write(b)                                              // into memory
	z.Close()
	if out.Len() > len(b)*9/10 {
		return nil
	}
	return out.Bytes()
}

// page serves the files of the page.
func (c *Console) page(w http.ResponseWriter, r *http.Request) {
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
	h.Set("Content-Type", a.kind)
	h.Set("ETag", a.tag)
	h.Set("Vary", "Accept-Encoding")
	h.Set("Cache-Control", "no-cache") // ask each time whether it is still the same
	if a.keep {
		h.Set("Cache-Control", "public, max-age=31536000, immutable")
	}
	if strings.Contains(r.Header.Get("If-None-Match"), a.tag) {
		w.WriteHeader(http.StatusNotModified)
		return
	}
	body := a.plain
	if a.packed != nil && takesGzip(r.Header.Get("Accept-Encoding")) {
		body = a.packed
		h.Set("Content-Encoding", "gzip")
	}
	h.Set("Content-Length", strconv.Itoa(len(body)))
	w.WriteHeader(http.StatusOK)
	if r.Method == http.MethodGet {
		w.Write(body) // a client that is gone needs no page
	}
}

// takesGzip reads an Accept-Encoding header as browsers write it.
func takesGzip(header string) bool {
	for part := range strings.SplitSeq(header, ",") {
		coding, params, err := mime.ParseMediaType(strings.TrimSpace(part))
		if err == nil && coding == "gzip" {
			return params["q"] != "0"
		}
	}
	return false
}
