// Package far has no steps: what is found here is told to packages that have.
package far

import "time"

func Now() int64 { return now() } // want Now:`calls now: time.Now is the wall clock`

func now() int64 { return time.Now().UnixNano() }

type Clock struct{ n int }

func (c Clock) Read() int64 { return now() } // want Read:`time.Now`

func (c *Clock) Tick() { c.n++ } // want Tick:`written by "", parameters \[-1\]`

var Table = map[int]int{} // want Table:`written by "Set"`

var Fixed = map[int]int{}

func Set(k int) { Table[k] = 1 } // want Set:`the variable Table is written`

func Fill(m map[int]int) { m[1] = 1 } // want Fill:`parameters \[0\]`

func Allowed() int64 {
	return time.Now().UnixNano() //fencepost:allow it is for the log
}

func Pure(x int64) int64 { return x + 1 }

func Call[C interface{ Read() int64 }](c C) int64 { return c.Read() } // want Call:`calls Clock.Read, which calls now: time.Now`
