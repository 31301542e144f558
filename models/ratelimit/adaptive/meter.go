package adaptive

import "fencepost/models/internal/kit"

// meter records what a limit does, and what becomes of the requests.
type meter struct {
	Limit   kit.Measure `measure:"limit,last=limited.limit"`
	Least   kit.Measure `measure:"least-limit,least=limited.limit"`
	Most    kit.Measure `measure:"most-limit,peak=limited.limit"`
	Load    kit.Measure `measure:"load,last=measured.percent"` // of the plant's CPU at the end, in percent
	Sent    kit.Measure `measure:"requests,counts=sent"`
	Useful  kit.Measure `measure:"useful,counts=answered,if=in-time"` // answers within the patience of the load
	Late    kit.Measure `measure:"late,counts=answered,if=!in-time"`
	Refused kit.Measure `measure:"refused,counts=refused"`
	Latency kit.Measure `measure:"latency,duration,of=answered.took"`
	Ignored kit.Measure `measure:"ignored-round-trips,total,of=ignored.trips"`
}
