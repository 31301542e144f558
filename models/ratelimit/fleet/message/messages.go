package message

import (
	"time"

	"fencepost/models/internal/redis"
	"fencepost/sim"
	"fencepost/sim/model"
)

//go:generate go run fencepost/cmd/messages

//messages:byvalue

// fields are what messages carry. Digests hold the registers.
type fields struct {
	OK               bool
	ID               uint64
	Key              uint64
	Cost             uint32
	Patience         time.Duration `at:"x"`    // time for which the client of a request waits; 0: forever
	Wait             time.Duration `at:"x"`    // time after which a request may come again, or has its turn, or a window is over
	Remaining        int64         `at:"y"`    // remaining budget of an admitted client
	Phase            int           `at:"n"`    // phase of the client, 0 and up
	Client           sim.NodeID    `at:"n"`    // client that gets the answer to a request that waits
	To               sim.NodeID    `at:"x"`    // node that a request is sent to
	AnsweredPatience time.Duration `at:"y"`    // time for which the client of an answered request waits; 0: forever
	RejectedBy       int           `at:"y"`    // dimension, 0 and up, that has rejected a request
	Count            int64         `at:"x"`    // number that was counted
	CounterLife      int64         `at:"y"`    // life of the counter that has admitted a request; 0: none
	Call             uint64        `at:"y"`    // name of the call that a script, a member of a log or a timer is of
	Reading          int64         `at:"x"`    // reading of the limiter's clock when it sent a command
	SetTo            int64         `at:"y"`    // value that a counter is set to
	Attempt          uint16        `at:"n"`    // number of the attempt at a call that has timed out
	Command          sim.Kind      `at:"n"`    // command that the store answers, or has done
	Life             uint32        `at:"Cost"` // number of a counter's life: how often there was none before it
	Value            int64         `at:"x"`    // answer of the store, or count of a counter
	TTL              int64         `at:"y"`    // time until a key is gone; -1: forever
	Err              redis.Error   `at:"x"`    // error of the store
	Flush            uint64        `at:"y"`    // number of the flush that a timer is of
	Commands         int64         `at:"n"`    // number of commands that a store has read at once
	Why              uint16        `at:"n"`    // reason for which a limiter decides without the store
	Window           int64         `at:"y"`    // clock reading at which the counted window began, or the number of that window
	Syncing          int           `at:"n"`    // limiter, 0 and up, that waits for the answer to a sync
	More             uint32        `at:"Cost"` // number that a sync has added to a total
	Tokens           int64         `at:"x"`    // number of tokens that are wanted, granted, returned or lapsed
	LeaseWindow      uint32        `at:"Cost"` // number of the window that granted or returned tokens are of
	LeaseLength      time.Duration `at:"y"`    // time for which a grant is valid, or without tokens, until there may be some
	LeaseUntil       sim.Wall      `at:"y"`    // instant at which an absolute grant ends
	HalfLength       time.Duration `at:"x"`    // length of half of a lease
	GrantedBefore    bool          `at:"OK"`   // a note of a grant is of one that was made before
	Limiters         int           `at:"n"`    // number of limiters that take part
	Change           int           `at:"n"`    // number of the change, 0 and up
	Armed            sim.Mono      `at:"x"`    // instant at which a timer was armed, or a request decided
	Dimension        int           `at:"n"`    // dimension, 0 and up, that is asked, or has answered
}

