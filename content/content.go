// Package content loads worlds: it turns the files of an operator into the checked, immutable tables of a World: a
// sim.World, and how the clients of each door draw it.
//
// Two sources give the same tables: a world file in TOML (LoadWorld, described in docs/world-file.md) and the project
// folder of the RealmCrafter editor (LoadProject). DefaultWorld is a world file embedded in the program. ReadAccounts
// imports the accounts of a RealmCrafter server.
//
//	w, warnings, err := content.LoadWorld("vale.toml", src)
//
// A world is refused or accepted as a whole. A refusal lists every problem on a line of its own, with its place and
// how to fix it; a warning describes something accepted that looks like a mistake.
//
// The package opens no files: it is given bytes or an fs.FS, and it keeps no state between calls.
package content

import (
	"cmp"
	"encoding/binary"
	"fmt"
	"hash/fnv"
	"slices"
	"strings"

	"github.com/truestep-io/truestep/content/appearance"
	"github.com/truestep-io/truestep/sim"
)

// World is a loaded world: the tables of the simulation, and how the clients of each door draw them.
type World struct {
	*sim.World
	Appearance appearance.Tables
}

// Warning describes something that was accepted although it looks like a mistake.
type Warning struct {
	Code   string // stable upper-case code of the kind of warning, such as RESIST-ALL-ZERO
	File   string // path inside the project, or the name of the world file
	Where  string // record inside the file, such as "actor 0 Human", or "file" for the whole file
	Detail string // what was found and what the server does
}

// String is the warning on one line: file: where: detail (CODE).
func (w Warning) String() string {
	return fmt.Sprintf("%s: %s: %s (%s)", w.File, w.Where, w.Detail, w.Code)
}

// Problem is one reason to refuse a world.
type Problem struct {
	File string // name of the world file, or path inside the project
	Line int    // line number from 1; 0 for binary files
	Text string // message on one line: what is wrong, then how to fix it
}

// String is the problem on one line: file:line: text.
func (p Problem) String() string {
	if p.Line > 0 {
		return fmt.Sprintf("%s:%d: %s", p.File, p.Line, p.Text)
	}
	return fmt.Sprintf("%s: %s", p.File, p.Text)
}

// Problems are all the reasons to refuse a world, in the order of the file. It is the error type of the loaders; use
// errors.AsType to get it.
type Problems []Problem

// Error is all problems, one per line.
func (ps Problems) Error() string {
	lines := make([]string, len(ps))
	for i, p := range ps {
		lines[i] = p.String()
	}
	return strings.Join(lines, "\n")
}

// err is ps as an error, nil if there is no problem.
func (ps Problems) err() error {
	if len(ps) == 0 {
		return nil
	}
	return ps
}

// sorted returns ps ordered by line.
func (ps Problems) sorted() Problems {
	slices.SortStableFunc(ps, func(a, b Problem) int { return cmp.Compare(a.Line, b.Line) })
	return ps
}

// hashOf returns the ContentHash of a world loaded from these files (FNV-1a).
func hashOf(files ...[]byte) uint64 {
	h := fnv.New64a()
	for _, b := range files {
		_, _ = h.Write(binary.LittleEndian.AppendUint64(nil, uint64(len(b)))) // Write of a hash never returns an error
		_, _ = h.Write(b)
	}
	return h.Sum64()
}
