// Package replicas is one key at several replicas, with clients that read it, write it
// and reconcile its siblings, under one way to tell which value replaces which.
//
// The ways, each in a file of its own and each a type of package clock:
//
//	vectors.go     a version vector per value, of client ids or of server ids: Dynamo
//	vnode.go       one version vector for all siblings: Riak 1.x
//	dotted.go      a dotted version vector per value
//	dvvset.go      one for all of them: Riak 2
//	lastwrite.go   the later stamp wins, of a wall clock or of a hybrid one
//
// A replica ([Replica]) takes writes and hands on what it keeps; a client ([Client]) goes
// through a script of [Step]s. What a client has read it sends along with its next write.
//
// What a replica keeps of the key ([Kept]) is immutable: messages and notes carry it by
// reference. So a write and a sync allocate what they make, and nothing else does.
//
// Source: DeCandia et al., "Dynamo", 2007, section 4.4; Preguica et al. 2010; S4 10.3
// and 10.4 of docs/sources.md.
package replicas