//messages:family
type coreMessages struct {
	Start model.Message `kind:"0"` // the zero message
	// client to limiter: ID, Key, Cost; X how long the client waits, 0 forever
	Request model.Message `kind:"1" has:"ID Key Cost Patience" say:" {requestText}"`
	// limiter to client: ID; OK it was admitted; X the retry-after, Y what remains
	Response model.Message `kind:"2" has:"+ID +Key +Cost +OK +Wait +Remaining" say:" {requestName} [?OK:admitted|rejected{retryText}]"`
	Arrive   model.Timer   `kind:"3" has:"Phase"`                    // of a client: the next requests of a phase; N is the phase
	Again    model.Timer   `kind:"4" has:"+ID" say:" {requestName}"` // of a client: the retry-after of request ID is over
	// of a limiter: the turn of request ID has come, to answer to node N
	Serve model.Timer `kind:"5" has:"request(ID Key Cost) Client Remaining" say:" {requestName}"`
	Asked model.Note  `kind:"6" has:"ID Key Cost To" say:" {requestText}"` // of a client: request ID, Key, Cost leaves for node X
	// of a client: request ID is answered; OK it was admitted; Y how long it waits
	Answered model.Note `kind:"7" has:"response(OK ID Wait) Key Cost AnsweredPatience" say:" {requestName} [?OK:admitted|rejected{retryText}]"`
	// of a limiter: request ID, Key, Cost; X how long it waits for its turn
	Admitted model.Note `kind:"8" has:"request(ID Key Cost) Wait +CounterLife" say:" {requestText}"`
	// of a limiter: request ID, Key, Cost; X the retry-after, ratelimit.Never forever; Y the dimension, from 0
	Rejected model.Note `kind:"9" has:"request(ID Key Cost) Wait RejectedBy" say:" {requestText}{retryText}"`
	Started  model.Note `kind:"10" has:"+ID +Key +Cost" say:" {requestName}"` // of a limiter: the turn of request ID has come
	// of a shard or a store: Key, x counted; OK it takes what it was asked for
	ShardOp model.Note `kind:"71" has:"ID Key OK Count" say:" key {Key}: {Count}"`
}

//messages:family
type centralMessages struct {
	// limiter to store: the script for Key, Cost; y the name of the call, OK with the text
	Eval model.Message `kind:"11" has:"+ID +Key +Cost +Call +Reading +OK" say:" {requestText}"`
	Get  model.Message `kind:"12" has:"+ID +Key +Cost +Reading" say:" {requestText}"` // limiter to store: the counter of Key
	// limiter to store: the counter of Key becomes y
	Set model.Message `kind:"13" has:"+ID +Key +Cost +Reading +SetTo" say:" {requestName} key {Key} to {SetTo}"`
	// limiter to store: the counter of Key grows by Cost
	Incr model.Message `kind:"14" has:"+ID +Key +Cost +Reading" say:" {requestText}"`
	// limiter to store: the counter of Key gets its expiry; OK if it has none
	Expire model.Message `kind:"15" has:"+ID +Key +Cost +Reading +OK" say:" {requestName} key {Key}"`
	// limiter to store: the log of Key, less what is out of the window
	ZCard model.Message `kind:"16 zcard" has:"+ID +Key +Cost +Reading" say:" {requestText}"`
	// limiter to store: the call y enters the log of Key
	ZAdd model.Message `kind:"17 zadd" has:"+ID +Key +Cost +Reading +Call" say:" {requestText}"`
	// store to limiter: the command that it answers
	StoreReply model.Message `kind:"18" has:"+ID +Life +Value +TTL +Command" say:" {requestName}: {commandName} is {Value}[?Life:, {ttlText}]"`
	// store to limiter: the answer to a script, as Response
	StoreAnswer model.Message `kind:"19" has:"+ID +OK +Life +Wait +Remaining" say:" {requestName} [?OK:admitted|rejected]{retryText}"`
	// store to limiter: n what it answers; x the error
	StoreError model.Message `kind:"20" has:"+ID +Command +Err" say:" {requestName}: {Err}"`
	// store to its replica: the counter of a key and a window; OK: it exists
	Replicate model.Message `kind:"21" has:"+ID +Key +OK +Life +Value" say:" key {Key}: {Value}"`
	Promoted  model.Message `kind:"22"` // replica to limiters: it is the store now
	// of a limiter: the store has not answered ID, attempt n
	TimedOut model.Timer `kind:"23" has:"ID Call Attempt" say:" {requestName}"`
	Write    model.Timer `kind:"24"` // of a store: another user of the store writes a key
	Promote  model.Timer `kind:"25"` // of a replica: it becomes the store
	// of a store: it has done what is asked for a request; OK: the counter exists
	StoreOp model.Note `kind:"26" has:"+OK +Command +Life +ID +Key +Value +TTL" say:" {requestName} key {Key}: {commandName}[?Life:, #{Life} at {Value}, {ttlText}]"`
	// of a store: the counter of Key, life Cost, has made room for another key
	Evicted   model.Note `kind:"27" has:"Key Life" say:" key {Key}"`
	TakenOver model.Note `kind:"28"` // of a replica: it is the store now
	// of a limiter: request ID, Key is decided without the store; n why
	FellBack model.Note `kind:"29" has:"request(ID Key Cost) Why" say:" {requestName} key {Key}: {reason}"`
	Opened   model.Note `kind:"30" has:"Wait" say:" for {Wait}"` // of a limiter: it does not ask the store any more; x for how long
	Closed   model.Note `kind:"31"`                              // of a limiter: the store has answered again
	// of a store: the log of Key has x members, more than any has had
	Grown model.Note  `kind:"74" has:"Key Count" say:" key {Key}: {Count}"`
	Flush model.Timer `kind:"77" has:"Flush"` // of a limiter: the first command of its flush y has been held long enough
	Read  model.Timer `kind:"78"`             // of a store: it has done what it has read, and reads on
	// of a store: it has read n commands of one limiter; x how long they keep it busy
	Flushed model.Note `kind:"79" has:"Commands Wait" say:" {Commands} at once, busy for {Wait}"`
}

