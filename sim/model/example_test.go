package model_test

import (
	"fmt"
	"time"

	"fencepost/sim"
	"fencepost/sim/model"
)

//go:generate go run fencepost/cmd/messages

// fields are what messages carry.
type fields struct {
	Payment uint32 // number of the payment
}

//messages:family
type messages struct {
	Pay   model.Message `has:"Payment"` // client to server
	again model.Timer   // client: the network may have lost it
	Paid  model.Note    `has:"Payment" text:" {payment}" log:"{node} carries out payment {payment}" detail:"carries out payment {payment}"`
}

// description says them in words.
var description = model.Describe(kinds, model.Facts[Msg]{"payment": model.Number((*Msg).Payment)})

// String says a message by the sentence of its kind.
func (m Msg) String() string { return description.String(m) }

// Params are the params block of a scenario.
type Params struct {
	Clients int           `yaml:"clients" range:"1..10"`       // 1
	Retry   time.Duration `yaml:"retry" range:"1ms..1h"`       // 10ms
	Server  string        `yaml:"server,oneof=careless|dedup"` // careless
}

// DefaultParams are the parameters of an empty params block.
func DefaultParams() Params { return Params{Clients: 1, Retry: 10 * time.Millisecond} }

// Problems is what is wrong with the parameters.
func (p *Params) Problems() []model.ValidationError { return model.Validate(p, DefaultParams()) }

// Client pays, and pays again.
type Client struct {
	Server sim.NodeID
	Retry  time.Duration
}

// Step implements [sim.Node].
func (c *Client) Step(in sim.In[Msg], out *sim.Out[Msg]) {
	out.Send(c.Server, NewPay(uint32(in.Self)))
	out.After(c.Retry, Say(again))
}

// Server carries out payments; if it is careful, each once.
type Server struct {
	Dedup bool

	paid [11]bool
}

// Step implements [sim.Node].
func (s *Server) Step(in sim.In[Msg], out *sim.Out[Msg]) {
	if in.Msg.Kind == start || s.Dedup && s.paid[in.Msg.Payment()] {
		return
	}
	s.paid[in.Msg.Payment()] = true
	out.Note(NewPaid(in.Msg.Payment()))
}

// onlyOnce holds if no payment is carried out twice.
type onlyOnce struct{ At map[uint32]sim.Time }

// Check implements [model.Checker].
func (p *onlyOnce) Check(r *model.Report[Msg]) {
	r.Saw()
	at, before := p.At[r.Msg.Payment()]
	if before && r.Violated(r.Node) {
		r.Why("%s carries out payment %d, which it did at %v", r.Name(r.Node), r.Msg.Payment(), at)
	}
	p.At[r.Msg.Payment()] = r.Now()
}

// meter records what the model does.
type meter struct {
	Paid model.Measure `measure:"paid,counts=paid"`
	Gap  model.Measure `measure:"gap,duration"` // between two payments
	Last sim.Time
}

// Observe implements [model.Recorder].
func (m *meter) Observe(v *sim.View[Msg], _ *sim.Observation[Msg]) {
	if m.Last > 0 {
		m.Gap.RecordDuration(v, v.Now().Sub(m.Last))
	}
	m.Last = v.Now()
}

// System is the system that the parameters describe.
func (p *Params) System() sim.System[Msg] {
	s := description.System("payments", p.Problems())
	if s.Err != nil {
		return s
	}
	s.Nodes = append(s.Nodes, sim.Place[Msg]("server", Server{Dedup: p.Server == "dedup"}))
	model.Place(&s, "client", p.Clients, func(int) Client { return Client{Server: 1, Retry: p.Retry} })
	s.Properties = []sim.Property[Msg]{model.NewProperty("only-once", &onlyOnce{}, Paid)}
	model.AddMeter(&s, &meter{})
	return s
}

// A whole model: clients that pay again and again, and a server that may remember.
func Example() {
	for _, server := range []string{"careless", "dedup"} {
		p := DefaultParams()
		p.Server = server
		w, err := sim.NewWorld(p.System(), sim.Config{Until: sim.Time(time.Second)})
		if err != nil {
			fmt.Println(err)
			return
		}
		r := w.Run(1)
		fmt.Println(server, r.Properties[0].Verdict, w.Why(0), r.Samples[0])
	}
	p := Params{Retry: time.Minute, Server: "quick"}
	fmt.Println(p.System().Err)
	// Output:
	// careless violated server carries out payment 2, which it did at 0.000s {0 100}
	// dedup holds  {0 1}
	// payments: clients: want 1 to 10, got 0
	// payments: server: want one of careless, dedup, got "quick"
}
