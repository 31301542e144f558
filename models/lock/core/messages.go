package core

import (
	"time"

	"fencepost/models/internal/etcd"
	"fencepost/models/internal/zookeeper"
	"fencepost/sim"
	"fencepost/sim/model"
)

//go:generate go run fencepost/cmd/messages

// fields are what messages carry. Digests hold the registers.
type fields struct {
	Grant      uint64 `at:"value" show:"valueName"` // grant that a message is about, see [GrantOf]
	Nth        uint16 `at:"n limit"`                // number of the attempt of an acquisition, or of the write of a grant, 1 and up
	Try        uint32
	OK         bool
	About      uint16        `at:"n"`     // part of the protocol that a timeout is about
	Call       int           `at:"value"` // number of the call that has timed out; 0: it has none
	Messages   uint16        `at:"n"`     // number of messages that an acquisition took
	Ends       bool          `at:"OK"`    // a lease has an end
	Until      int64         `at:"x"`     // clock reading at which a lease ends, if it does
	GrantedBy  int           `at:"n"`     // number of instances that granted an attempt
	Validity   time.Duration `at:"x"`     // remaining validity of a lease; below 0: it ended that long ago
	Unanswered bool          `at:"n"`     // a client releases the lock because its write was not answered in time
	// revision that orders the notes of a service whose servers are replicas; 0: they are none
	Revision     uint64 `at:"token" set:"yes"`
	Loss         Loss   `at:"n"`     // way in which a key was lost that no client deleted
	FencingToken uint64 `at:"token"` // fencing token, 1 and up; 0: none; in a reply of the store the latest that it has admitted
	Counter      int64  `at:"x"`     // counter; of a job that runs once a night the latest night in which it was done
	Before       uint16 `at:"n"`     // number of earlier writes of the client with this grant
	LatestToken  uint64 `at:"x"`     // latest token that the store has seen, which rejects another
	Wrote        bool   `at:"n"`     // a client has written before it learned that its token is stale
	Night        int64  `at:"x"`     // night that a job is for, 1 and up

	// value of the lock's key; 0: none
	LockValue uint64        `at:"value" show:"valueName" set:"yes"`
	TTL       time.Duration `at:"x"`               // time to live of the key or the session; 0: forever
	Number    uint16        `at:"n" set:"yes"`     // number of the request, the timer or the extension
	Refusal   Refusal       `at:"token" set:"yes"` // reason for which a command is refused; 0: it is not
	Left      time.Duration `at:"x" set:"yes"`     // remaining lease of another owner: 0 in its last millisecond, or [Endless]
	Unlocked  bool          `at:"n" set:"yes"`     // unlock has freed the lock, which it does not if its owner had entered twice
	Late      bool          `at:"OK"`              // a timer of the watchdog waits for the thread that is to run it
	Believes  bool          `at:"n"`               // the client believes that it holds the lock when its watchdog stops

	Replicas    int           `at:"n"`     // number of replicas that are waited for, or have acknowledged
	WaitsFor    time.Duration `at:"x"`     // time for which a client waits for replicas; 0: forever
	History     uint32        `at:"Try"`   // history of the stream that a timer of replication belongs to
	Replica     int           `at:"n"`     // number of the replica that a write is to be sent to, 0 and up
	Turn        uint32        `at:"Try"`   // turn of its role in which a replica acknowledges
	Waiter      sim.NodeID    `at:"x"`     // client that has waited
	WasMaster   bool          `at:"n"`     // the server that becomes a replica was a master: what only it had is lost
	Master      sim.NodeID    `at:"x"`     // server that a message calls the master
	Epoch       uint64        `at:"token"` // epoch of a failover
	Priority    int           `at:"n"`     // replica-priority of a server
	Offset      uint64        `at:"token"` // offset up to which a server has the stream
	AsksForVote bool          `at:"OK"`    // a Sentinel wants to lead the failover
	Sentinels   int           `at:"n"`     // number of Sentinels for which the master is down

	Term      uint64       `at:"token"`                // term that a server leads
	LeaseID   etcd.LeaseID `at:"value" show:"keyName"` // lease that a message is about
	Seconds   int64        `at:"x"`                    // TTL of a lease, or its remaining time, in seconds; 0: it is gone
	Rev       int64        `at:"x"`                    // revision from which a client looks, or that of the store with an answer
	Relay     sim.NodeID   `at:"n" set:"yes"`          // client for which a server asks or answers another; [sim.None]: none
	CreateRev uint64       `at:"token"`                // revision at which the client's key, or the fixed key, was made; 0: there is none
	KeyName   uint64       `at:"value" show:"keyName"` // name of the key
	Server    sim.NodeID   `at:"value"`                // number of the server whose answer has not come, 0 and up

	Session        uint64         `at:"token"`   // session of a message to or from a ZooKeeper; 0: none
	SessionTimeout time.Duration  `at:"x"`       // timeout that a client asks for, or a server grants
	Connection     uint16         `at:"n"`       // number of the connection
	Events         uint16         `at:"n"`       // number of events of watches that were sent on a connection
	Watches        bool           `at:"OK"`      // a client wants to be told of the next change
	Czxid          uint64         `at:"token"`   // number of the change that made a node
	Code           zookeeper.Code `at:"x"`       // error of a create
	Place          int            `at:"token"`   // place of the client's node in the list, 0 and up
	Sequence       int32          `at:"x.lo"`    // number in the name of the client's node
	Nodes          uint16         `at:"n limit"` // number of nodes in a list
	Bytes          int64          `at:"x"`       // length of the reply that lists nodes
	SessionClient  sim.NodeID     `at:"value"`   // client whose session has expired
	Silence        time.Duration  `at:"x"`       // time for which a session has lasted after its latest sign of life

	LockIndex uint64 `at:"token"` // number of times that the lock has been acquired
	Delayed   bool   `at:"x"`     // a lock-delay is in effect
}

