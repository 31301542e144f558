package pbs

import "time"

// quantile is the least duration that at least perMille thousandths of n durations do not
// exceed. The list is all of them or, behind a higher quantile, the rest that it returns. It
// changes their order: the rest is what is up to the quantile.
func quantile(list []time.Duration, n, perMille int) (q time.Duration, rest []time.Duration) {
	rank := int((int64(n)*int64(perMille) + 999) / 1000)
	return rankOf(list, rank), list[:rank]
}

// rankOf is the rank-th shortest, from 1.
//
// Source: Hoare, "Algorithm 65: find", CACM 1961.
func rankOf(list []time.Duration, rank int) time.Duration {
	k := rank - 1
	for low, high := 0, len(list)-1; low < high; {
		pivot := median(list[low], list[low+(high-low)/2], list[high])
		i, j := low, high
		for i <= j {
			for list[i] < pivot {
				i++
			}
			for list[j] > pivot {
				j--
			}
			if i <= j {
				list[i], list[j] = list[j], list[i]
				i, j = i+1, j-1
			}
		}
		switch {
		case k <= j:
			high = j
		case k >= i:
			low = i
		default:
			return list[k]
		}
	}
	return list[k]
}

func median(a, b, c time.Duration) time.Duration { return max(min(a, b), min(max(a, b), c)) }
