package web

import (
	"bytes"
	"compress/gzip"
	"crypto/sha256"
	"embed"
	"encoding/hex"
	"io/fs"
	"net/http"
	"path"
	"strings"
	"sync"
)

// dist contains the files of the web page, which the command "make page" builds from the folder page.
//
//go:embed dist
var dist embed.FS

// pagePolicy returns the Content-Security-Policy of the web page. It allows connections to any address with the scheme https, ws or
// wss, because the page connects to its server over WebSocket (ws, wss) and WebTransport (https). The scheme and the port of
// these URLs may differ from those of the page. With the scheme http it allows the page's own server and the given nodes of its cluster.
func pagePolicy(nodes []string) string {
	connect := strings.Join(append([]string{"'self' ws: wss: https:"}, nodes...), " ")
	return "default-src 'self'; connect-src " + connect + "; img-src 'self' data: blob:; style-src 'self' 'unsafe-inline'; frame-ancestors 'none'; base-uri 'none'; form-action 'none'"
}

// pageTypes contains the media types of the page's files by file extension. The operating system's table of media types is not
// used, because it is not the same on all machines.
var pageTypes = map[string]string{
	".html": "text/html; charset=utf-8", ".js": "text/javascript; charset=utf-8", ".css": "text/css; charset=utf-8", ".txt": "text/plain; charset=utf-8",
}

// pageFile is a compressed file of the web page.
type pageFile struct {
	kind string // Content-Type
	etag string
	gzip []byte
}

// pageFiles returns the files of the web page by path. The first call compresses them. The result must not be changed.
var pageFiles = sync.OnceValue(func() map[string]pageFile {
	files := map[string]pageFile{}
	_ = fs.WalkDir(dist, "dist", func(p string, d fs.DirEntry, err error) error { // an embedded folder does not fail
		if err != nil || d.IsDir() {
			return err
		}
		b, err := dist.ReadFile(p)
		var out bytes.Buffer
		z, _ := gzip.NewWriterLevel(&out, gzip.BestCompression) // fails only for an invalid level
		_, _ = z.Write(b)
		_ = z.Close()
		sum := sha256.Sum256(b)
		files[strings.TrimPrefix(p, "dist")] = pageFile{kind: pageTypes[path.Ext(p)], etag: `"` + hex.EncodeToString(sum[:8]) + `"`, gzip: out.Bytes()}
		return err
	})
	files["/"] = files["/index.html"]
	return files
})

// newPage returns the handler that serves the files of the web page.
func (g *Gateway) newPage() http.Handler {
	files, policy := pageFiles(), pagePolicy(g.opt.Nodes)
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		f, ok := files[r.URL.Path]
		if !ok {
			http.NotFound(w, r)
			return
		}
		h := w.Header()
		h.Set("Content-Security-Policy", policy)
		h.Set("X-Content-Type-Options", "nosniff")
		h.Set("Referrer-Policy", "no-referrer")
		h.Set("Cache-Control", "no-cache")
		h.Set("ETag", f.etag)
		if r.Header.Get("If-None-Match") == f.etag {
			w.WriteHeader(http.StatusNotModified)
			return
		}
		h.Set("Content-Type", f.kind)
		h.Set("Content-Encoding", "gzip")
		g.sendFile(w, f.gzip)
	})
}
