package content

import (
	_ "embed"
)

// DefaultName is the name of the embedded world in messages.
const DefaultName = "default.toml"

//go:embed default.toml
var defaultTOML []byte

// DefaultTOML returns the source of DefaultWorld, as a starting point for new worlds. The caller may modify it.
func DefaultTOML() []byte { return append([]byte(nil), defaultTOML...) }

// DefaultWorld returns Truestep Vale, the world that runs unless another is configured. It panics if the embedded file is
// invalid; tests check that it is valid.
func DefaultWorld() *World {
	w, _, err := LoadWorld(DefaultName, defaultTOML)
	if err != nil {
		panic(err)
	}
	return w
}