//messages:family
type clientMessages struct {
	Start    model.Message `kind:"0"`                                      // the zero message
	Begin    model.Timer   `kind:"18"`                                     // of a client: the next acquisition
	Retry    model.Timer   `kind:"19"`                                     // of a client: the next attempt
	Timeout  model.Timer   `kind:"20" has:"About +Call"`                   // of a client: no answer in time
	Worked   model.Timer   `kind:"21"`                                     // of a client: the critical section's work is done
	Unneeded model.Timer   `kind:"22 done"`                                // of a client: the lock is no longer needed
	Pulse    model.Timer   `kind:"151"`                                    // of a client: a leader writes again
	Trying   model.Note    `kind:"27" has:"Try Grant Nth"`                 // of a client: an attempt begins
	Acquired model.Note    `kind:"28" has:"Try Grant Messages Ends Until"` // of a client: it has the lock
	// of a client: an attempt failed that some instances granted
	Refused model.Note `kind:"29" has:"Try GrantedBy Validity" say:" with {GrantedBy} granted, validity {Validity}"`
	// of a client: some instances granted its attempt, and neither side has a quorum: it never ends
	Hung     model.Note `kind:"42" has:"Try GrantedBy"`
	Failed   model.Note `kind:"30"`                    // of a client: it gives up acquiring, no tries are left
	Extended model.Note `kind:"31" has:"Try Until"`    // of a client: its lease ends at another reading
	Checked  model.Note `kind:"32" has:"Try Validity"` // of a client: the lock is still valid; next is what the lock protects
	Expired  model.Note `kind:"33"`                    // of a client: its lease is not valid, it gives up its critical section
	// of a client: it has done what the lock protects, or its write was not answered in time
	Released model.Note `kind:"34" has:"Unanswered"`
	LockLost model.Note `kind:"43"` // of a client: it has learned that it no longer holds the lock, and leaves the critical section
	// of a server: the key belongs to a grant; Until by its wall clock
	Owned model.Note `kind:"36" has:"Grant Revision Ends Until" say:" {Grant}"`
	Freed model.Note `kind:"37" has:"Grant OK Revision Loss"` // of a server: the key is gone; OK: the client of a grant deleted it
}

