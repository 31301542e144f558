package model

import (
	"errors"
	"fmt"
	"math"
	"reflect"
	"slices"
	"strconv"
	"strings"
	"time"

	"fencepost/internal/text"
	"fencepost/sim"
	"fencepost/sim/model/values"
)

// ValidationError is what is wrong with a parameter, at a path below params.
type ValidationError struct{ Path, Message string }

// Errors collects what is wrong with the parameters of a model.
type Errors []ValidationError

// Add adds an error.
func (l *Errors) Add(path, format string, args ...any) {
	*l = append(*l, ValidationError{path, fmt.Sprintf(format, args...)})
}

// AddLines adds each line of an error that has several.
func (l *Errors) AddLines(path string, err error) {
	for line := range strings.SplitSeq(err.Error(), "\n") {
		l.Add(path, "%s", line)
	}
}

// If adds an error where something holds.
func (l *Errors) If(wrong bool, path, format string, args ...any) {
	if wrong {
		l.Add(path, format, args...)
	}
}

// OnePerPath leaves of each path the first error: what the tags refuse needs no second reason.
func (l Errors) OnePerPath() (first Errors) {
	seen := map[string]bool{}
	for _, e := range l {
		if !seen[e.Path] {
			seen[e.Path] = true
			first = append(first, e)
		}
	}
	return first
}

// Err is all of it as one error for [sim.System].Err, nil if nothing is wrong.
func (l Errors) Err(model string) error {
	var errs []error
	for _, e := range l {
		errs = append(errs, fmt.Errorf("%s: %s: %s", model, e.Path, e.Message))
	}
	return errors.Join(errs...)
}

// Validate checks each parameter against the tags of its field, given a pointer to the
// parameters and what they usually are. What else concerns several of them a model adds itself.
//
//	Mode    string          `yaml:"mode,oneof=fast|safe"`                       // a word of these, or left out
//	Clients int             `yaml:"clients" range:"1..100"`                     // from 1 to 100
//	Work    []time.Duration `yaml:"work" range:"0s..1h" each:"clients"`         // each of them; at most one for each client
//	Nodes   int             `yaml:"nodes" range:"1..99" because:"all meet all"` // why there are no more is said to who wants more
//	Names   []string        `yaml:"names" many:"1..8"`                          // this many of them
//	Spare   int             `yaml:"spare" range:"0..9" of:"mode=safe|slow"`     // refused with another mode, unless it is what it usually is
//
// A range applies to integers, durations, clock errors in ppm or ppb, and distributions, all of which
// then lies in it; to each element of a list; and to what a pointer refers to, if it is given.
func Validate[P any](params *P, usual P) (found Errors) {
	list := Fields(params)
	for i := range list {
		list[i].check(&found)
	}
	var usually []Field
	for i := range list {
		if list[i].Of == "" {
			continue
		}
		if usually == nil {
			usually = Fields(&usual)
		}
		if list[i].given(usually) {
			list[i].checkOf(list, &found)
		}
	}
	return found
}

// given reports whether a parameter is not what it usually is.
func (f *Field) given(usual []Field) bool {
	n := slices.IndexFunc(usual, func(u Field) bool { return u.Path == f.Path })
	switch {
	case f.Value.Kind() == reflect.Slice && f.Value.Len() == 0 && (n < 0 || usual[n].Value.Len() == 0): // of a file, an empty one is not nil
		return false
	case n < 0: // of a block that is usually left out
		return !f.Value.IsZero()
	case f.Value.Type() == distType:
		return ends(f.Value) != ends(usual[n].Value)
	}
	return !reflect.DeepEqual(f.Value.Interface(), usual[n].Value.Interface())
}

// checkOf checks that the parameter on which another depends has a word with which that is used.
func (f *Field) checkOf(list []Field, found *Errors) {
	path, words, _ := strings.Cut(f.Of, "=")
	n := slices.IndexFunc(list, func(other Field) bool { return other.Path == path })
	if n < 0 {
		panic(fmt.Sprintf("model: %s: of names no parameter: %q", f.Path, path))
	}
	uses := strings.Split(words, "|")
	if word := list[n].Value.String(); !slices.Contains(uses, word) {
		found.Add(f.Path, "%s is %s, which does not use it: want %s", path, word, text.Either(uses))
	}
}

