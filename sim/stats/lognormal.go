package stats

import (
	"math"
	"strconv"
)

// LogNormal is the 95% interval of the mean of a log-normal distribution, of which two or more positive values
// are a sample: with the mean m and the variance v of the n logarithms, and Student's quantile t of n-1 degrees of
// freedom, it is exp(m + v/2 ± t·sqrt(v/n + v²/(2(n-1)))). It is rounded to six digits, since the last digits of
// a logarithm are another on another processor.
//
// Source: Olsson, "Confidence Intervals for the Mean of a Log-Normal Distribution", Journal of Statistics Education
// 13(1), 2005: the modified Cox method.
func LogNormal(values []float64) Interval {
	n := float64(len(values))
	logs, mean, variance := make([]float64, len(values)), 0.0, 0.0
	for i, v := range values {
		logs[i] = math.Log(v)
		mean += logs[i] / n
	}
	for _, l := range logs {
		variance += float64((l-mean)*(l-mean)) / (n - 1)
	}
	deviation := math.Sqrt(variance/n + float64(variance*variance)/float64(2*(n-1)))
	centre, half := mean+variance/2, float64(student(uint64(len(values)-1))*deviation)
	return Interval{sixDigits(math.Exp(centre - half)), sixDigits(math.Exp(centre + half))}
}

func sixDigits(x float64) float64 {
	rounded, err := strconv.ParseFloat(strconv.FormatFloat(x, 'g', 6, 64), 64)
	if err != nil {
		return x // it is infinite
	}
	return rounded
}
