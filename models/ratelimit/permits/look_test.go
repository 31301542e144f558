package permits
import ("testing";"fmt";"context";"slices";"fencepost/sim";"fencepost/sim/explore")
func TestLook(t *testing.T){
	budget := explore.Budget{Pauses: 1, PauseFor: lengths(150, 290), Late: 1, LateBy: lengths(160, 290)}
	r := find(t, fixed(apart), "one-answer", explore.Exhaustive, 0, budget)
	p:=fixed(apart)
	program:=sim.NewProgram(p.System)
	cfg:=sim.Config{Until: at(2000), Network: sim.Network{Default: sim.Link{Delay: sim.Constant(ms)}}}
	small, err := explore.Shrink(context.Background(), explore.Subject{Program: program, Config: cfg}, r.Found, nil)
	fmt.Println(err, small.Schedule, small.Finding)
	w,_:=program.NewWorld(cfg)
	w.SetStory(func(m sim.Moment){fmt.Println(m.At,m.Text)})
	small.Schedule.Play(w)
	fmt.Println(w.Why(slices.Index(program.Properties,"one-answer")))
}
