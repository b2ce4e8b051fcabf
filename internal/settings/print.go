package settings

import (
	"fmt"
	"io"
	"strings"
	"time"

	"github.com/BurntSushi/toml"
	"github.com/alecthomas/kong"

	"github.com/truestep-io/truestep/internal/duration"
	"github.com/truestep-io/truestep/internal/terminal"
)

// Print prints flags as a TOML file that Read accepts: the title, and each flag with its help text, its default and its value.
func Print(to io.Writer, title string, flags []*kong.Flag) error {
	fmt.Fprintln(to, "# "+title)
	for _, f := range flags {
		if isOnlyFlag(f.Name) {
			continue
		}
		help := f.Help
		if f.Default != "" {
			help = strings.TrimSuffix(help, ".") + ". Default: " + f.Default + "."
		}
		fmt.Fprintln(to)
		for _, line := range terminal.Wrap(help, terminal.Columns-2) {
			fmt.Fprintln(to, "# "+line)
		}
		value := f.Target.Interface()
		switch v := value.(type) {
		case time.Duration:
			value = duration.Format(v)
		case *bool:
			if v == nil {
				fmt.Fprintf(to, "# %s = true\n", f.Name)
				continue
			}
		}
		if err := toml.NewEncoder(to).Encode(map[string]any{f.Name: value}); err != nil {
			return err
		}
	}
	return nil
}

// Values returns the values of flags as text, by name of the flag. It omits flags that can only be set on the command line.
func Values(flags []*kong.Flag) map[string]string {
	values := map[string]string{}
	for _, f := range flags {
		if isOnlyFlag(f.Name) {
			continue
		}
		switch v := f.Target.Interface().(type) {
		case time.Duration:
			values[f.Name] = duration.Format(v)
		case *bool:
			values[f.Name] = ""
			if v != nil {
				values[f.Name] = fmt.Sprint(*v)
			}
		default:
			values[f.Name] = fmt.Sprint(v)
		}
	}
	return values
}

// IsChanged reports whether the value of a flag differs from its default.
func IsChanged(f *kong.Flag) bool {
	if f.Default == "" {
		return !f.Target.IsZero()
	}
	if d, ok := f.Target.Interface().(time.Duration); ok {
		byDefault, err := duration.Parse(f.Default)
		return err != nil || d != byDefault
	}
	return fmt.Sprint(f.Target.Interface()) != f.Default
}
