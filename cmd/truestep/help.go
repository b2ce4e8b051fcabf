package main

import (
	"embed"
	"strings"
)

// helpFiles are the examples and explanations of commands, by file name.
//
//go:embed help/*.txt
var helpFiles embed.FS

// helpText returns the text of help/NAME.txt, which kong prints below the flags of a command.
func helpText(name string) string {
	text, err := helpFiles.ReadFile("help/" + name + ".txt")
	if err != nil {
		panic(err) // the help text is not embedded in the program
	}
	return strings.TrimSuffix(string(text), "\n")
}
