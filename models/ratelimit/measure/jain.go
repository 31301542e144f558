package measure

// Jain is the fairness index (sum x)^2 / (n * sum x^2) of what each of n clients got:
// 1 if all got the same, 1/n if one got everything. It is 1 if all got nothing.
//
// Source: Jain, Chiu and Hawe, "A quantitative measure of fairness and discrimination
// for resource allocation", DEC TR-301, 1984.
func Jain(shares []int64) float64 {
	sum, squares := 0.0, 0.0
	for _, x := range shares {
		sum += float64(x)
		squares += float64(float64(x) * float64(x))
	}
	if squares == 0 {
		return 1
	}
	return float64(sum*sum) / float64(float64(len(shares))*squares)
}
