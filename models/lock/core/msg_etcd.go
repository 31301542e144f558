package core

import (
	"fmt"
	"time"
)

// etcdWords is what a message of etcd's protocol carries, "" for any other. A key has the
// name of the session's lease, which is that of the attempt that opened it.
func etcdWords(m *Msg) string {
	key := func() string {
		if m.Value == EtcdFixedKey {
			return " the fixed key"
		}
		return " " + valueName(m.Value)
	}
	switch m.Kind {
	case EtcdGrant:
		return fmt.Sprintf("%s for %v", key(), time.Duration(m.X)*time.Second)
	case EtcdKeepAlive, EtcdRevoke, EtcdLock, EtcdVerify, EtcdPut, EtcdCreate:
		return key()
	case EtcdKeptAlive:
		if m.X == 0 {
			return key() + " gone"
		}
		return fmt.Sprintf("%s for %v", key(), time.Duration(m.X)*time.Second)
	case EtcdLocked:
		return fmt.Sprintf(" made at %d, oldest %d", m.Token, m.X)
	case EtcdSeek:
		return fmt.Sprintf("%s before %d", key(), m.X)
	case EtcdSought:
		if !m.OK {
			return " none"
		}
		return key()
	case EtcdWatch:
		return fmt.Sprintf("%s from %d", key(), m.X)
	case EtcdDeleted:
		if !m.OK {
			return key() + " compacted"
		}
		return fmt.Sprintf("%s deleted at %d", key(), m.X)
	case EtcdVerified:
		if m.Token == 0 {
			return " none"
		}
		return fmt.Sprintf(" made at %d", m.Token)
	case EtcdUnlock:
		if m.Token == 0 {
			return key()
		}
		return fmt.Sprintf("%s if made at %d", key(), m.Token)
	case EtcdCreated:
		return fmt.Sprintf(" made at %d", m.Token)
	}
	return ""
}

// EtcdFixedKey is the name of the key of the recipes that have one for all.
const EtcdFixedKey = 0
