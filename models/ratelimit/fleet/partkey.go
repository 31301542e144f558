package fleet

import "strconv"

// PartKey joins parts to the name of a counter so that different parts never share one:
// each is preceded by its length. Joined by a separator that they may contain they do:
// ("a", "1_b_2") and ("a", "1", "b", "2") are both a_1_b_2, and whoever chooses one of the
// parts chooses whose limit to use up. A kind before each part, as in ("user", "7"), keeps
// apart what is numbered alike: users, addresses.
//
// Source: envoyproxy/ratelimit, src/limiter/cache_key.go, which joins the parts with an
// underscore.
func PartKey(parts ...string) string {
	var key []byte
	for _, p := range parts {
		key = strconv.AppendInt(key, int64(len(p)), 10)
		key = append(key, ':')
		key = append(key, p...)
	}
	return string(key)
}
