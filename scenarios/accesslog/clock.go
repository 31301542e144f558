package accesslog

import "time"

// stampLength is the length of 17/May/2015:10:05:03 +0000.
const stampLength = 26

// end is the first instant that is refused, the year 2100: until then there is room in
// a reading of a limiter for the longest window.
var end = time.Date(2100, 1, 1, 0, 0, 0, 0, time.UTC).Unix()

// The reasons why a time is none.
const (
	noTime    = "not a time"
	before    = "its time is before 1970"
	afterward = "its time is after 2099"
)

// clock reads times. It keeps the last day with its zone, since the next line most
// often has the same.
type clock struct {
	day, zone string
	midnight  int64 // of that day in that zone, in s since 1970
}

// common reads a time such as 17/May/2015:10:05:03 +0000, in ns since 1970.
func (c *clock) common(b []byte) (int64, string) {
	if b[11] != ':' || b[14] != ':' || b[17] != ':' || b[20] != ' ' {
		return 0, noTime
	}
	if string(b[:11]) != c.day || string(b[21:]) != c.zone {
		if !c.turn(b) {
			return 0, noTime
		}
	}
	h, ok1 := two(b[12:])
	m, ok2 := two(b[15:])
	s, ok3 := two(b[18:])
	if !ok1 || !ok2 || !ok3 || h > 23 || m > 59 || s > 60 {
		return 0, noTime
	}
	return instant(c.midnight+int64(h*3600+m*60+s), 0)
}

// turn reads the day and the zone.
func (c *clock) turn(b []byte) bool {
	day, ok1 := two(b)
	century, ok2 := two(b[7:])
	year, ok3 := two(b[9:])
	offset, ok4 := zone(b[21:])
	month := month(b[3:6])
	if !ok1 || !ok2 || !ok3 || !ok4 || month == 0 || b[2] != '/' || b[6] != '/' {
		return false
	}
	midnight, ok := date(century*100+year, month, day)
	if ok {
		c.day, c.zone, c.midnight = string(b[:11]), string(b[21:]), midnight-offset
	}
	return ok
}

// rfc3339 reads a time such as 2015-05-17T10:05:03.25+02:00. A space may stand for the
// T, and without a zone it is UTC.
func (c *clock) rfc3339(b []byte) (int64, string) {
	if len(b) < 19 || b[4] != '-' || b[7] != '-' || b[10] != 'T' && b[10] != 't' && b[10] != ' ' || b[13] != ':' || b[16] != ':' {
		return 0, noTime
	}
	if string(b[:10]) != c.day {
		century, ok1 := two(b)
		year, ok2 := two(b[2:])
		month, ok3 := two(b[5:])
		day, ok4 := two(b[8:])
		midnight, ok5 := date(century*100+year, month, day)
		if !ok1 || !ok2 || !ok3 || !ok4 || !ok5 {
			return 0, noTime
		}
		c.day, c.midnight = string(b[:10]), midnight
	}
	h, ok1 := two(b[11:])
	m, ok2 := two(b[14:])
	s, ok3 := two(b[17:])
	if !ok1 || !ok2 || !ok3 || h > 23 || m > 59 || s > 60 {
		return 0, noTime
	}
	nanos, rest, ok := fraction(b[19:])
	offset := int64(0)
	if ok && len(rest) > 0 && !(len(rest) == 1 && (rest[0] == 'Z' || rest[0] == 'z')) {
		offset, ok = zone(rest)
	}
	if !ok {
		return 0, noTime
	}
	return instant(c.midnight+int64(h*3600+m*60+s)-offset, nanos)
}

// any reads a time in any of the forms; a count is of units.
func (c *clock) any(b []byte, unit int64) (int64, string) {
	if len(b) == stampLength+2 && b[0] == '[' && b[stampLength+1] == ']' {
		b = b[1 : stampLength+1]
	}
	switch {
	case len(b) == stampLength && b[2] == '/':
		return c.common(b)
	case len(b) > 4 && b[4] == '-':
		return c.rfc3339(b)
	}
	return epoch(b, unit)
}

// epoch reads a count of units since 1970, with decimals or without. Without a unit it
// is seconds, or what else makes it a time of our days.
func epoch(b []byte, unit int64) (int64, string) {
	i, whole := 0, int64(0)
	for ; i < len(b) && digit(b[i]); i++ {
		if whole > 1<<59 {
			return 0, afterward
		}
		whole = whole*10 + int64(b[i]-'0')
	}
	switch {
	case i == 0 && len(b) > 1 && b[0] == '-' && digit(b[1]):
		return 0, before
	case i == 0:
		return 0, noTime
	}
	nanos, rest, ok := fraction(b[i:])
	if !ok || len(rest) > 0 {
		return 0, noTime
	}
	if unit == 0 {
		unit = magnitude(whole)
	}
	perSecond := int64(time.Second) / unit
	return instant(whole/perSecond, whole%perSecond*unit+nanos*unit/int64(time.Second))
}

// magnitude is the unit in which a count since 1970 is a time before 5138.
func magnitude(n int64) int64 {
	switch {
	case n < 1e11:
		return int64(time.Second)
	case n < 1e14:
		return int64(time.Millisecond)
	case n < 1e17:
		return int64(time.Microsecond)
	}
	return 1
}

func instant(seconds, nanos int64) (int64, string) {
	switch {
	case seconds < 0:
		return 0, before
	case seconds >= end:
		return 0, afterward
	}
	return seconds*int64(time.Second) + nanos, ""
}

// two reads two digits.
func two(b []byte) (int, bool) {
	t, u := b[0]-'0', b[1]-'0'
	return int(t)*10 + int(u), t <= 9 && u <= 9
}

// zone reads +0200, +02:00 or +02, in s.
func zone(b []byte) (int64, bool) {
	if len(b) == 6 && b[3] == ':' {
		b = []byte{b[0], b[1], b[2], b[4], b[5]}
	}
	if len(b) == 3 {
		b = []byte{b[0], b[1], b[2], '0', '0'}
	}
	if len(b) != 5 || b[0] != '+' && b[0] != '-' {
		return 0, false
	}
	h, ok1 := two(b[1:])
	m, ok2 := two(b[3:])
	offset := int64(h*3600 + m*60)
	if b[0] == '-' {
		offset = -offset
	}
	return offset, ok1 && ok2 && h < 24 && m < 60
}

// fraction reads .25 as nanoseconds, and returns what follows it; finer digits are cut
// off.
func fraction(b []byte) (nanos int64, rest []byte, ok bool) {
	if len(b) == 0 || b[0] != '.' && b[0] != ',' {
		return 0, b, true
	}
	i := 1
	for place := int64(1e8); i < len(b) && digit(b[i]); i++ {
		nanos += int64(b[i]-'0') * place
		place /= 10
	}
	return nanos, b[i:], i > 1
}

// month is the number of a month such as May, 0 if it is none.
func month(b []byte) int {
	const names = "JanFebMarAprMayJunJulAugSepOctNovDec"
	for i := 0; i < len(names); i += 3 {
		if names[i:i+3] == string(b) {
			return i/3 + 1
		}
	}
	return 0
}

// date is midnight UTC of a day, in s since 1970.
func date(year, month, day int) (int64, bool) {
	t := time.Date(year, time.Month(month), day, 0, 0, 0, 0, time.UTC)
	return t.Unix(), t.Year() == year && t.Month() == time.Month(month) && t.Day() == day
}
