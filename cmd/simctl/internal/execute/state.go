package execute

import (
	"cmp"
	"fmt"
	"reflect"
	"slices"
	"strconv"
	"strings"

	"fencepost/sim"
)

// What is shown of the state of a node at most.
const (
	maxFields = 40  // of a node
	maxItems  = 8   // of a list or a map
	maxDepth  = 8   // of values within values
	maxValue  = 160 // bytes of a value
)

// states tells what each step changes of its node. It shows what a node keeps, which by the convention of the
// models are its unexported fields; the exported ones of a node are parameters. Zero values are left out.
type states struct {
	names []string
	now   map[sim.NodeID]map[string]string
}

func newStates(names []string) *states {
	return &states{names: names, now: map[sim.NodeID]map[string]string{}}
}

// changed is a [sim.Journal].Inspect.
func (s *states) changed(id sim.NodeID, node any) []sim.Field {
	seen := fields{names: s.names, values: map[string]string{}}
	seen.node(reflect.ValueOf(node))
	var out []sim.Field
	for name, value := range seen.values {
		if s.now[id][name] != value {
			out = append(out, sim.Field{Name: name, Value: value})
		}
	}
	for name := range s.now[id] {
		if _, still := seen.values[name]; !still {
			out = append(out, sim.Field{Name: name})
		}
	}
	slices.SortFunc(out, func(a, b sim.Field) int { return cmp.Compare(a.Name, b.Name) })
	s.now[id] = seen.values
	return out
}

// fields collects the fields of one node by their paths.
type fields struct {
	names  []string
	values map[string]string
}

// node adds the unexported fields of a node, and those of what it embeds.
func (f *fields) node(v reflect.Value) {
	for v.Kind() == reflect.Pointer || v.Kind() == reflect.Interface {
		v = v.Elem()
	}
	if v.Kind() != reflect.Struct {
		return
	}
	for i := range v.NumField() {
		switch field := v.Type().Field(i); {
		case field.Anonymous:
			f.node(v.Field(i))
		case !field.IsExported():
			f.field(field.Name, field.Tag, v.Field(i), maxDepth)
		}
	}
}

// field adds a field, with the unit that a tag state gives its number: that of a reading of a clock in nanoseconds, or
// of a client and its attempt in one number, as lock models name a grant.
func (f *fields) field(path string, tag reflect.StructTag, v reflect.Value, depth int) {
	switch unit := tag.Get("state"); {
	case unit == "reading" && v.CanInt() && !v.IsZero():
		f.values[path] = sim.Seconds(v.Int())
	case unit == "client.attempt" && v.CanUint() && v.Uint()>>32 > 0:
		f.values[path] = fmt.Sprintf("%d.%d", v.Uint()>>32, uint32(v.Uint()))
	default:
		f.add(path, v, depth)
	}
}

// add adds a value and what is in it.
func (f *fields) add(path string, v reflect.Value, depth int) {
	if !v.IsValid() || v.IsZero() || depth == 0 || len(f.values) >= maxFields {
		return
	}
	if text, ok := f.scalar(v); ok {
		f.values[path] = clip(text)
		return
	}
	switch v.Kind() {
	case reflect.Pointer, reflect.Interface:
		f.add(path, v.Elem(), depth-1)
	case reflect.Struct:
		for i := range v.NumField() {
			field := v.Type().Field(i)
			f.field(path+"."+field.Name, field.Tag, v.Field(i), depth-1)
		}
	case reflect.Slice, reflect.Array:
		f.list(path, v, depth)
	case reflect.Map:
		f.table(path, v, depth)
	}
}

// list adds a list: of scalars as one value, of others the first ones, each by its place.
func (f *fields) list(path string, v reflect.Value, depth int) {
	var scalars []string
	for i := range min(v.Len(), maxItems) {
		text, ok := f.scalar(v.Index(i))
		if !ok {
			f.add(fmt.Sprintf("%s[%d]", path, i), v.Index(i), depth-1)
			continue
		}
		scalars = append(scalars, text)
	}
	if v.Len() > maxItems && len(scalars) > 0 {
		scalars = append(scalars, fmt.Sprintf("and %d more", v.Len()-maxItems))
	}
	if len(scalars) > 0 {
		f.values[path] = clip(strings.Join(scalars, " "))
	}
}

// table adds the first entries of a map, in the order of their keys.
func (f *fields) table(path string, v reflect.Value, depth int) {
	type entry struct {
		key   string
		value reflect.Value
	}
	var all []entry
	for it := v.MapRange(); it.Next(); {
		key, ok := f.scalar(it.Key())
		if !ok {
			f.values[path] = fmt.Sprintf("%d entries", v.Len())
			return
		}
		all = append(all, entry{key, it.Value()})
	}
	slices.SortFunc(all, func(a, b entry) int { return cmp.Or(len(a.key)-len(b.key), strings.Compare(a.key, b.key)) })
	for _, e := range all[:min(len(all), maxItems)] {
		f.add(path+"["+e.key+"]", e.value, depth-1)
	}
	if len(all) > maxItems {
		f.values[path] = fmt.Sprintf("%d entries", len(all))
	}
}

var (
	nodeID      = reflect.TypeFor[sim.NodeID]()
	instant     = reflect.TypeFor[sim.Time]()
	monoReading = reflect.TypeFor[sim.Mono]()
	bootReading = reflect.TypeFor[sim.Boot]()
	wallReading = reflect.TypeFor[sim.Wall]()
)

// scalar is a number, a truth value or a text in words: a node by its name, an instant and a reading of a clock in
// seconds as the trace has it, and what has a String by that.
func (f *fields) scalar(v reflect.Value) (string, bool) {
	switch {
	case v.Type() == nodeID:
		id := int(v.Convert(reflect.TypeFor[int64]()).Int())
		if id < 1 || id > len(f.names) {
			return "none", true
		}
		return f.names[id-1], true
	case v.Type() == instant, v.Type() == monoReading, v.Type() == bootReading, v.Type() == wallReading:
		return sim.Seconds(v.Int()), true
	case v.CanInt():
		copied := reflect.New(v.Type()).Elem()
		copied.SetInt(v.Int())
		return worded(copied, strconv.FormatInt(v.Int(), 10)), true
	case v.CanUint():
		copied := reflect.New(v.Type()).Elem()
		copied.SetUint(v.Uint())
		return worded(copied, strconv.FormatUint(v.Uint(), 10)), true
	case v.CanFloat():
		return strconv.FormatFloat(v.Float(), 'g', -1, 64), true
	case v.Kind() == reflect.Bool:
		return strconv.FormatBool(v.Bool()), true
	case v.Kind() == reflect.String:
		return v.String(), true
	}
	return "", false
}

// worded is what a number says of itself, or else plain.
func worded(v reflect.Value, plain string) string {
	if s, ok := v.Interface().(fmt.Stringer); ok {
		return s.String()
	}
	return plain
}

func clip(text string) string {
	if len(text) <= maxValue {
		return text
	}
	return strings.ToValidUTF8(text[:maxValue], "") + "..."
}
