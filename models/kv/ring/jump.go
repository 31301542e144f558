package ring

// Jump is the bucket of a key among a number of buckets, from 0; -1 without buckets. From b
// to b+1 buckets a key stays where it is or moves to the new one.
//
// The paper divides floating point numbers; the division here is of integers and equals the
// exact quotient, which the tests compare with the paper's.
//
// Source: Lamping and Veach, "A Fast, Minimal Memory, Consistent Hash Algorithm", 2014.
func Jump(key uint64, buckets int) int {
	bucket, next := int64(-1), int64(0)
	for next < int64(buckets) {
		bucket = next
		key = key*2862933555777941757 + 1
		next = ((bucket + 1) << 31) / int64(key>>33+1)
	}
	return int(bucket)
}