//messages:family
type storeMessages struct {
	Incr      model.Message `kind:"10"`                                                    // client to the counter
	IncrReply model.Message `kind:"11" has:"Try FencingToken" say:" token {FencingToken}"` // counter to client: a new token
	// client to the store: the fence operation, which registers its token, or its value
	Register      model.Message `kind:"12 fence" has:"Try FencingToken LockValue" say:"[ token {FencingToken}]"`
	RegisterReply model.Message `kind:"13 fence-reply" has:"Try OK FencingToken" new:"StoreReply" say:" [?OK:ok|no]"` // OK: not stale
	Read          model.Message `kind:"14" has:"Try FencingToken"`                                                    // client to the store
	ReadReply     model.Message `kind:"15" has:"Try Counter" say:" {Counter}"`                                        // store to client
	// client to the store: the new counter
	Write model.Message `kind:"16" has:"Try FencingToken LockValue Nth Counter" say:" {Counter}[ token {FencingToken}]"`
	// OK: not rejected
	WriteReply model.Message `kind:"17" has:"Try OK FencingToken" new:"StoreReply" say:" [?OK:ok|no]"`
	Stale      model.Note    `kind:"35" has:"Wrote"` // of a client: the store rejected its token, when it registered or when it wrote
	// of the counter, or of a client whose lock has tokens
	Issued model.Note `kind:"38" has:"Try Grant FencingToken" say:" token {FencingToken}"`
	// of the store: a write of a grant
	Applied model.Note `kind:"39" has:"write(Try FencingToken Counter) Grant Before" say:" {Counter}[ token {FencingToken}]"`
	// of the store: the token of a grant is registered, or its value
	Fenced model.Note `kind:"40" has:"register(Try FencingToken) Grant" say:" token {FencingToken}"`
	// of the store: the token of a grant was stale, or its value was not the one registered last
	Rejected model.Note `kind:"41" has:"operation(Try FencingToken) Grant LatestToken" say:"[ token {FencingToken}]"`
	Skipped  model.Note `kind:"152" has:"Try Night"` // of a client: the store says that the job of a night is done
}

//messages:family
type redisMessages struct {
	Set      model.Message `kind:"1" has:"LockValue TTL" say:" {LockValue}[ px {TTL}]"`                          // client to Redis
	SetReply model.Message `kind:"2" has:"command(Try Number) +OK +Refusal" new:"RedisReply" say:" [?OK:ok|no]"` // OK: the key was free
	Get      model.Message `kind:"3"`                                                                            // client to Redis
	// Redis to client
	GetReply model.Message `kind:"4" has:"command(Try Number) +LockValue +Refusal" new:"RedisReply" say:"[ {LockValue}| nil]"`
	Del      model.Message `kind:"5"`                                    // client to Redis, unconditional
	DelIf    model.Message `kind:"6" has:"LockValue" say:" {LockValue}"` // client to Redis: the script that compares the value
	// OK: something was deleted
	DelReply model.Message `kind:"7" has:"command(Try Number) +OK +Refusal" new:"RedisReply" say:" [?OK:ok|no]"`
	// client to Redis: the script that moves the expiry
	Extend model.Message `kind:"8" has:"Number LockValue TTL" new:"Extend" say:" {LockValue}[ px {TTL}]"`
	// client to Redis: the script that moves the expiry, or sets a key that is gone
	ExtendOrSet model.Message `kind:"44" has:"Number LockValue TTL" new:"Extend"`
	// OK: the key held the value
	ExtReply model.Message `kind:"9 extend-reply" has:"command(Try Number) +OK +Refusal" new:"RedisReply" say:" [?OK:ok|no]"`
	Renew    model.Timer   `kind:"23" has:"Number"` // of a client: extend the lock
	Expire   model.Timer   `kind:"24"`              // of Redis, an alarm: the key's time is over
	Sync     model.Timer   `kind:"25"`              // of Redis: the whole second
	Rejoin   model.Timer   `kind:"26"`              // of Redis: a delayed restart is over
}

