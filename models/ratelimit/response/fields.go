package response

import (
	"fmt"
	"strconv"
	"strings"
)

// Item is a name with numbers, as in "permin";q=100;w=60.
type Item struct {
	Name   string // printable ASCII
	Params []Param
}

// Param is one number of an item.
type Param struct {
	Key   string // small letters, digits, _-.*; begins with a letter or *
	Value int64  // at most 15 digits
}

// Get is the number that has this key.
func (i *Item) Get(key string) (value int64, ok bool) {
	for _, p := range i.Params {
		if p.Key == key {
			return p.Value, true
		}
	}
	return 0, false
}

// Format writes items as a structured field: a list of strings with parameters.
//
// Source: RFC 9651, section 4.1.
func Format(items []Item) string {
	var b strings.Builder
	for i, item := range items {
		if i > 0 {
			b.WriteString(", ")
		}
		b.WriteByte('"')
		for _, c := range []byte(item.Name) {
			if c == '"' || c == '\\' {
				b.WriteByte('\\')
			}
			b.WriteByte(c)
		}
		b.WriteByte('"')
		for _, p := range item.Params {
			fmt.Fprintf(&b, ";%s=%d", p.Key, p.Value)
		}
	}
	return b.String()
}

// What a field may hold.
const (
	maxField  = 8192 // bytes
	maxItems  = 64
	maxParams = 32 // of an item
)

// Parse reads a RateLimit or RateLimit-Policy field. A name may be a string or a token;
// parameters that are not integers (a partition key, a unit) are read and left out; of
// two with one key the last counts.
//
// Source: RFC 9651, section 4.2.
func Parse(field string) ([]Item, error) {
	if len(field) > maxField {
		return nil, fmt.Errorf("a field of %d bytes: at most %d are read", len(field), maxField)
	}
	r := reader{text: field}
	r.spaces()
	var items []Item
	for !r.end() {
		item, err := r.item()
		if err != nil {
			return nil, err
		}
		if items = append(items, item); len(items) > maxItems {
			return nil, r.bad("more than %d items", maxItems)
		}
		r.spaces()
		if r.end() {
			break
		}
		if !r.skip(',') {
			return nil, r.bad("want a comma between two items")
		}
		if r.spaces(); r.end() {
			return nil, r.bad("nothing behind the last comma")
		}
	}
	return items, nil
}

// reader goes through a field.
type reader struct {
	text string
	at   int
}

func (r *reader) end() bool { return r.at == len(r.text) }

func (r *reader) peek() byte {
	if r.end() {
		return 0
	}
	return r.text[r.at]
}

func (r *reader) skip(c byte) bool {
	if r.peek() != c || r.end() {
		return false
	}
	r.at++
	return true
}

func (r *reader) spaces() {
	for r.peek() == ' ' || r.peek() == '\t' {
		r.at++
	}
}

func (r *reader) bad(format string, args ...any) error {
	return fmt.Errorf("column %d: %s, in %.60q", r.at+1, fmt.Sprintf(format, args...), r.text)
}

func (r *reader) item() (Item, error) {
	name, err := r.name()
	if err != nil {
		return Item{}, err
	}
	item := Item{Name: name}
	for r.skip(';') {
		r.spaces()
		key := r.while(isKey)
		if key == "" || key[0] != '*' && (key[0] < 'a' || key[0] > 'z') {
			return Item{}, r.bad("want the name of a parameter in small letters")
		}
		value, integer, err := r.value()
		if err != nil {
			return Item{}, err
		}
		if integer {
			item.set(key, value)
		}
		if len(item.Params) > maxParams {
			return Item{}, r.bad("more than %d parameters", maxParams)
		}
	}
	return item, nil
}

func (i *Item) set(key string, value int64) {
	for k := range i.Params {
		if i.Params[k].Key == key {
			i.Params[k].Value = value
			return
		}
	}
	i.Params = append(i.Params, Param{key, value})
}

func (r *reader) name() (string, error) {
	if r.peek() == '"' {
		return r.quoted()
	}
	token := r.while(isToken)
	if token == "" || token[0] != '*' && !isLetter(token[0]) {
		return "", r.bad("want a name in quotes")
	}
	return token, nil
}

// quoted is a string: printable ASCII, with \" and \\.
func (r *reader) quoted() (string, error) {
	r.at++
	var b strings.Builder
	for !r.end() {
		c := r.text[r.at]
		switch {
		case c == '"':
			r.at++
			return b.String(), nil
		case c == '\\':
			if r.at++; r.peek() != '"' && r.peek() != '\\' {
				return "", r.bad(`only \" and \\ may be escaped`)
			}
			c = r.peek()
		case c < ' ' || c > '~':
			return "", r.bad("want printable ASCII")
		}
		b.WriteByte(c)
		r.at++
	}
	return "", r.bad("a quote is not closed")
}

// value is what stands behind the name of a parameter, if it is an integer.
func (r *reader) value() (n int64, integer bool, err error) {
	if !r.skip('=') {
		return 0, false, nil // true, which is no number
	}
	switch c := r.peek(); {
	case c == '"':
		_, err = r.quoted()
		return 0, false, err
	case c == ':':
		r.at++
		if r.while(isBase64); !r.skip(':') {
			return 0, false, r.bad("want a colon behind the bytes")
		}
		return 0, false, nil
	case c == '?':
		if r.at++; !r.skip('0') && !r.skip('1') {
			return 0, false, r.bad("want ?0 or ?1")
		}
		return 0, false, nil
	case c == '-' || c >= '0' && c <= '9':
		return r.number()
	case r.while(isToken) == "":
		return 0, false, r.bad("want a value")
	}
	return 0, false, nil
}

func (r *reader) number() (n int64, integer bool, err error) {
	minus := r.skip('-')
	digits := r.while(func(c byte) bool { return c >= '0' && c <= '9' })
	if digits == "" || len(digits) > 15 {
		return 0, false, r.bad("want a number of 1 to 15 digits")
	}
	if r.skip('.') {
		if part := r.while(func(c byte) bool { return c >= '0' && c <= '9' }); part == "" || len(part) > 3 || len(digits) > 12 {
			return 0, false, r.bad("want at most 12 digits and 1 to 3 behind the point")
		}
		return 0, false, nil
	}
	n, err = strconv.ParseInt(digits, 10, 64)
	if minus {
		n = -n
	}
	return n, true, err
}

// while takes the bytes that belong.
func (r *reader) while(belongs func(byte) bool) string {
	from := r.at
	for !r.end() && belongs(r.text[r.at]) {
		r.at++
	}
	return r.text[from:r.at]
}

func isLetter(c byte) bool { return c >= 'a' && c <= 'z' || c >= 'A' && c <= 'Z' }
func isKey(c byte) bool {
	return c >= 'a' && c <= 'z' || c >= '0' && c <= '9' || strings.IndexByte("_-.*", c) >= 0
}
func isToken(c byte) bool {
	return isLetter(c) || c >= '0' && c <= '9' || strings.IndexByte("!#$%&'*+-.^_`|~:/", c) >= 0
}
func isBase64(c byte) bool {
	return isLetter(c) || c >= '0' && c <= '9' || strings.IndexByte("+/=", c) >= 0
}
