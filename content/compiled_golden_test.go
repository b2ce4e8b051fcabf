package content

import (
	"fmt"
	"hash"
	"hash/fnv"
	"os"
	"reflect"
	"slices"
	"strings"
	"testing"

	"github.com/truestep-io/truestep/sim"
)

// The nodes of a cluster compare the bytes of their world files, not what this package makes of them. So a change of a default, or of
// how a file is read, is a change of the rules: clusterFormats in server/cluster.go must be raised with these hashes. The files are
// copies of their own, because a change of the embedded world or of another test's world is no change of the rules.
func TestCompiledWorldsEqualGoldenHashes(t *testing.T) {
	project, _, err := LoadProject(smallProject().files(), ProjectOptions{})
	if err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct {
		name  string
		world *World
		want  uint64
	}{
		{"every table with the fewest keys", loadTestWorld(t, "least.toml"), 0x683ab6b177afd5e4},
		{"a world with rules, walls and patrols", loadTestWorld(t, "vale.toml"), 0x58a42e36ef3a4f56},
		{"a RealmCrafter project", project.World, 0x23dac6d6ae125125},
	} {
		if got := hashOfWorld(c.world.World); got != c.want {
			t.Errorf("%s: compiled to a world with hash %#016x, want %#016x: raise clusterFormats in server/cluster.go if the rules have changed", c.name, got, c.want)
		}
	}
}

// loadTestWorld loads a world file of testdata/compiled.
func loadTestWorld(t *testing.T, name string) *World {
	src, err := os.ReadFile("testdata/compiled/" + name)
	if err != nil {
		t.Fatal(err)
	}
	w, _, err := LoadWorld(name, src)
	if err != nil {
		t.Fatal(err)
	}
	return w
}

func TestHashOfWorldDependsOnEveryRule(t *testing.T) {
	w := &sim.World{Rules: defaultRules()}
	base := hashOfWorld(w)
	eachRule("Rules", reflect.ValueOf(&w.Rules).Elem(), func(name string, v reflect.Value) {
		before := reflect.New(v.Type()).Elem()
		before.Set(v)
		switch {
		case v.CanInt():
			v.SetInt(v.Int() ^ 1)
		case v.CanUint():
			v.SetUint(v.Uint() ^ 1)
		case v.CanFloat():
			v.SetFloat(v.Float() + 1)
		case v.Kind() == reflect.Bool:
			v.SetBool(!v.Bool())
		case v.Kind() == reflect.Pointer:
			v.Set(reflect.New(v.Type().Elem()))
		default:
			t.Fatalf("%s: a rule of type %v", name, v.Type())
		}
		if hashOfWorld(w) == base {
			t.Errorf("the hash does not depend on %s", name)
		}
		v.Set(before)
	})
	if hashOfWorld(w) != base {
		t.Error("the hash of an equal world differs")
	}
}

// eachRule calls f for each value in v that is no struct and no array, with its name.
func eachRule(name string, v reflect.Value, f func(name string, v reflect.Value)) {
	switch v.Kind() {
	case reflect.Struct:
		for i := range v.NumField() {
			eachRule(name+"."+v.Type().Field(i).Name, v.Field(i), f)
		}
	case reflect.Array:
		for i := range v.Len() {
			eachRule(fmt.Sprint(name, " ", i), v.Index(i), f)
		}
	default:
		f(name, v)
	}
}

// hashOfWorld returns a hash of all values of a world. Values that are zero do not count, so that a new field changes no hash while it
// is zero.
func hashOfWorld(w *sim.World) uint64 {
	h := fnv.New64a()
	hashValue(h, "world", reflect.ValueOf(w))
	return h.Sum64()
}

// hashValue writes the path and the value of each basic value in v, as lines of text. It panics for a type that worlds do not have.
func hashValue(h hash.Hash64, path string, v reflect.Value) {
	if v.IsZero() {
		return
	}
	switch v.Kind() {
	case reflect.Pointer:
		fmt.Fprintf(h, "%s is set\n", path)
		hashValue(h, path, v.Elem())
	case reflect.Struct:
		for i := range v.NumField() {
			hashValue(h, path+"."+v.Type().Field(i).Name, v.Field(i))
		}
	case reflect.Slice, reflect.Array:
		fmt.Fprintf(h, "%s has %d\n", path, v.Len())
		for i := range v.Len() {
			hashValue(h, fmt.Sprintf("%s %d", path, i), v.Index(i))
		}
	case reflect.Map:
		keys := v.MapKeys()
		slices.SortFunc(keys, func(a, b reflect.Value) int { return strings.Compare(fmt.Sprint(a), fmt.Sprint(b)) })
		for _, k := range keys {
			hashValue(h, fmt.Sprintf("%s %v", path, k), v.MapIndex(k))
		}
	case reflect.Bool, reflect.String, reflect.Int, reflect.Int8, reflect.Int16, reflect.Int32, reflect.Int64,
		reflect.Uint, reflect.Uint8, reflect.Uint16, reflect.Uint32, reflect.Uint64, reflect.Float32, reflect.Float64:
		fmt.Fprintf(h, "%s = %v\n", path, v) // of a float the shortest text that identifies it
	default:
		panic(fmt.Sprintf("%s is a %s", path, v.Type()))
	}
}
