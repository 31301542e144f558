package fleet

import (
	"fencepost/models/internal/kit"
	"fencepost/sim"
)

// The kinds of message, of all forms: a digest has their numbers.
const (
	start sim.Kind = iota // the zero message

	Request  // client to limiter: ID, Key, Cost; X how long the client waits, 0 forever
	Response // limiter to client: ID; OK it was admitted; X the retry-after, Y what remains

	arrive // client timer: the next requests of a phase; N is the phase
	again  // client timer: the retry-after of request ID is over
	serve  // limiter timer: the turn of request ID has come, to answer to node N

	Asked    // note of a client: request ID, Key, Cost leaves for node X
	Answered // note of a client: request ID is answered; OK it was admitted; Y how long it waits
	Admitted // note of a limiter: request ID, Key, Cost; X how long it waits for its turn
	Rejected // note of a limiter: request ID, Key, Cost; X the retry-after, ratelimit.Never forever; Y the dimension, from 0
	Started  // note of a limiter: the turn of request ID has come

	Eval   // limiter to store: the script for Key, Cost; Y the name of the call, OK with the text
	Get    // limiter to store: the counter of Key
	Set    // limiter to store: the counter of Key becomes Y
	Incr   // limiter to store: the counter of Key grows by Cost
	Expire // limiter to store: the counter of Key gets its expiry; OK if it has none
	ZCard  // limiter to store: the log of Key, less what is out of the window
	ZAdd   // limiter to store: the call Y enters the log of Key

	StoreReply  // store to limiter: N what it answers; X the value, Y how long until the key is gone, -1 forever; Cost its life
	StoreAnswer // store to limiter, to a script: OK, X and Y as Response; Cost the counter's life
	StoreError  // store to limiter: N what it answers; X the error

	Replicate // store to its replica: the counter of Key and window ID is X; with N it expires, in millisecond Y; Cost its life; OK it exists
	Promoted  // replica to limiters: it is the store now

	timedOut // limiter timer: the store has not answered ID, attempt N
	write    // store timer: somebody else writes a key
	promote  // replica timer: it becomes the store

	StoreOp   // note of a store: it has done what is asked for ID; N the command, and of a counter Key: Cost its life, X how much it has counted, Y how long until it is gone, -1 forever; OK it exists
	Evicted   // note of a store: the counter of Key, life Cost, has made room for another key
	TakenOver // note of a replica: it is the store now
	FellBack  // note of a limiter: request ID, Key is decided without the store; N why
	Opened    // note of a limiter: it does not ask the store any more; X for how long
	Closed    // note of a limiter: the store has answered again

	Sync    // limiter to store: Key, X more of the window that began at Y; ID numbers what is more
	SyncAck // store to limiter: Key, X all of the window that began at Y; ID

	LeaseAsk    // limiter to coordinator: Key, X wanted; ID
	LeaseGrant  // coordinator to limiter: Key, X tokens, Y for how long, with OK until when by the wall clock; Cost is the window's number; ID
	LeaseReturn // limiter to coordinator: Key, X tokens of window Cost; ID

	Gossip // region to region: Key, X counted there in the window that began at Y

	syncBegin // limiter timer: its timer starts
	syncTick  // limiter timer
	settle    // store timer: answer Sync ID of limiter N
	leaseHalf // limiter timer: half of the lease of ask ID is over
	leaseEnd  // limiter timer: the lease of ask ID is over
	leaseWait // limiter timer: ask ID should have been answered
	gossip    // region timer

	Counted  // note of a store: Key, X all of a window, Cost more of limiter N; OK it was counted before
	Leased   // note of a coordinator: Key, X tokens for limiter N, Y for how long; OK it was granted before
	Returned // note of a coordinator: Key, X tokens of limiter N
	Lapsed   // note of a limiter: Key, X tokens of a lease were not used
	Heard    // note of a region: Key, X counted by region N

	Ping    // balancer to limiter
	Alive   // limiter to balancer
	Members // balancer to limiter: N take part

	Charge  // limiter to shard: request ID, Key, Cost
	Charged // shard to limiter: request ID, Key, Cost; OK it is counted; X how long the window lasts
	Peek    // limiter to shard: the count of Key
	Peeked  // shard to limiter: Key, X counted in window Y

	Take    // limiter to store: request ID, Key, Cost in dimension N; OK as a reservation
	TakeAll // limiter to store: request ID, Key, Cost in all dimensions; OK only if it fits in all
	Taken   // store to limiter: request ID, dimension N; OK it fits; X how long the window lasts, Y which it is
	Refund  // limiter to store: what request ID, Key, Cost has taken in dimension N, window Y
	Confirm // limiter to store: the reservation of request ID in dimension N stays
	Cancel  // limiter to store: the reservation of request ID, Key, Cost in dimension N is given back

	health   // balancer timer: ask the limiters whether they live
	scale    // balancer timer: change N of how many take part
	announce // balancer timer: tell the limiters that N take part

	forward // limiter timer: request ID, Key, Cost of node N goes on; it was decided at X

	turn // limiter timer: whoever of Key has its turn

	pick // limiter timer: a shard for request ID, by how long it took since X
	soft // limiter timer: ask all shards

	lapse // store timer: the reservation of request ID, Key, Cost in dimension N is out of time

	ShardOp // note of a shard or a store: Key, X counted; OK it takes what it was asked for
	Dropped // note of a limiter: request ID, Key, Cost has waited longer than its client does
	Moved   // note of a balancer: X of Y keys have another limiter
	Grown   // note of a store: the log of Key has X members, more than any has had

	change  // limiter timer: it takes its other algorithm
	Changed // note of a limiter: it has

	kindCount
)