//messages:family
type syncMessages struct {
	// limiter to store: Key, x admitted since the last, in the window that began at y; ID numbers them
	Sync model.Message `kind:"32" has:"ID Key Count Window" say:" key {Key} window {windowText}: {Count}, number {ID}"`
	// store to limiter: Key, x all of the window that began at y; ID
	SyncAck   model.Message `kind:"33" has:"settle(ID Key Window) Count" say:" key {Key} window {windowText}: {Count}, number {ID}"`
	SyncBegin model.Timer   `kind:"38"` // of a limiter: its timer starts
	SyncTick  model.Timer   `kind:"39"` // of a limiter
	// of a store: answer Sync ID of limiter n
	Settle model.Timer `kind:"40" has:"+ID +Key +Count +Window +Syncing" say:" limiter {Syncing} key {Key}, number {ID}"`
	// of a store: Key, x all of a window, Cost more of limiter n; OK it was counted before
	Counted model.Note `kind:"45" has:"+Key +OK +More +Count +Window" say:" key {Key}: {Count}, {More} of limiter {number}"`
}

//messages:family
type leaseMessages struct {
	// limiter to coordinator: Key, x wanted; ID
	LeaseAsk model.Message `kind:"34" has:"ID Key Tokens" say:" key {Key}: {Tokens}, number {ID}"`
	// coordinator to limiter: tokens for a time; OK: until an instant by the wall clock
	LeaseGrant model.Message `kind:"35" has:"ID Key Tokens LeaseLength +LeaseUntil +LeaseWindow +OK" say:" key {Key}: {Tokens} [?OK:until|for] {LeaseLength}, number {ID}"`
	// limiter to coordinator: Key, x tokens of window Cost; ID
	LeaseReturn model.Message `kind:"36" has:"ID Key Tokens LeaseWindow" say:" key {Key}: {Tokens}"`
	// of a limiter: half of the lease of ask ID is over
	LeaseHalf model.Timer `kind:"41" has:"ID Key HalfLength" say:" key {Key}, number {ID}"`
	// of a limiter: the lease of ask ID is over
	LeaseEnd model.Timer `kind:"42" has:"ID Key" new:"LeaseTimer" say:" key {Key}, number {ID}"`
	// of a limiter: ask ID should have been answered
	LeaseWait model.Timer `kind:"43" has:"ID Key" new:"LeaseTimer" say:" key {Key}, number {ID}"`
	// of a coordinator: Key, x tokens for limiter n, y for how long; OK it was granted before
	Leased model.Note `kind:"46" has:"+GrantedBefore +Key +Tokens +LeaseLength" say:" key {Key}: {Tokens} to limiter {number} for {LeaseLength}"`
	// of a coordinator: Key, x tokens of limiter n
	Returned model.Note `kind:"47" has:"+Key +Tokens" say:" key {Key}: {Tokens} of {number}"`
	Lapsed   model.Note `kind:"48" has:"Key Tokens" say:" key {Key}: {Tokens}"` // of a limiter: Key, x tokens of a lease were not used
}

//messages:family
type regionsMessages struct {
	// region to region: Key, x counted there in the window that began at y
	Gossip     model.Message `kind:"37" has:"Key Count Window" say:" key {Key} window {windowText}: {Count}"`
	GossipTick model.Timer   `kind:"44"` // of a region
	// of a region: Key, x counted by region n
	Heard model.Note `kind:"49" has:"+Key +Count +Window" say:" key {Key}: {Count} of {number}"`
}

