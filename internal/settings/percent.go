package settings

import (
	"fmt"
	"strconv"
	"strings"
)

// Percent is a share from 0 to below 1, as the type of a flag. On the command line it is written 5% or 0.05.
type Percent float64

// UnmarshalText parses a share such as "5%".
func (p *Percent) UnmarshalText(b []byte) error {
	text, isPercent := strings.CutSuffix(string(b), "%")
	v, err := strconv.ParseFloat(text, 64)
	if isPercent {
		v /= 100
	}
	if err != nil || !(v >= 0) || v >= 1 {
		return fmt.Errorf("%q is not a percentage from 0%% to below 100%%, such as 5%%", b)
	}
	*p = Percent(v)
	return nil
}
