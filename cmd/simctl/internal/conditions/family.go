package conditions

import "slices"

// fewest is how many paths have to differ by a multiple of the same for that to be a rule.
const fewest = 3

// families are the laws of paths: one of those that differ in how often the same happens, and one of each other.
func families(paths []Forms) (laws []Law) {
	rest := slices.Clone(paths)
	for len(rest) > 0 {
		law, others := family(rest)
		laws, rest = append(laws, law), others
	}
	return laws
}

// family is the law of the first path and of those that differ from it by multiples of the same, and the others.
func family(paths []Forms) (law Law, others []Forms) {
	first := paths[0]
	single := Law{At: first}
	for _, p := range paths[1:] {
		if !p.like(first) {
			continue
		}
		step := differences(first, p)
		unit := divisor(step)
		if unit == 0 {
			continue
		}
		for i := range step {
			step[i] /= unit
		}
		if law, others = along(paths, step); law.Step != nil {
			return law, others
		}
	}
	return single, paths[1:]
}

// along is the law of the paths that differ from the first by multiples of a step, if there are enough.
func along(paths []Forms, step []int64) (law Law, others []Forms) {
	var times []int64
	unit := int64(0)
	for _, p := range paths {
		n, ok := multiple(differences(paths[0], p), step)
		if !ok || !p.like(paths[0]) {
			others = append(others, p)
			continue
		}
		times = append(times, n)
		unit = gcd(unit, n)
	}
	slices.Sort(times)
	if times = slices.Compact(times); len(times) < fewest {
		return Law{At: paths[0]}, paths[1:]
	}
	law = Law{At: paths[0], Least: times[0] / unit, Most: times[len(times)-1] / unit}
	width := len(step) / len(law.At)
	for i := range law.At {
		of := slices.Clone(step[i*width : (i+1)*width])
		for k := range of {
			of[k] *= unit
		}
		law.Step = append(law.Step, Form{Of: of[:width-2], Pause: of[width-2], At: of[width-1]})
	}
	return law.named(), others
}

// named counts n so that it is the first coefficient that grows by one from path to path.
func (l Law) named() Law {
	first := l.Of(l.Least)
	for i := range l.Step {
		for k, by := range l.Step[i].Of {
			one := l.At[i].Parts
			if by != one && by != -one || first[i].Of[k] == 0 {
				continue
			}
			if sign(by) != sign(first[i].Of[k]) {
				l = l.reversed()
			}
			from := sign(first[i].Of[k]) * l.At[i].Of[k] / one
			l.At = l.Of(-from)
			l.Least, l.Most = l.Least+from, l.Most+from
			return l
		}
	}
	return l
}

// reversed is the same law, in which n is -n.
func (l Law) reversed() Law {
	step := make(Forms, len(l.Step))
	for i := range step {
		step[i].Of = make([]int64, len(l.Step[i].Of))
		step[i].add(&l.Step[i], -1)
	}
	l.Step, l.Least, l.Most = step, -l.Most, -l.Least
	return l
}

// differences are those of all numbers of two lists of conditions.
func differences(a, b Forms) (list []int64) {
	if len(a) != len(b) {
		return nil
	}
	for i := range a {
		x, y := a[i].numbers(), b[i].numbers()
		for k := range x {
			list = append(list, y[k]-x[k])
		}
	}
	return list
}

// multiple is how often a list of numbers is another.
func multiple(of, step []int64) (n int64, ok bool) {
	if len(of) != len(step) {
		return 0, false
	}
	for i := range step {
		if step[i] != 0 {
			n = of[i] / step[i]
			break
		}
	}
	for i := range step {
		if of[i] != n*step[i] {
			return 0, false
		}
	}
	return n, true
}

// divisor is the greatest that all numbers have.
func divisor(list []int64) (d int64) {
	for _, x := range list {
		d = gcd(d, x)
	}
	return d
}

func gcd(a, b int64) int64 {
	for b != 0 {
		a, b = b, a%b
	}
	return max(a, -a)
}