var kinds = kit.NewKinds(kindCount, kit.Kinds{
	Request:     kit.Message("request"),
	Response:    kit.Message("response"),
	arrive:      kit.Timer("arrive"),
	again:       kit.Timer("again"),
	serve:       kit.Timer("serve"),
	Asked:       kit.Note("asked"),
	Answered:    kit.Note("answered"),
	Admitted:    kit.Note("admitted"),
	Rejected:    kit.Note("rejected"),
	Started:     kit.Note("started"),
	Eval:        kit.Message("eval"),
	Get:         kit.Message("get"),
	Set:         kit.Message("set"),
	Incr:        kit.Message("incr"),
	Expire:      kit.Message("expire"),
	ZCard:       kit.Message("zcard"),
	ZAdd:        kit.Message("zadd"),
	StoreReply:  kit.Message("store-reply"),
	StoreAnswer: kit.Message("store-answer"),
	StoreError:  kit.Message("store-error"),
	Replicate:   kit.Message("replicate"),
	Promoted:    kit.Message("promoted"),
	timedOut:    kit.Timer("timed-out"),
	write:       kit.Timer("write"),
	promote:     kit.Timer("promote"),
	StoreOp:     kit.Note("store-op"),
	Evicted:     kit.Note("evicted"),
	TakenOver:   kit.Note("taken-over"),
	FellBack:    kit.Note("fell-back"),
	Opened:      kit.Note("opened"),
	Closed:      kit.Note("closed"),
	Sync:        kit.Message("sync"),
	SyncAck:     kit.Message("sync-ack"),
	LeaseAsk:    kit.Message("lease-ask"),
	LeaseGrant:  kit.Message("lease-grant"),
	LeaseReturn: kit.Message("lease-return"),
	Gossip:      kit.Message("gossip"),
	syncBegin:   kit.Timer("sync-begin"),
	syncTick:    kit.Timer("sync-tick"),
	settle:      kit.Timer("settle"),
	leaseHalf:   kit.Timer("lease-half"),
	leaseEnd:    kit.Timer("lease-end"),
	leaseWait:   kit.Timer("lease-wait"),
	gossip:      kit.Timer("gossip-tick"),
	Counted:     kit.Note("counted"),
	Leased:      kit.Note("leased"),
	Returned:    kit.Note("returned"),
	Lapsed:      kit.Note("lapsed"),
	Heard:       kit.Note("heard"),
	Ping:        kit.Message("ping"),
	Alive:       kit.Message("alive"),
	Members:     kit.Message("members"),
	Charge:      kit.Message("charge"),
	Charged:     kit.Message("charged"),
	Peek:        kit.Message("peek"),
	Peeked:      kit.Message("peeked"),
	Take:        kit.Message("take"),
	TakeAll:     kit.Message("take-all"),
	Taken:       kit.Message("taken"),
	Refund:      kit.Message("refund"),
	Confirm:     kit.Message("confirm"),
	Cancel:      kit.Message("cancel"),
	health:      kit.Timer("health"),
	scale:       kit.Timer("scale"),
	announce:    kit.Timer("announce"),
	forward:     kit.Timer("forward"),
	turn:        kit.Timer("turn"),
	pick:        kit.Timer("pick"),
	soft:        kit.Timer("soft"),
	lapse:       kit.Timer("lapse"),
	ShardOp:     kit.Note("shard-op"),
	Dropped:     kit.Note("dropped"),
	Moved:       kit.Note("moved"),
	Grown:       kit.Note("grown"),
	change:      kit.Timer("change"),
	Changed:     kit.Note("changed"),
})
