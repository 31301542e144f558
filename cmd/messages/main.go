// Command messages writes the code that follows from the declared messages of a package: constants, the table of kinds,
// constructors, accessors, setters and words. A package without a type Msg gets one. Run it with go generate:
//
//	//go:generate go run fencepost/cmd/messages
//
//	// fields declares each field once: type, register, words, documentation.
//	type fields struct {
//		Amount int64 // amount of the payment
//		Nth    uint8 // number of the attempt, 1 and up
//	}
//
//	//messages:family
//	type messages struct {
//		Pay   model.Message `has:"Amount Nth" say:" {Amount}[ again: {Nth}]"` // client to server
//		again model.Timer                                                    // client: the network may have lost it
//		Paid  model.Note    `has:"Amount"`                                   // the server carries out a payment
//	}
//
// A kind has these tags, all of them optional:
//
//	kind:"7 pay-order"   its number, else that of the kind before plus 1; its name, else the field's in kebab case
//	has:"Amount Nth"     what it carries; the constructor takes the fields of request(Amount) from a message of that name, and
//	                     leaves out those that are set later, as +Nth
//	new:"Order"          the constructor is NewOrder; kinds that share one need the same fields, and it takes the kind
//	say:" {Amount}"      what Msg.String says after the name: {Name} is a field or a method of Msg, [..{Name}..|else]
//	                     needs one that is not zero, and [?Name:yes|no] chooses
//	text, log, detail    sentences of a model.Description
//
// A field of a package that writes Msg by hand has the tag at:"x", which names the field of Msg that holds it. at:"x.lo" and
// at:"x.hi" are the halves of 64 bits, at:"n limit" keeps the largest value of 16 bits for larger ones. A reading of a clock needs
// 64 bits, unless at:"n coarse" says that a proof need not see it. A field with the name of a field of Msg is that field. The
// tag show:"f" names the function that puts its value into words, and set:"yes" asks for a setter.
//
// The comment //messages:byvalue makes constructors and methods take messages by value, not by a pointer.
//
// What the package declares itself is not written again: a function by hand wins.
//
// The command reads syntax alone, because the package does not compile before it ran. With -check every accessor panics if the
// kind of the message does not have the field.
package main

import (
	"errors"
	"flag"
	"fmt"
	"go/ast"
	"go/token"
	"os"
	"strings"
)

func main() {
	out := flag.String("out", output(os.Getenv("GOFILE")), "`file` to write")
	check := flag.Bool("check", false, "make accessors panic if the kind of the message does not have the field")
	flag.Parse()
	text, err := generate(".", *out, *check)
	if err == nil {
		err = os.WriteFile(*out, text, 0o644)
	}
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
}

// output returns the name of the file to write. A declaration in a test file is for tests only.
func output(file string) string {
	if strings.HasSuffix(file, "_test.go") {
		return "messages_gen_test.go"
	}
	return "messages_gen.go"
}

// generate returns the file of a folder. The error lists all mistakes of the declaration.
func generate(dir, out string, check bool) ([]byte, error) {
	d := &declaration{fset: token.NewFileSet(), ref: "*", byHand: map[string]bool{}, used: map[string]bool{}, structs: map[string]*ast.StructType{},
		imports: map[string]string{"sim": "fencepost/sim", "model": "fencepost/sim/model", "fmt": "fmt", "math": "math"}}
	if d.parse(dir, out); len(d.found) == 0 {
		d.resolve()
	}
	if len(d.found) > 0 {
		d.found.Sort()
		var list []error
		for _, e := range d.found {
			list = append(list, e)
		}
		return nil, errors.Join(list...)
	}
	w := writer{declaration: d, check: check}
	return w.file()
}