//messages:family
type redissonMessages struct {
	// client to Redis: Redisson's lock script: the owner, and the lease
	Enter model.Message `kind:"45 lock-script" has:"LockValue TTL" new:"Script"`
	// OK: it is the owner
	EnterReply model.Message `kind:"46 lock-script-reply" has:"command(Try Number) +OK +Left +Refusal" new:"RedisReply"`
	Leave      model.Message `kind:"47 unlock-script" has:"LockValue TTL" new:"Script"` // client to Redis: Redisson's unlock script
	// OK: it was the owner
	LeaveReply  model.Message `kind:"48 unlock-script-reply" has:"command(Try Number) +OK +Unlocked +Refusal" new:"RedisReply"`
	Subscribe   model.Message `kind:"49" has:"+OK"`          // client to Redis: OK, or no more
	Subscribed  model.Message `kind:"50"`                    // Redis to client
	Unlocked    model.Message `kind:"51"`                    // Redis to a client that has subscribed: the lock was released
	Watch       model.Timer   `kind:"52" has:"Number Late"`  // of a client: renew the lease
	Latch       model.Timer   `kind:"53"`                    // of a client: the lease of another is over
	WatchEnded  model.Note    `kind:"54" has:"Try Believes"` // of a client: it renews the lease no more
	WatchLeaked model.Note    `kind:"55"`                    // of a client: it renews the lease of a lock that it has released
}

//messages:family
type replicationMessages struct {
	Replicate model.Message `kind:"56"`                 // master to replica: the key as it is, whose it is, and the position in the stream
	ReplAck   model.Message `kind:"57 replconf-ack"`    // replica to master: the position that it has
	GetAck    model.Message `kind:"58 replconf-getack"` // master to replica
	// client to master
	Wait      model.Message `kind:"59" has:"Replicas WaitsFor"`
	WaitReply model.Message `kind:"60" has:"Try Replicas"`    // master to client
	Flush     model.Timer   `kind:"70" has:"History Replica"` // of a master: the lag of a replica is over
	Beat      model.Timer   `kind:"71" has:"Turn"`            // of a replica: the next acknowledgement
	Waited    model.Timer   `kind:"72" has:"Try Waiter"`      // of a master: a client has waited for long enough
	// of a Redis: it is a master from now on
	Promoted  model.Note `kind:"76" has:"Epoch" new:"Epoch"`
	Following model.Note `kind:"77" has:"Master WasMaster"` // of a Redis: it is a replica from now on
}

//messages:family
type sentinelMessages struct {
	ReplicaOf model.Message `kind:"61 replicaof" has:"Master Epoch" new:"Master"`     // Sentinel to Redis: the master, itself for none
	Probe     model.Message `kind:"62 info"`                                          // Sentinel to Redis: PING and INFO
	Info      model.Message `kind:"63 info-reply" has:"OK Master Priority Offset"`    // OK: it is a master, and its own
	AskDown   model.Message `kind:"64 is-master-down" has:"Master Epoch AsksForVote"` // Sentinel to Sentinel
	// OK: it is down; the vote is for a master and an epoch
	DownReply model.Message `kind:"65 is-master-down-reply" has:"OK Master Epoch"`
	// Sentinel to Sentinel: the master, and the epoch of its promotion
	Hello     model.Message `kind:"66" has:"Master Epoch" new:"Master"`
	GetMaster model.Message `kind:"67"`                         // client to Sentinel
	MasterIs  model.Message `kind:"68 master" has:"Try Master"` // Sentinel to client
	// Sentinel to client: the master has changed
	Published        model.Message `kind:"69 switch-master" has:"Master Epoch" new:"Master"`
	Tick             model.Timer   `kind:"73"`                                 // of a Sentinel: the next look
	Inquire          model.Timer   `kind:"74" has:"Master Epoch" new:"Master"` // of a Sentinel: asks a server whether it has been promoted
	Unfound          model.Timer   `kind:"75"`                                 // of a client: no Sentinel has answered
	SubjectivelyDown model.Note    `kind:"78" has:"Master"`                    // of a Sentinel: the master has not answered for too long
	ObjectivelyDown  model.Note    `kind:"79" has:"Master Sentinels"`          // of a Sentinel: a quorum says so of the master
	Candidacy        model.Note    `kind:"80" has:"Epoch" new:"Epoch"`         // of a Sentinel: it wants to lead the failover of an epoch
	Elected          model.Note    `kind:"81" has:"Epoch" new:"Epoch"`         // of a Sentinel: it does
	// of a Sentinel: its configuration has another master, since an epoch
	SwitchedMaster model.Note `kind:"82" has:"Master Epoch" new:"Master"`
	Tilted         model.Note `kind:"83"` // of a Sentinel: its clock has jumped, and it does nothing for a while
}

