package simtest_test
import ("testing";"fencepost/sim";"fencepost/sim/simtest")
func TestDump(t *testing.T) {
	unsafe := patient()
	unsafe.System = func() sim.System[Msg] { s := handOver(); s.Nodes[0] = sim.Place[Msg]("primary", Forgetful{}); return s }
	k:=try(t, "TestForgetful", func(t testing.TB) { simtest.Explore(t, unsafe) })
	t.Log(k.log.String())
}
