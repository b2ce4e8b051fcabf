package content

import (
	"errors"
	"fmt"
	"io/fs"
	"path"
	"strings"
)

const (
	serverData = "Server Data"
	gameData   = "Game Data"
	areaFolder = serverData + "/Areas"
)

// projectFiles finds and reads the files of a project. It ignores the case of file names, because the editor runs on file systems
// that ignore it. Messages use the spelling of the RealmCrafter data specification.
type projectFiles struct {
	fsys     fs.FS
	root     string // folder in fsys that contains "Server Data"
	problems Problems
	warnings []Warning
	hash     uint64 // hash of all files that were read, independent of their order
}

// openProject finds the folder that contains "Server Data", which is the root of fsys or its subfolder "data".
func openProject(fsys fs.FS) (*projectFiles, error) {
	p := &projectFiles{fsys: fsys}
	for _, root := range []string{".", "data"} {
		dir, ok := p.resolve(root)
		if !ok {
			continue
		}
		if _, ok := p.resolve(path.Join(dir, serverData)); ok {
			p.root = dir
			return p, nil
		}
	}
	return nil, Problems{{File: serverData, Text: `there is no such folder: give the project's folder "data", which the editor saves, or its parent`}}
}

// resolve finds a file or folder, ignoring the case of its path. If several match, it prefers the one with the exact
// spelling.
func (p *projectFiles) resolve(name string) (string, bool) {
	if _, err := fs.Stat(p.fsys, name); err == nil {
		return name, true
	}
	at := "."
	for part := range strings.SplitSeq(name, "/") {
		if part == "." {
			continue
		}
		entries, err := fs.ReadDir(p.fsys, at)
		if err != nil {
			return "", false
		}
		found := ""
		for _, e := range entries {
			if e.Name() == part || found == "" && strings.EqualFold(e.Name(), part) {
				found = e.Name()
			}
		}
		if found == "" {
			return "", false
		}
		at = path.Join(at, found)
	}
	return at, true
}

// list returns the names of the files of a folder that end in suffix, ignoring case, in sorted order. It returns none if
// the folder is missing.
func (p *projectFiles) list(folder, suffix string) []string {
	dir, ok := p.resolve(path.Join(p.root, folder))
	if !ok {
		return nil
	}
	entries, err := fs.ReadDir(p.fsys, dir)
	if err != nil {
		p.fail(folder, "the file cannot be read: %s", fileErr(err))
		return nil
	}
	var names []string
	for _, e := range entries {
		name := e.Name()
		if cut := len(name) - len(suffix); !e.IsDir() && cut > 0 && strings.EqualFold(name[cut:], suffix) {
			names = append(names, name)
		}
	}
	return names
}

// optional reads a file that a project may lack. If the file is missing, ok is false. If it cannot be read, ok is false
// and a problem is recorded.
func (p *projectFiles) optional(name string) (b []byte, ok bool) {
	at, ok := p.resolve(path.Join(p.root, name))
	if !ok {
		return nil, false
	}
	info, err := fs.Stat(p.fsys, at)
	if err == nil && info.Size() > maxProjectFile {
		p.fail(name, "the file has %d bytes, at most %d are allowed", info.Size(), maxProjectFile)
		return nil, false
	}
	if err == nil {
		b, err = fs.ReadFile(p.fsys, at)
	}
	if err != nil {
		p.fail(name, "the file cannot be read: %s", fileErr(err))
		return nil, false
	}
	p.hash ^= hashOf([]byte(name), b)
	return b, true
}

// unhashed reads a file that has no effect on the game, and so is not part of hash. If the file is missing or too large,
// ok is false.
func (p *projectFiles) unhashed(name string) (b []byte, ok bool) {
	at, ok := p.resolve(path.Join(p.root, name))
	if !ok {
		return nil, false
	}
	info, err := fs.Stat(p.fsys, at)
	if err != nil || info.IsDir() || info.Size() > maxProjectFile {
		return nil, false
	}
	b, err = fs.ReadFile(p.fsys, at)
	return b, err == nil
}

// required reads a file that every project must have. If the file is missing, it records a problem.
func (p *projectFiles) required(name string) ([]byte, bool) {
	before := len(p.problems)
	b, ok := p.optional(name)
	if !ok && len(p.problems) == before {
		p.fail(name, "the file is missing: save the project in the editor, or copy the file from its folder")
	}
	return b, ok
}

func (p *projectFiles) fail(file, format string, args ...any) {
	p.problems = append(p.problems, Problem{File: file, Text: fmt.Sprintf(format, args...)})
}

func (p *projectFiles) warn(code, file, where, format string, args ...any) {
	p.warnings = append(p.warnings, Warning{code, file, where, fmt.Sprintf(format, args...)})
}

// fileErr returns the cause of a file error without the path, which the caller's message contains already.
func fileErr(err error) error {
	if pe, ok := errors.AsType[*fs.PathError](err); ok {
		return pe.Err
	}
	return err
}

// readRequired reads and parses a file that every project must have, and collects problems and warnings in p.
func readRequired[T any](p *projectFiles, name string, parse func(*cursor) (T, error)) (v T) {
	b, ok := p.required(name)
	if !ok {
		return v
	}
	v, _ = parseFile(p, name, b, parse)
	return v
}

// readOptional reads and parses a file that a project may lack, like readRequired. If the file is missing, ok is false.
func readOptional[T any](p *projectFiles, name string, parse func(*cursor) (T, error)) (v T, ok bool) {
	b, ok := p.optional(name)
	if !ok {
		return v, false
	}
	return parseFile(p, name, b, parse)
}

func parseFile[T any](p *projectFiles, name string, b []byte, parse func(*cursor) (T, error)) (T, bool) {
	c := newCursor(name, b)
	v, err := parse(c)
	p.warnings = append(p.warnings, c.warnings...)
	if ps, is := errors.AsType[Problems](err); is {
		p.problems = append(p.problems, ps...)
	}
	return v, err == nil
}