//messages:family
type etcdMessages struct {
	Raft      model.Message `kind:"84" say:" {RaftHeader}"`           // etcd server to etcd server: a packet
	RaftTick  model.Timer   `kind:"85"`                               // of an etcd server: a heartbeat interval is over
	RaftElect model.Timer   `kind:"86"`                               // of an etcd server: an election timeout is over; Try its number
	Leads     model.Note    `kind:"87" has:"Term" say:" term {Term}"` // of an etcd server: it leads a term, from now on
	// client to etcd
	EtcdGrant model.Message `kind:"125 lease-grant" has:"LeaseID Seconds +Number" new:"EtcdLease" say:" {LeaseID} for {LeaseTTL}"`
	// OK: done; an answer has the number and the attempt of its request
	EtcdGranted model.Message `kind:"126 lease-grant-reply" has:"request(Try Number LeaseID) OK Rev" new:"EtcdReply"`
	// client to etcd: without a number, as its answer
	EtcdKeepAlive model.Message `kind:"127 keep-alive" has:"LeaseID +Relay" new:"EtcdRequest" say:" {LeaseID}"`
	// etcd to client
	EtcdKeptAlive model.Message `kind:"128 keep-alive-reply" has:"LeaseID Seconds Relay" say:" {LeaseID}[?Seconds: for {LeaseTTL}| gone]"`
	EtcdRevoke    model.Message `kind:"129 lease-revoke" has:"LeaseID +Number" new:"EtcdRequest" say:" {LeaseID}"`       // client to etcd
	EtcdRevoked   model.Message `kind:"130 lease-revoke-reply" has:"request(Try Number LeaseID) OK Rev" new:"EtcdReply"` // OK: done
	// client to etcd: the transaction of the mutex
	EtcdLock model.Message `kind:"131 lock-txn" has:"LeaseID +Number" new:"EtcdRequest" say:" {LeaseID}"`
	// the create revisions of the client's key, 0 if the lease is gone, and of the oldest key
	EtcdLocked model.Message `kind:"132 lock-txn-reply" has:"request(Try Number LeaseID) OK CreateRev Rev" say:" made at {CreateRev}, oldest {Rev}"`
	// client to etcd: the create revision of its key
	EtcdSeek model.Message `kind:"133 get-predecessor" has:"LeaseID Rev +Number" say:" {LeaseID} before {Rev}"`
	// OK: there is a key before it
	EtcdSought model.Message `kind:"134 get-predecessor-reply" has:"request(Try Number) OK KeyName Rev" say:"[?OK: {KeyName}| none]"`
	// client to etcd: until the deletion of a key
	EtcdWatch model.Message `kind:"135 watch-key" has:"KeyName Rev +Number" say:" {KeyName} from {Rev}"`
	// OK: the key is deleted; else the history from there on is gone
	EtcdDeleted model.Message `kind:"136 watch-event" has:"Try Number KeyName OK Rev" new:"EtcdWatched" say:" {KeyName}[?OK: deleted at {Rev}| compacted]"`
	EtcdVerify  model.Message `kind:"137 get-own-key" has:"LeaseID +Number" new:"EtcdRequest" say:" {LeaseID}"` // client to etcd
	// the create revision of the client's key, 0 if it has none
	EtcdVerified model.Message `kind:"138 get-own-key-reply" has:"request(Try Number LeaseID) OK CreateRev Rev" say:"[ made at {CreateRev}| none]"`
	// client to etcd: deletes the key if it was made at a revision; 0: at any
	EtcdUnlock model.Message `kind:"139 delete-key" has:"KeyName CreateRev +Number" say:" {KeyName}[ if made at {CreateRev}]"`
	// OK: something was deleted
	EtcdUnlocked model.Message `kind:"140 delete-key-reply" has:"request(Try Number LeaseID) OK Rev" new:"EtcdReply"`
	// client to etcd: put the fixed key
	EtcdPut model.Message `kind:"141 put-key" has:"LeaseID +Number" new:"EtcdRequest" say:" {LeaseID}"`
	// client to etcd: put it unless it is there
	EtcdCreate model.Message `kind:"142 create-txn" has:"LeaseID +Number" new:"EtcdRequest" say:" {LeaseID}"`
	// OK: put; the create revision, 0 if the lease is gone; if it was there its lease
	EtcdCreated  model.Message `kind:"143 put-key-reply" has:"request(Try Number) OK LeaseID CreateRev Rev" say:" made at {CreateRev}"`
	EtcdPoll     model.Timer   `kind:"144 keep-alive-poll"`            // of a client: the loop of keep-alives
	EtcdDeadline model.Timer   `kind:"145 deadline-poll"`              // of a client: the loop of deadlines
	EtcdResend   model.Timer   `kind:"146 resend" has:"Number Server"` // of a client: a request has no answer
	EtcdScan     model.Timer   `kind:"147 lease-scan"`                 // of etcd: look for expired leases
	// of etcd: the revocation of a lease is committed
	EtcdCommit model.Timer `kind:"148 revoke-commit" has:"LeaseID" new:"EtcdRequest"`
	EtcdLeader model.Timer `kind:"149 leader-change"` // of etcd: another server leads
	// in the log of etcd on Raft: the remaining time of a lease; 0 forgets that
	EtcdCheckpoint model.Message `kind:"150 lease-checkpoint" has:"LeaseID Seconds" new:"EtcdLease"`
}

