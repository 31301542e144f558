// Package broadcast holds broadcast to a group of processes, in the orders that logical
// clocks give: each process sends to all, and delivers what has come when its order says
// so.
//
// Each order is a file that needs no engine, see [Algorithm]:
//
//	order          file        promises                        by                       messages
//	none           none.go     nothing                         delivering at once       N-1
//	fifo           fifo.go     fifo-order                      a number per sender      N-1
//	causal         causal.go   causal-order, fifo-order        a vector per message     N-1
//	total-lamport  total.go    same-order, causal-order, too   stamps, acknowledgments  N(N-1)
//
// What fifo and causal order buffer waits in a queue for each sender, holdback.go.
//
// Only the last needs the network to keep messages in order, and only that is what a
// replicated state machine needs: account.go is one, whose replicas differ after "add
// 100" and "interest 1%" in different orders.
//
// process.go is the thin node. What it notes goes into one ledger (ledger.go), by which
// seven properties check: the order in order.go, delivery in delivery.go and the
// replicas in replicas.go.
//
// None of the orders survives the loss of a message, and none guarantees that what one
// has delivered reaches all when the sender crashes half way: that is reliable broadcast,
// a layer of its own (a process passes on what it sees for the first time), which is not
// here. With total-lamport one crashed process stops all deliveries.
package broadcast
