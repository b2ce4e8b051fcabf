// Package content loads worlds. It converts the files of an operator to the validated, immutable tables of a World: a
// sim.World, and the appearance tables for the clients of each door.
//
// Worlds have two kinds of source: a world file in TOML (LoadWorld, described in docs/world-file.md) and the project
// folder of the RealmCrafter editor (LoadProject). DefaultWorld is a world file embedded in the program. ReadAccounts
// imports the accounts of a RealmCrafter server.
//
//	w, warnings, err := content.LoadWorld("vale.toml", src)
//
// A world is accepted or refused as a whole. The error for a refused world lists every problem on a separate line, with
// its position and how to fix it. A warning describes accepted content that looks like a mistake.
//
// The package opens no files: callers pass bytes or an fs.FS. It has no state between calls.
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

// World is a loaded world: the tables of the simulation, and the appearance tables for the clients of each door.
type World struct {
	*sim.World
	Appearance appearance.Tables // how clients draw templates, items, projectiles and areas
}

// Warning describes content that was accepted although it looks like a mistake.
type Warning struct {
	Code   string // stable upper-case name of the kind of warning, such as RESIST-ALL-ZERO
	File   string // path inside the project, or the name of the world file
	Where  string // record inside the file, such as "actor 0 Human", or "file" for the whole file
	Detail string // what was found, and how the server treats it
}

// String returns the warning on one line: file: where: detail (CODE).
func (w Warning) String() string {
	return fmt.Sprintf("%s: %s: %s (%s)", w.File, w.Where, w.Detail, w.Code)
}

// Problem is one reason why a world is refused.
type Problem struct {
	File string // name of the world file, or path inside the project
	Line int    // line number from 1; 0 for binary files
	Text string // message on one line: what is wrong, then how to fix it
}

// String returns the problem on one line: file:line: text.
func (p Problem) String() string {
	if p.Line > 0 {
		return fmt.Sprintf("%s:%d: %s", p.File, p.Line, p.Text)
	}
	return fmt.Sprintf("%s: %s", p.File, p.Text)
}

// Problems is the type of the errors that the loaders return for an invalid world (use errors.AsType). It lists all
// reasons why the world is refused, in the order of the file.
type Problems []Problem

// Error returns all problems, one per line.
func (ps Problems) Error() string {
	lines := make([]string, len(ps))
	for i, p := range ps {
		lines[i] = p.String()
	}
	return strings.Join(lines, "\n")
}

// err returns ps as an error, or nil if ps is empty, so that callers do not return an empty list as an error.
func (ps Problems) err() error {
	if len(ps) == 0 {
		return nil
	}
	return ps
}

// sorted returns the problems ordered by line.
func (ps Problems) sorted() Problems {
	slices.SortStableFunc(ps, func(a, b Problem) int { return cmp.Compare(a.Line, b.Line) })
	return ps
}

// hashOf returns a hash (FNV-1a) of the content of files, for World.ContentHash.
func hashOf(files ...[]byte) uint64 {
	h := fnv.New64a()
	for _, b := range files {
		_, _ = h.Write(binary.LittleEndian.AppendUint64(nil, uint64(len(b)))) // Write of a hash never returns an error
		_, _ = h.Write(b)
	}
	return h.Sum64()
}
