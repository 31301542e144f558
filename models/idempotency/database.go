package idempotency

import (
	"fencepost/models/idempotency/flow"
	"fencepost/models/internal/postgres"
	"fencepost/models/internal/postgres/sql"
	"fencepost/sim"
)

// Database is a PostgreSQL. Each task of a server has a session of its own. Clocks in
// statements are the database's own. What is committed is durable; a crash ends every
// session, and what is not committed is rolled back.
type Database struct {
	Connections connections
	Program     *flow.Program
	Watch       *watched

	db       postgres.DB
	sessions []session // by the index of the connection
	totals   totals    // over what is committed: durable
	said     []Msg     // notes about what the last step has committed: durable
}

// session is what the database keeps of a connection.
type session struct {
	open bool
	from sim.NodeID
	slot uint8
	call uint32 // of the statement under way
}

// Reset implements [sim.Resetter].
func (d *Database) Reset(initial *Database) {
	d.Connections.reset(&initial.Connections)
	d.Program, d.Watch = initial.Program, initial.Watch
	d.db.Reset(&initial.db)
	d.sessions = append(d.sessions[:0], initial.sessions...)
	d.totals = initial.totals
	d.said = append(d.said[:0], initial.said...)
}

// Recover implements [sim.Recoverer].
func (d *Database) Recover(before *Database) {
	d.db.Reset(&before.db)
	d.db.Restart()
	d.totals = before.totals
	d.said = append(d.said[:0], before.said...)
}

// Step implements [sim.Node].
func (d *Database) Step(in sim.In[Msg], out *sim.Out[Msg]) {
	if d.over(&in.Msg) {
		return
	}
	var r postgres.Result
	if in.Msg.Kind != start {
		d.said = d.said[:0]
	}
	switch m := in.Msg; m.Kind {
	case start:
		d.start(out)
		return
	case Query, Fetch:
		if !d.Connections.fresh(&in) {
			return
		}
		d.statement(in, out, &r)
	case Hangup:
		d.hangup(in, out)
	case lockTimeout:
		d.db.LockTimeout(in.Wall, d.Connections.index(m.session()), m.Call)
		d.settle(out, &r)
	case deadlock:
		d.db.CheckDeadlock(in.Wall, d.Connections.index(m.session()), m.Call)
		d.settle(out, &r)
	default:
		panic("idempotency: the database got " + m.String())
	}
}

// over reports whether a message is a timer of a wait that has ended.
func (d *Database) over(m *Msg) bool {
	return (m.Kind == lockTimeout || m.Kind == deadlock) && !d.db.Waits(d.Connections.index(m.session()), m.Call)
}

// start says what is committed: a crash may have come between a commit and the notes about
// it.
func (d *Database) start(out *sim.Out[Msg]) {
	for _, m := range d.said {
		out.Note(m)
	}
	d.noteTotals(out, true, true)
}

// say notes what is committed now.
func (d *Database) say(out *sim.Out[Msg], m Msg) {
	d.said = append(d.said, m)
	out.Note(m)
}

// settle tells observers what the last call of the database has made durable. Then it answers
// the statements that have waited and have ended, and arms the timers of those that now wait
// for another session.
func (d *Database) settle(out *sim.Out[Msg], r *postgres.Result) {
	d.observe(out)
	d.rest(out, r)
}

func (d *Database) rest(out *sim.Out[Msg], r *postgres.Result) {
	for {
		i, ok := d.db.Next(r)
		if !ok {
			return
		}
		d.result(out, i, r)
	}
}

// statement runs what a task asks for on its session. One on a connection that the database
// does not know any more is answered with 08006.
func (d *Database) statement(in sim.In[Msg], out *sim.Out[Msg], r *postgres.Result) {
	m := &in.Msg
	i := d.Connections.index(in.From, m.Slot)
	for len(d.sessions) <= i {
		d.sessions = append(d.sessions, session{})
	}
	s := &d.sessions[i]
	if m.First && s.open {
		d.close(in, out, i)
	}
	if !m.First && !s.open {
		lost := m.answerTo(Result)
		lost.Code = sql.ConnectionFailure
		out.Send(in.From, lost)
		return
	}
	*s = session{open: true, from: in.From, slot: m.Slot, call: m.Call}
	if m.Kind == Fetch {
		d.fetch(out, i, r)
		return
	}
	statement := &d.Program.Statements[m.Statement]
	if statement.SQL == nil {
		*r = postgres.Result{Code: d.db.Refuse(in.Wall, i, statement.Code)}
	} else {
		d.db.Exec(in.Wall, i, statement.SQL, m.Values[:len(statement.Values)], r)
	}
	d.observe(out)
	d.result(out, i, r)
	d.rest(out, r)
}

// fetch answers with the next row of the session's last result.
func (d *Database) fetch(out *sim.Out[Msg], i int, r *postgres.Result) {
	s := &d.sessions[i]
	row := s.answer(Row)
	if d.db.Fetch(i, r) {
		row.Rows = 1
		copy(row.Values[:], r.Row[:])
	}
	out.Send(s.from, row)
}

// result answers a statement that has ended, or arms the timers of one that waits.
func (d *Database) result(out *sim.Out[Msg], i int, r *postgres.Result) {
	s := &d.sessions[i]
	if r.Waits {
		d.waits(out, s, r)
		return
	}
	m := s.answer(Result)
	m.Code, m.Rows = r.Code, uint16(min(r.Rows, 1<<16-1))
	copy(m.Values[:], r.Row[:])
	if r.Columns > 0 {
		d.db.Fetch(i, r) // the first row is in the answer; a Fetch asks for the next
	}
	if r.Code != sql.OK {
		note := m
		note.Kind, note.Values = Aborted, [5]Value{}
		out.Note(note)
	}
	out.Send(s.from, m)
}

func (d *Database) waits(out *sim.Out[Msg], s *session, r *postgres.Result) {
	out.Note(Msg{Kind: Waits, Slot: s.slot})
	m := Msg{Slot: s.slot, Call: r.Wait, Values: [5]Value{Value(s.from)}}
	if r.Timeout > 0 {
		m.Kind = lockTimeout
		out.After(r.Timeout, m)
	}
	m.Kind = deadlock
	out.After(d.db.DeadlockTimeout(), m)
}

// session is the server and the slot that a timer of the database is about.
func (m *Msg) session() (sim.NodeID, uint8) { return sim.NodeID(m.Values[0]), m.Slot }

// answer is an answer on a session.
func (s *session) answer(kind sim.Kind) Msg { return Msg{Kind: kind, Slot: s.slot, Call: s.call} }

// hangup ends the sessions whose connections are closed, but for those of later connections.
func (d *Database) hangup(in sim.In[Msg], out *sim.Out[Msg]) {
	m := &in.Msg
	first, last := m.Slot, m.Slot
	if m.Slot == allSlots {
		first, last = 0, uint8(d.Connections.Slots-1)
	}
	for slot := first; slot <= last; slot++ {
		i := d.Connections.index(in.From, slot)
		if d.Connections.end(i, m.Call) && i < len(d.sessions) && d.sessions[i].open {
			d.close(in, out, i)
		}
	}
	out.Send(in.From, m.answerTo(HungUp))
}

// close ends a session: its transaction is rolled back.
func (d *Database) close(in sim.In[Msg], out *sim.Out[Msg], i int) {
	d.sessions[i] = session{}
	d.db.Disconnect(in.Wall, i)
	var r postgres.Result
	d.settle(out, &r)
}
