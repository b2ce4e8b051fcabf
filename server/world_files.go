package server

import (
	"archive/zip"
	"bytes"
	"fmt"
	"io/fs"
	"maps"
	"os"
	"slices"
	"sync"

	"github.com/truestep-io/truestep/content"
)

// recordedFS is a file system that stores the content of every file that is read through it, so that an exported file can contain
// all files of a world.
type recordedFS struct {
	fs.FS
	mu    sync.Mutex
	files map[string][]byte // content by file name
}

// ReadFile implements fs.ReadFileFS.
func (r *recordedFS) ReadFile(name string) ([]byte, error) {
	b, err := fs.ReadFile(r.FS, name)
	if err == nil {
		r.mu.Lock()
		r.files[name] = bytes.Clone(b)
		r.mu.Unlock()
	}
	return b, err
}

// zip returns the files as a zip archive, uncompressed and without times.
func (r *recordedFS) zip() ([]byte, error) {
	var b bytes.Buffer
	w := zip.NewWriter(&b)
	for _, name := range slices.Sorted(maps.Keys(r.files)) {
		f, err := w.CreateHeader(&zip.FileHeader{Name: name, Method: zip.Store})
		if err != nil {
			return nil, err
		}
		if _, err := f.Write(r.files[name]); err != nil {
			return nil, err
		}
	}
	err := w.Close()
	return b.Bytes(), err
}

// openZip opens an archive that recordedFS.zip has written. Because the archive may be malicious, openZip refuses
// compressed files, which could expand to any size, and invalid paths.
func openZip(b []byte) (fs.FS, error) {
	r, err := zip.NewReader(bytes.NewReader(b), int64(len(b)))
	if err != nil {
		return nil, err
	}
	for _, f := range r.File {
		if f.Method != zip.Store || f.UncompressedSize64 != f.CompressedSize64 || f.UncompressedSize64 > uint64(len(b)) || !fs.ValidPath(f.Name) {
			return nil, fmt.Errorf("the file %q in the archive of the world is compressed or damaged, or its name is not a valid relative path", f.Name)
		}
	}
	return r, nil
}

// worldSource contains the files and settings from which a world was loaded, so that the world can be loaded again
// without the original files.
type worldSource struct {
	kind               worldKind
	claimPolicy, step  string // as in WorldConfig
	neutralResistances bool   // as in WorldConfig
	hasRules           bool   // a project has a rules file
	text               []byte // content of the world file, or of the rules file of a project
	archive            []byte // other files that were read, as recordedFS.zip writes them; empty for the embedded world
}

// worldKind is the kind of source from which a world was loaded.
type worldKind byte

const (
	embeddedWorld worldKind = iota
	worldFile
	projectWorld
)

// loadWithSource loads the world and also returns its worldSource.
func (c *WorldConfig) loadWithSource() (w *LoadedWorld, s *worldSource, err error) {
	s = &worldSource{claimPolicy: c.ClaimPolicy, step: c.Step, neutralResistances: c.NeutralResistances, hasRules: c.RcceRules != ""}
	var files *recordedFS
	w, err = c.loadWith(func(folder string) fs.FS {
		files = &recordedFS{FS: os.DirFS(folder), files: map[string][]byte{}}
		return files
	})
	if err != nil {
		return nil, nil, err
	}
	switch s.text = w.text; {
	case c.World != "":
		s.kind = worldFile
	case c.RcceProject != "":
		s.kind = projectWorld
	}
	if files != nil {
		s.archive, err = files.zip()
	}
	return w, s, err
}

// load loads the world again from the files and settings in the source.
func (s *worldSource) load() (w *content.World, err error) {
	var files fs.FS
	if s.kind != embeddedWorld {
		if files, err = openZip(s.archive); err != nil {
			return nil, err
		}
	}
	switch s.kind {
	case embeddedWorld:
		w = content.DefaultWorld()
	case worldFile:
		w, _, err = content.LoadWorldFiles("world file", s.text, files)
	case projectWorld:
		o := content.ProjectOptions{NeutralZeroResistances: s.neutralResistances}
		if s.hasRules {
			o.Rules, o.RulesName = s.text, "rules file"
		}
		var p *content.Project
		if p, _, err = content.LoadProject(files, o); err == nil {
			w = p.World
		}
	default:
		err = fmt.Errorf("the tape's world has source type %d, which this version does not know: use the version of truestep that recorded the tape", s.kind)
	}
	if err != nil {
		return nil, err
	}
	overrideRules(w, s.claimPolicy, s.step)
	return w, nil
}

// selectsWorld reports whether the settings select anything other than the unchanged embedded world.
func (c *WorldConfig) selectsWorld() bool { return len(c.flags()) > 0 }
