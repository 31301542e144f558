package adaptive

import "fencepost/sim/model"

// meter records what a limit does, and what becomes of the requests.
type meter struct {
	Limit   model.Measure `measure:"limit,last=limited.limit"`
	Least   model.Measure `measure:"least-limit,least=limited.limit"`
	Most    model.Measure `measure:"most-limit,peak=limited.limit"`
	Load    model.Measure `measure:"load,last=measured.percent"` // of the plant's CPU at the end, in percent
	Sent    model.Measure `measure:"requests,counts=sent"`
	Useful  model.Measure `measure:"useful,counts=answered,if=in-time"` // answers within the patience of the load
	Late    model.Measure `measure:"late,counts=answered,if=!in-time"`
	Refused model.Measure `measure:"refused,counts=refused"`
	Latency model.Measure `measure:"latency,duration,of=answered.took"`
	Ignored model.Measure `measure:"ignored-round-trips,total,of=ignored.trips"`
}
