package settings

import (
	"fmt"
	"reflect"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/alecthomas/kong"

	"github.com/truestep-io/truestep/internal/duration"
)

// textMisfit returns why a text is not a valid value of a flag, as the end of a sentence, such as "is not a number". It returns
// "" if the text is valid, or if only package kong can check it.
func textMisfit(flag *kong.Flag, text string) string {
	if flag.Enum != "" && !slices.Contains(flag.EnumSlice(), text) {
		return "is none of " + strings.Join(flag.EnumSlice(), ", ")
	}
	var err error
	switch {
	case isDuration(flag):
		if _, err = duration.Parse(text); err != nil {
			return "is not a duration such as 400ms, 10m, 12h or 30d"
		}
		return ""
	case flag.Target.CanInt():
		_, err = strconv.ParseInt(text, 10, 64)
	case flag.Target.CanUint():
		_, err = strconv.ParseUint(text, 10, 64)
	case isBool(flag):
		if !slices.Contains([]string{"true", "1", "yes", "false", "0", "no"}, strings.ToLower(text)) {
			return "is neither true nor false"
		}
	}
	if err != nil {
		return "is not " + typeName(flag)
	}
	return ""
}

// valueMisfit returns why a TOML value is not a valid value of a flag, as the end of a sentence such as "is not a number". It
// returns "" if the value is valid.
func valueMisfit(flag *kong.Flag, v any) string {
	text, isText := v.(string)
	n, isInteger := v.(int64)
	_, isTrueOrFalse := v.(bool)
	var ok bool
	switch {
	case isText && (flag.Target.Kind() == reflect.String || isDuration(flag)):
		if why := textMisfit(flag, text); why != "" {
			return fmt.Sprintf("%q %s", text, why)
		}
		return ""
	case isDuration(flag) || flag.Target.Kind() == reflect.String:
	case flag.Target.CanInt():
		ok = isInteger
	case flag.Target.CanUint():
		ok = isInteger && n >= 0
	case isBool(flag):
		ok = isTrueOrFalse
	}
	if !ok {
		return fmt.Sprintf("must be %s, not %v", typeName(flag), written(v))
	}
	return ""
}

// DecodeDuration is a kong.MapperFunc that parses durations with package duration, which knows days and weeks.
func DecodeDuration(ctx *kong.DecodeContext, target reflect.Value) error {
	var text string
	if err := ctx.Scan.PopValueInto("duration", &text); err != nil {
		return err
	}
	d, err := duration.Parse(text)
	if err != nil {
		return err
	}
	target.SetInt(int64(d))
	return nil
}

func isDuration(flag *kong.Flag) bool { return flag.Target.Type() == reflect.TypeFor[time.Duration]() }

// isBool reports whether the type of a flag is bool or *bool, which is nil if the flag is not set.
func isBool(flag *kong.Flag) bool {
	t := flag.Target.Type()
	return t.Kind() == reflect.Bool || t.Kind() == reflect.Pointer && t.Elem().Kind() == reflect.Bool
}

// typeName describes the valid values of a flag in words, such as "a whole number".
func typeName(flag *kong.Flag) string {
	switch {
	case isDuration(flag):
		return `a duration in quotes such as "400ms"`
	case flag.Target.CanInt():
		return "a whole number"
	case flag.Target.CanUint():
		return "a whole number from 0"
	case isBool(flag):
		return "true or false"
	}
	return "a text in quotes"
}

// written returns a TOML value as it would be written in a file, for error messages. A list or a table becomes "a list" or "a
// table".
func written(v any) string {
	switch v := v.(type) {
	case string:
		return strconv.Quote(v)
	case []any, []map[string]any:
		return "a list"
	case map[string]any:
		return "a table"
	}
	return fmt.Sprint(v)
}
