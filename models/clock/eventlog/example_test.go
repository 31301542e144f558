package eventlog_test

import (
	"fmt"
	"strings"

	"fencepost/models/clock/eventlog"
)

func Example() {
	log, err := eventlog.Read(strings.NewReader(`alice {"alice":1}
asks bob
bob {"alice":1,"bob":1}
is asked
carol {"bob":2,"carol":1}
is told what alice has asked
`), eventlog.Options{})
	if err != nil {
		fmt.Println(err)
		return
	}
	order := log.Order(10)
	for _, x := range order.Inconsistencies {
		fmt.Printf("line %d: %v: %s\n", x.Line, x.Kind, x.Why)
	}
	fmt.Println(log.Name(0), log.Relation(0, 2), log.Name(2))
	// Output:
	// line 5: not-sent: the clock has event 2 of bob, which is not in the log
	// line 5: not-passed-on: the clock has event 1 of bob, in line 3, which counts 1 of alice, and counts 0 of alice itself
	// alice:1 || carol:1
}