//messages:family
type zookeeperMessages struct {
	ZKConnect model.Message `kind:"88" has:"Session SessionTimeout Connection"` // client to ZooKeeper: the session, 0 for a new one
	// not OK: the session has expired
	ZKConnected model.Message `kind:"89" has:"OK Session SessionTimeout Connection"`
	ZKClosed    model.Message `kind:"90" has:"Session" new:"ZKSession"`    // the server has closed the connection of a session
	ZKPing      model.Message `kind:"91" has:"Session" new:"ZKSession"`    // client to ZooKeeper
	ZKPong      model.Message `kind:"92" has:"Session Events"`             // ZooKeeper to client
	ZKCreate    model.Message `kind:"93" has:"+Session +Number +Sequence"` // client to ZooKeeper: an ephemeral sequential node with a GUID
	// its name and its czxid; not OK: the code of the error
	ZKCreated model.Message `kind:"94" has:"+OK +Number +Sequence +Czxid +Code"`
	ZKMake    model.Message `kind:"95 zk-make-directory" has:"+Session +Number"` // client to ZooKeeper: the lock's directory
	ZKMade    model.Message `kind:"96 zk-made-directory" has:"+OK +Number"`      // ZooKeeper to client
	// client to ZooKeeper: the directory, with the client's node
	ZKList    model.Message `kind:"97" has:"+Session +Number +Sequence +Watches"`
	ZKListed  model.Message `kind:"98" has:"+OK +Number +Sequence +Place"`        // OK: the client's node is there; the node before it
	ZKGet     model.Message `kind:"99" has:"+Session +Number +Sequence +Watches"` // client to ZooKeeper: a node
	ZKGot     model.Message `kind:"100" has:"+OK +Number +Czxid"`                 // OK: it exists
	ZKDelete  model.Message `kind:"101" has:"+Session +Number +Sequence"`         // client to ZooKeeper: a node
	ZKDeleted model.Message `kind:"102" has:"+OK +Number"`                        // OK: it was there
	ZKEvent   model.Message `kind:"103" has:"+Session +Sequence"`                 // ZooKeeper to client: a watch of a node has fired
	// of a client: has nothing been sent for a third of the timeout?
	ZKPingDue model.Timer `kind:"104" has:"Connection" new:"ZKTimer"`
	// of a client: has nothing been heard for two thirds of it?
	ZKQuiet model.Timer `kind:"105 zk-read-timeout" has:"Connection" new:"ZKTimer"`
	// of a client: no server has answered
	ZKRedial model.Timer `kind:"106 zk-connect-timeout" has:"Connection" new:"ZKTimer"`
	// of a client: Curator's LOST
	ZKPatience     model.Timer   `kind:"107 zk-lost-due" has:"Session" new:"ZKSession"`
	ZKTick         model.Timer   `kind:"108"`                                     // of ZooKeeper: a bucket of sessions is over
	ZKSweep        model.Timer   `kind:"109 zk-container-check"`                  // of ZooKeeper: empty containers
	ZKSuspended    model.Note    `kind:"110"`                                     // of a client: it does not know whether it has a session
	ZKResumed      model.Note    `kind:"111"`                                     // of a client: it has reconnected within its session
	ZKLost         model.Note    `kind:"112"`                                     // of a client: it takes its session to be over
	ZKExpired      model.Note    `kind:"113"`                                     // of a client: a server says that its session is over
	ZKWoken        model.Note    `kind:"114"`                                     // of a client that waits: a watch has fired
	ZKListing      model.Note    `kind:"115" has:"Try Nodes Bytes"`               // of a ZooKeeper: it lists nodes
	ZKSessionEnded model.Note    `kind:"116" has:"Session SessionClient Silence"` // of a ZooKeeper: a session has expired
	ZKClose        model.Message `kind:"161" has:"Session" new:"ZKSession"`       // client to ZooKeeper: it needs its session no longer
}

