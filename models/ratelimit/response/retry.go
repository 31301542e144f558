package response

import (
	"fmt"
	"strconv"
	"strings"
	"time"
)

// maxRetry bounds what a client believes: ten years.
const maxRetry = 10 * 365 * 24 * time.Hour

// ParseRetryAfter reads a Retry-After field: seconds, or a date, which is compared with
// the client's own clock and is therefore as wrong as that is. A date that has passed is
// 0.
//
// Source: RFC 9110, sections 10.2.3 and 5.6.7.
func ParseRetryAfter(field string, now time.Time) (time.Duration, error) {
	field = strings.Trim(field, " \t")
	if field != "" && strings.Trim(field, "0123456789") == "" {
		s, err := strconv.ParseInt(field, 10, 64)
		if err != nil || s > int64(maxRetry/time.Second) {
			return maxRetry, nil
		}
		return time.Duration(s) * time.Second, nil
	}
	for _, layout := range [...]string{"Mon, 02 Jan 2006 15:04:05 GMT", "Monday, 02-Jan-06 15:04:05 GMT", time.ANSIC} {
		if at, err := time.Parse(layout, field); err == nil {
			return min(max(0, at.Sub(now)), maxRetry), nil
		}
	}
	return 0, fmt.Errorf("Retry-After: want seconds or a date such as Sun, 06 Nov 1994 08:49:37 GMT, got %.40q", field)
}
