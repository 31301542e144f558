// Package conformance holds what models/internal/postgres, models/internal/redis and
// models/internal/zookeeper and models/internal/etcd say against what the real servers
// answer, statement by statement.
//
// It is a module of its own, so that the main one does not depend on a driver. Its path
// fencepost/models/conformance is not its folder: an import of an internal package is
// allowed by the path of the importer, and this one lies below fencepost/models. The
// replace directive in go.mod says where the main module is.
//
// README.md has what is compared and how to run it.
package conformance
