package catalog

import (
	"fmt"
	"reflect"
	"strconv"
	"strings"
	"time"

	"fencepost/internal/program"
	"fencepost/internal/text"
	"fencepost/scenarios/format"
)

// template is a scenario of a model that brings none: its parameters with their defaults, and each of its properties.
func template(m format.Model) []byte {
	p := m.New().Program()
	var b strings.Builder
	line := func(said, about string) {
		if about != "" {
			before := strings.Repeat("\n", strings.Count(said, "\n"))
			said = fmt.Sprintf("%s%-36s # %s", before, strings.TrimPrefix(said, before), about)
		}
		fmt.Fprintln(&b, said)
	}
	line("# yaml-language-server: $schema=scenario.schema.json", "")
	line("# With the line above an editor completes and checks this file: "+program.Name()+" schema > scenario.schema.json", "")
	line("# Check it: "+program.Name()+" validate FILE. Run it: "+program.Name()+" run FILE", "")
	line("about: What this scenario shows, in a sentence.", "")
	line("model: "+m.Name, "")
	line("seed: 1", "of the first run; the same seed is the same run, everywhere")
	line("until: 60s", "a run ends here")
	line("# runs: 1000", "with seeds 1, 2, ...: for what is drawn, such as {exp: 5ms}")
	if keys := parameters(m); len(keys) > 0 {
		line("\nparams:", "")
		values := reflect.ValueOf(m.New().Target()).Elem()
		for _, f := range keys {
			about := f.Go.Tag.Get("about")
			value, ok := written(values.FieldByName(f.Go.Name))
			if _, timed := values.FieldByName(f.Go.Name).Interface().(time.Duration); ok && (f.Form == "" || timed) {
				line("  "+f.Key+": "+value, about)
			} else {
				line("  # "+f.Key+":", about)
			}
		}
	}
	if len(p.Nodes) > 0 {
		line("\nnetwork:", "")
		line("  delay: 5ms", "or {exp: 5ms}, {uniform: [1ms, 9ms]}")
		line("  # loss: 1%", "")
		line("\n# faults:", "")
		line("#   - pause: "+p.Nodes[0], "or crash, cut, lose, delay: docs/scenarios.md")
		line("#     at: 1s", "")
		line("#     for: 15s", "")
	}
	if len(p.Properties) > 0 {
		line("\nexpect:", "what a run must show; a violation that is not expected is reported")
		for _, name := range p.Properties {
			line("  "+name+": holds", "")
		}
	}
	return []byte(b.String())
}

// written is a value as a file has it; ok is false for none, and for one that takes several lines.
func written(v reflect.Value) (value string, ok bool) {
	switch x := v.Interface().(type) {
	case time.Duration:
		return text.Duration(x), true
	case string:
		if plain := strings.Trim(x, "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789-_"); plain != "" {
			x = strconv.Quote(x)
		}
		return x, x != ""
	}
	switch v.Kind() {
	case reflect.Bool, reflect.Int, reflect.Int8, reflect.Int16, reflect.Int32, reflect.Int64,
		reflect.Uint, reflect.Uint8, reflect.Uint16, reflect.Uint32, reflect.Uint64:
		return fmt.Sprint(v.Interface()), v.Kind() == reflect.Bool || v.Type().PkgPath() == ""
	case reflect.Slice:
		var list []string
		for i := range v.Len() {
			item, ok := written(v.Index(i))
			if !ok {
				return "", false
			}
			list = append(list, item)
		}
		return "[" + strings.Join(list, ", ") + "]", len(list) > 0
	}
	return "", false
}