//messages:family
type balancerMessages struct {
	Ping     model.Message `kind:"50"`                                                // balancer to limiter
	Alive    model.Message `kind:"51"`                                                // limiter to balancer
	Members  model.Message `kind:"52" has:"Limiters" new:"Members" say:" {Limiters}"` // balancer to limiter: n take part
	Health   model.Timer   `kind:"63"`                                                // of a balancer: ask the limiters whether they live
	Scale    model.Timer   `kind:"64" has:"Change" say:" {Change}"`                   // of a balancer: change n of how many take part
	Announce model.Timer   `kind:"65" has:"Limiters" new:"Members" say:" {Limiters}"` // of a balancer: tell the limiters that n take part
	Moved    model.Note    `kind:"73" say:" {movedText} keys"`                        // of a balancer: x of y keys have another limiter
}

//messages:family
type shardsMessages struct {
	Charge model.Message `kind:"53" has:"+ID +Key +Cost" say:" {requestText}"` // limiter to shard: request ID, Key, Cost
	// shard to limiter: request ID, Key, Cost; OK it is counted; x how long the window lasts
	Charged model.Message `kind:"54" has:"request(ID Key Cost) OK Wait" say:" {requestName} key {Key} [?OK:admitted|rejected]"`
	Peek    model.Message `kind:"55" has:"+Key" say:" key {Key}"`                      // limiter to shard: the count of Key
	Peeked  model.Message `kind:"56" has:"Key Count Window" say:" key {Key}: {Count}"` // shard to limiter: Key, x counted in window y
	// of a limiter: a shard for request ID, by how long it took since x
	Pick model.Timer `kind:"68" has:"request(ID Key Cost) Armed" say:" {requestText}"`
	Soft model.Timer `kind:"69"` // of a limiter: ask all shards
}

//messages:family
type dimensionsMessages struct {
	// limiter to store: request ID, Key, Cost in dimension n; OK as a reservation
	Take model.Message `kind:"57" has:"request(ID Key Cost) Dimension OK" say:" {requestText} dimension {dimensionNumber}"`
	// limiter to store: request ID, Key, Cost in all dimensions; OK only if it fits in all
	TakeAll model.Message `kind:"58" has:"request(ID Key Cost) OK" new:"TakeAll" say:" {requestText} dimension {dimensionNumber}"`
	// store to limiter: request ID, dimension n; OK it fits; x how long the window lasts, y which it is
	Taken model.Message `kind:"59" has:"+ID +Key +Cost +Dimension +OK +Window +Wait" say:" {requestName} dimension {dimensionNumber} [?OK:admitted|rejected]"`
	// limiter to store: what request ID, Key, Cost has taken in dimension n, window y
	Refund model.Message `kind:"60" has:"request(ID Key Cost) Dimension Window" new:"Refund" say:" {requestText} dimension {dimensionNumber}"`
	// limiter to store: the reservation of request ID in dimension n stays
	Confirm model.Message `kind:"61" has:"+ID +Key +Cost +Dimension" say:" {requestText} dimension {dimensionNumber}"`
	// limiter to store: the reservation of request ID, Key, Cost in dimension n is given back
	Cancel model.Message `kind:"62" has:"request(ID Key Cost) Dimension Window" new:"Refund" say:" {requestText} dimension {dimensionNumber}"`
	// of a store: the reservation of request ID, Key, Cost in dimension n is out of time
	Lapse model.Timer `kind:"70" has:"+ID +Key +Cost +Dimension +Window" say:" {requestText} dimension {dimensionNumber}"`
}

//messages:family
type lineMessages struct {
	Turn model.Timer `kind:"67" has:"+Key" say:" key {Key}"` // of a limiter: the next request of Key has its turn
	// of a limiter: request ID, Key, Cost has waited longer than its client does
	Dropped model.Note `kind:"72" has:"+ID +Key +Cost" say:" {requestText}"`
}

//messages:family
type localMessages struct {
	// of a limiter: request ID, Key, Cost of node n is forwarded; it was decided at x
	Forward model.Timer `kind:"66" has:"request(ID Key Cost) Client Armed Remaining" say:" {requestText}"`
	Change  model.Timer `kind:"75"` // of a limiter: it takes its other algorithm
	Changed model.Note  `kind:"76"` // of a limiter: it has
}