//messages:family
type kubernetesMessages struct {
	GetObject    model.Message `kind:"117"`                   // client to the API server
	CreateObject model.Message `kind:"118" say:"{leaseText}"` // client to the API server: the lease
	UpdateObject model.Message `kind:"119" say:"{leaseText}"` // client to the API server: the lease, with the version that it replaces
	// API server to client: the lease as it is now; OK: done; Try the request
	ObjectReply    model.Message `kind:"120" say:"{leaseText}"`
	ElectionWait   model.Timer   `kind:"121"` // of a client: the wait between two tries, or two renewals, or for the stop hooks is over
	RequestTimeout model.Timer   `kind:"122"` // of a client: no reply in time
	RenewDeadline  model.Timer   `kind:"123"` // of a client: the renewal, or the release, has been tried for long enough
	DeleteObject   model.Timer   `kind:"124"` // of an API server: it is deleted by an administrator
}

//messages:family
type consulMessages struct {
	// client to Consul: asks for the lock, with the TTL of its session
	ConsulAcquire model.Message `kind:"153" has:"Grant TTL Number" new:"ConsulRequest"`
	ConsulRenew   model.Message `kind:"154" has:"Grant TTL Number" new:"ConsulRequest"` // client to Consul: renews the session; number 0
	ConsulRelease model.Message `kind:"155" has:"Grant TTL Number" new:"ConsulRequest"` // client to Consul
	// OK: done; else the lock is held, or free while a lock-delay is in effect
	ConsulReply model.Message `kind:"156" has:"request(Try Number) OK LockIndex Delayed"`
	// Consul to client: the session that held the lock holds it no more; the grant for its own client, 0 for others
	ConsulChanged  model.Message `kind:"157" has:"Try Grant"`
	ConsulAgain    model.Timer   `kind:"158" has:"Number"`       // of a client: no reply, or the pause of a lock-delay is over
	ConsulRenewDue model.Timer   `kind:"159 consul-renew-timer"` // of a client: half a TTL is over
	ConsulExpire   model.Timer   `kind:"160"`                    // of Consul: two TTLs are over
}
