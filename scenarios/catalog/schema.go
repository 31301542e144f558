package catalog

import (
	_ "embed"
	"encoding/json"
	"fmt"
	"reflect"
	"slices"

	"fencepost/scenarios/format"
	"fencepost/scenarios/internal/modelschema"
	"fencepost/scenarios/internal/schema"
	"fencepost/scenarios/internal/strict"
	"fencepost/sim"
)

// fileSchema is the schema of a file without models, from the comments of the types by which it is read.
//
//go:embed file.schema.json
var fileSchema []byte

// Schema is the JSON Schema of scenario files with these models, draft 7, for editors: what they need to
// complete and check a file while it is written. It is weaker than [Catalog.Load]: that the TTL
// must be positive, or that there is no client-3, it does not know.
//
// The comments on the parameters of a model are not in the program: a field describes itself by the tag `about:"..."`.
func (c *Catalog) Schema() []byte {
	if c.Described != nil {
		return slices.Clone(c.Described)
	}
	text, err := c.describe()
	if err != nil {
		panic(fmt.Sprintf("catalog: the schema: %v", err)) // the embedded part is JSON, by a test
	}
	return text
}

// describe adds the models to the schema of a file.
func (c *Catalog) describe() ([]byte, error) {
	var all, definitions map[string]json.RawMessage
	if err := json.Unmarshal(fileSchema, &all); err != nil {
		return nil, err
	}
	if err := json.Unmarshal(all["definitions"], &definitions); err != nil {
		return nil, err
	}
	models := &schema.Node{}
	modelschema.Add(models, &schema.Builder{Comment: c.about, Forms: map[reflect.Type]*schema.Node{
		reflect.TypeFor[sim.Dist]():         schema.Ref("distribution"),
		reflect.TypeFor[strict.Frequency](): schema.Ref("rate"),
	}}, c.Models)
	var err error
	for _, d := range models.Definitions {
		if definitions[d.Name], err = json.Marshal(d.Node); err != nil {
			return nil, err
		}
	}
	if all["definitions"], err = json.Marshal(definitions); err != nil {
		return nil, err
	}
	if all["allOf"], err = json.Marshal(models.AllOf); err != nil {
		return nil, err
	}
	text, err := json.MarshalIndent(all, "", "  ")
	return append(text, '\n'), err
}

// about is what the tag of a field says, and the default of a parameter.
func (c *Catalog) about(t reflect.Type, field string) string {
	f, ok := t.FieldByName(field)
	if !ok {
		return ""
	}
	about := f.Tag.Get("about")
	for _, m := range c.Models {
		params := reflect.ValueOf(m.New().Target()).Elem()
		value, ok := "", false
		if params.Type() == t {
			value, ok = written(params.FieldByIndex(f.Index))
		}
		switch {
		case ok && about != "":
			return about + ": " + value
		case ok:
			return value
		}
	}
	return about
}

// parameters are the keys of a model's parameters.
func parameters(m format.Model) []strict.Field {
	return strict.Fields(reflect.TypeOf(m.New().Target()).Elem())
}
