package ntp_test

import (
	"fmt"
	"time"

	"fencepost/models/clock/ntp"
)

// Three sources, one of which is wrong. What two of three agree on holds the truth.
func ExampleMarzullo() {
	sources := []ntp.Estimate{{Offset: 10e9, Error: 2e9}, {Offset: 12e9, Error: 1e9}, {Offset: 25e9, Error: 1e9}}
	e, ok := ntp.Marzullo(sources, 3, 1)
	fmt.Println(e.Offset-e.Error, e.Offset+e.Error, ok)
	_, ok = ntp.Marzullo(sources, 3, 0)
	fmt.Println(ok)
	// Output:
	// 11s 12s true
	// false
}

// A clock that is 128 ms behind, made up at 500 ppm.
func ExampleDisciplined() {
	d := ntp.Disciplined{Rate: 500_000}
	fmt.Println(d.Slew(128*time.Millisecond, 0))
	fmt.Println(d.Correction(1e9), d.Correction(128e9), d.Correction(256e9))
	// Output:
	// 4m16s
	// 500µs 64ms 128ms
}