// Field is one parameter.
type Field struct {
	Path        string        // below params, of an element of a list with its index
	Value       reflect.Value // can be set
	Words       []string      // that it may be; nil: no list of words is given
	Range       string        // as the tag says, "" if there is none
	Least, Most int64         // that Range allows
	Because     string        // why Most is no more; "" if the tag does not say
	Each        string        // of what a list has at most one value for each: the path of their number; "" if the tag says nothing
	Count       int64         // that number
	Many        string        // how many values a list may have, as the tag says, "" if there is none
	Of          string        // the path of a parameter and words, with which alone it is used: PATH=WORD|WORD; "" if the tag does not say
}

// Fields are the parameters that a pointer to a struct refers to: the fields with a yaml
// tag, those of the structs among them, and those of embedded structs. A block of parameters is
// one itself if a tag says how many there may be, or with what alone.
func Fields(params any) []Field {
	v := reflect.ValueOf(params).Elem()
	list := make([]Field, 0, v.NumField())
	fields("", v, &list)
	for i := range list {
		if each := list[i].Each; each != "" {
			n := slices.IndexFunc(list, func(f Field) bool { return f.Path == each })
			if n < 0 {
				panic(fmt.Sprintf("model: %s: each names no parameter: %q", list[i].Path, each))
			}
			list[i].Count = ends(list[n].Value)[0]
		}
	}
	return list
}

func fields(path string, v reflect.Value, list *[]Field) {
	for i := range v.NumField() {
		f, value := v.Type().Field(i), v.Field(i)
		tag, tagged := f.Tag.Lookup("yaml")
		if !tagged {
			if f.Anonymous {
				fields(path, value, list)
			}
			continue
		}
		name, options, _ := strings.Cut(tag, ",")
		if path != "" {
			name = path + "." + name
		}
		if IsBlock(value.Type()) {
			blocks(name, value, list)
			if f.Tag.Get("of")+f.Tag.Get("many") == "" {
				continue
			}
		}
		p := Field{Path: name, Value: value, Range: f.Tag.Get("range"), Because: f.Tag.Get("because"), Each: f.Tag.Get("each"), Of: f.Tag.Get("of"), Many: f.Tag.Get("many")}
		for option := range strings.SplitSeq(options, ",") {
			if words, ok := strings.CutPrefix(option, "oneof="); ok {
				p.Words = strings.Split(words, "|")
			}
		}
		if p.Range != "" {
			least, most, _ := strings.Cut(p.Range, "..")
			p.Least, p.Most = p.limit(least), p.limit(most)
		}
		*list = append(*list, p)
	}
}

// IsBlock reports whether a type is a struct of parameters, a list of them, or a pointer to
// one.
func IsBlock(t reflect.Type) bool {
	for t.Kind() == reflect.Pointer || t.Kind() == reflect.Slice {
		t = t.Elem()
	}
	if t.Kind() != reflect.Struct {
		return false
	}
	for i := range t.NumField() {
		if _, tagged := t.Field(i).Tag.Lookup("yaml"); tagged {
			return true
		}
	}
	return false
}

func blocks(path string, v reflect.Value, list *[]Field) {
	switch v.Kind() {
	case reflect.Struct:
		fields(path, v, list)
	case reflect.Pointer:
		if !v.IsNil() {
			blocks(path, v.Elem(), list)
		}
	default:
		for i := range v.Len() {
			blocks(path+"."+strconv.Itoa(i), v.Index(i), list)
		}
	}
}

var (
	durationType = reflect.TypeFor[time.Duration]()
	distType     = reflect.TypeFor[sim.Dist]()
	rateType     = reflect.TypeFor[sim.PPB]()
)

// Elem is the type of what the limits apply to: that of an element of a list, or of what a
// pointer refers to.
func (f *Field) Elem() reflect.Type {
	t := f.Value.Type()
	for t.Kind() == reflect.Pointer || t.Kind() == reflect.Slice {
		t = t.Elem()
	}
	return t
}

