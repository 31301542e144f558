package redis

import (
	"math"
	"strconv"
	"time"

	"fencepost/sim"
)

// Set is SET key value: the key does not expire any more, whatever it did before, and
// whatever type it had.
func (d *DB[K]) Set(now sim.Wall, name K, value int64) error {
	s, err := d.write(now, name, number)
	if err == WrongType {
		d.Del(now, name)
		s, err = d.write(now, name, number)
	}
	if err != nil {
		return err
	}
	s.Key, s.kind, s.text = Key{Value: uint64(value), Exists: true}, number, ""
	return nil
}

// SetText is SET key value for a value that is no number.
func (d *DB[K]) SetText(now sim.Wall, name K, value string) error {
	err := d.Set(now, name, 0)
	if err == nil {
		s := d.find(now, name)
		s.kind, s.text = text, value
	}
	return err
}

// SetPX is SET key value PX px. A px below 1 ms is an error.
func (d *DB[K]) SetPX(now sim.Wall, name K, value int64, px time.Duration) error {
	if px < time.Millisecond {
		return InvalidExpire
	}
	err := d.Set(now, name, value)
	if err == nil {
		d.PExpire(now, name, px)
	}
	return err
}

// SetKeepTTL is SET key value KEEPTTL, and PX px for a key that is not there.
func (d *DB[K]) SetKeepTTL(now sim.Wall, name K, value int64, px time.Duration) error {
	e, ok := d.Entry(now, name)
	if !ok {
		return d.SetPX(now, name, value, px)
	}
	err := d.Set(now, name, value)
	if s := d.find(now, name); err == nil && s != nil {
		s.Expires, s.ExpireAt = e.Expires, e.ExpireAt
	}
	return err
}

// SetNX is SET key value PX px NX: it reports whether the key was not there. A px below
// 1 ms is an error also if it was.
func (d *DB[K]) SetNX(now sim.Wall, name K, value int64, px time.Duration) (bool, error) {
	if px >= time.Millisecond && d.find(now, name) != nil {
		return false, nil
	}
	err := d.SetPX(now, name, value, px)
	return err == nil, err
}

// Get is GET key of a counter; ok is false if there is none.
func (d *DB[K]) Get(now sim.Wall, name K) (value int64, ok bool, err error) {
	s := d.find(now, name)
	switch {
	case s == nil:
		return 0, false, nil
	case s.kind == set:
		return 0, false, WrongType
	case s.kind == text:
		return 0, false, NotInteger
	}
	return int64(s.Value), true, nil
}

// IncrBy is INCRBY key by: a key that is not there counts as 0 and then does not
// expire; one that is there keeps its expiry.
func (d *DB[K]) IncrBy(now sim.Wall, name K, by int64) (int64, error) {
	s, err := d.write(now, name, number)
	switch {
	case err != nil:
		return 0, err
	case s.kind == text:
		return 0, NotInteger
	}
	value := int64(s.Value)
	if by > 0 && value > math.MaxInt64-by || by < 0 && value < math.MinInt64-by {
		return 0, Overflow
	}
	s.Value = uint64(value + by)
	return value + by, nil
}

// Expire is EXPIRE key seconds, with the seconds as the client wrote them: a whole
// number, or it is an error. Of 0 or less it deletes the key.
func (d *DB[K]) Expire(now sim.Wall, name K, seconds string) error {
	n, err := strconv.ParseInt(seconds, 10, 64)
	if err != nil {
		return NotInteger
	}
	if n > math.MaxInt64/int64(time.Second) || n < math.MinInt64/int64(time.Second) {
		return InvalidExpire
	}
	d.PExpire(now, name, time.Duration(n)*time.Second)
	return nil
}
