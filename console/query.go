package console

import (
	"net/url"
	"slices"
	"strconv"
	"strings"

	"github.com/truestep-io/truestep/sim"
)

// parseQuery parses the query of the request. It refuses a key that is not in keys, and a key that occurs twice.
func (k *call) parseQuery(keys ...string) (url.Values, error) { return k.parseQueryList("", keys...) }

// parseQueryList does the same as parseQuery, but the key that the parameter repeated names may occur several times.
func (k *call) parseQueryList(repeated string, keys ...string) (url.Values, error) {
	values, err := url.ParseQuery(k.r.URL.RawQuery)
	if err != nil {
		return nil, badRequest("the query string is malformed")
	}
	for _, key := range sortedKeys(values) {
		if !slices.Contains(keys, key) {
			return nil, badRequest("unknown parameter %q; it must be one of %s", key, strings.Join(keys, ", "))
		}
		if len(values[key]) > 1 && key != repeated {
			return nil, badRequest("%q occurs %d times", key, len(values[key]))
		}
	}
	return values, nil
}

// parseNumber parses the value of a key in the query as a whole number from least to most. It returns byDefault if the key is
// missing.
func parseNumber(ask url.Values, key string, byDefault, least, most int64) (int64, error) {
	s := ask.Get(key)
	if s == "" {
		return byDefault, nil
	}
	n, err := strconv.ParseInt(s, 10, 64)
	if err != nil || n < least || n > most {
		return 0, badRequest("%q must be a whole number, %d..%d", key, least, most)
	}
	return n, nil
}

// parseBool parses true or false in the query. It returns nil if the key is missing.
func parseBool(ask url.Values, key string) (*bool, error) {
	switch ask.Get(key) {
	case "":
		return nil, nil
	case "true", "false":
		value := ask.Get(key) == "true"
		return &value, nil
	}
	return nil, badRequest("%q must be true or false", key)
}

// findArea returns the area with the id or the name s. An error names the query parameter key.
func (c *Console) findArea(key, s string) (sim.AreaID, error) {
	def := c.World.Def()
	if n, err := strconv.ParseInt(s, 10, 32); err == nil && n >= 0 && int(n) < len(def.Areas) && c.showsArea(sim.AreaID(n)) {
		return sim.AreaID(n), nil
	}
	var names []string
	for i := range def.Areas {
		if !c.showsArea(sim.AreaID(i)) {
			continue
		}
		if strings.EqualFold(def.Areas[i].Name, s) {
			return sim.AreaID(i), nil
		}
		names = append(names, def.Areas[i].Name)
	}
	return sim.NoArea, notFound("%q: there is no area %.40q: the world has %s", key, s, strings.Join(names, ", "))
}