func (f *Field) isTime() bool { return f.Elem() == durationType || f.Elem() == distType }

// limit reads an end of a range.
func (f *Field) limit(text string) int64 {
	var n int64
	var err error
	switch {
	case f.Elem() == rateType && strings.HasSuffix(text, "ppm"):
		n, err = strconv.ParseInt(strings.TrimSuffix(text, "ppm"), 10, 64)
		n *= 1000
	case f.Elem() == rateType:
		n, err = strconv.ParseInt(strings.TrimSuffix(text, "ppb"), 10, 64)
	case f.isTime():
		var d time.Duration
		d, err = time.ParseDuration(text)
		n = int64(d)
	default:
		n, err = strconv.ParseInt(text, 10, 64)
	}
	if err != nil {
		panic(fmt.Sprintf("model: %s: want a range of a %v, got %q", f.Path, f.Elem(), f.Range))
	}
	return n
}

// Wanted is the beginning of what is said of a value that the tags do not allow.
func (f *Field) Wanted() string {
	if f.Words != nil {
		return "want one of " + strings.Join(f.Words, ", ") + ", got "
	}
	return "want " + f.word(f.Least) + " to " + f.word(f.Most) + ", got "
}

// word is a value within a range, or an end of it, as the file writes it.
func (f *Field) word(n int64) string {
	switch {
	case f.isTime():
		return values.Length(time.Duration(n))
	case f.Elem() == rateType:
		return strings.TrimPrefix(sim.PPB(n).String(), "+")
	}
	return strconv.FormatInt(n, 10)
}

// reason is why a value is too much, to be said after it.
func (f *Field) reason(n int64) string {
	if f.Because == "" || n <= f.Most {
		return ""
	}
	return ": " + f.Because
}

func (f *Field) check(found *Errors) {
	if n := f.Value; f.Each != "" && int64(n.Len()) > max(f.Count, 1) {
		found.Add(f.Path, "%d values for %d %s", n.Len(), f.Count, f.Each)
	}
	if least, most := f.many(); f.Many != "" && (f.Value.Len() < least || f.Value.Len() > most) {
		bounds := fmt.Sprintf("%d to %d", least, most)
		if least == 0 {
			bounds = fmt.Sprint("at most ", most)
		}
		found.Add(f.Path, "want %s values, got %d%s", bounds, f.Value.Len(), f.reason(int64(f.Value.Len())))
	}
	f.checkValue(f.Path, f.Value, found)
}

// many are the least and the most values of a list.
func (f *Field) many() (least, most int) {
	if f.Many == "" {
		return 0, math.MaxInt
	}
	if _, err := fmt.Sscanf(f.Many, "%d..%d", &least, &most); err != nil {
		panic(fmt.Sprintf("model: %s: want a range of how many values, got %q", f.Path, f.Many))
	}
	return least, most
}

func (f *Field) checkValue(path string, v reflect.Value, found *Errors) {
	switch v.Kind() {
	case reflect.Pointer:
		if !v.IsNil() {
			f.checkValue(path, v.Elem(), found)
		}
	case reflect.Slice:
		for i := range v.Len() {
			f.checkValue(path+"."+strconv.Itoa(i), v.Index(i), found)
		}
	case reflect.String:
		if word := v.String(); word != "" && f.Words != nil && !slices.Contains(f.Words, word) {
			found.Add(path, "%s%q", f.Wanted(), word)
		}
	default:
		if f.Range == "" {
			return
		}
		for _, n := range ends(v) {
			if n < f.Least || n > f.Most {
				found.Add(path, "%s%s%s", f.Wanted(), f.word(n), f.reason(n))
				return
			}
		}
	}
}

// ends are the least and the greatest number that a value stands for.
func ends(v reflect.Value) [2]int64 {
	switch {
	case v.Type() == distType:
		d := v.Interface().(sim.Dist)
		return [2]int64{int64(d.Least()), int64(d.Most())}
	case v.CanUint():
		n := int64(min(v.Uint(), math.MaxInt64))
		return [2]int64{n, n}
	}
	return [2]int64{v.Int(), v.Int()}
}
