// Package k8slock holds the leader election of client-go, [Member], and the server that keeps its
// Lease object, [APIServer]. What a member decides is in models/internal/kubernetes.
//
// Clock readings are compared with Before only:
//
//fencepost:readings
package k8slock
