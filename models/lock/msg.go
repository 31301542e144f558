package lock

import "fencepost/models/lock/core"

// Msg is every message of the lock protocols: see [core.Msg].
type Msg = core.Msg
