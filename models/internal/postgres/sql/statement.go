package sql

import (
	"math"
	"slices"
	"strings"
)

// The bounds of a statement, of a schema and of a table.
const (
	MaxRelations  = 8
	maxArguments  = 12
	MaxParts      = 4
	MaxTables     = 64
	MaxColumns    = 16      // of a table
	MaxIndexes    = 6       // of a table
	MaxVersions   = 1 << 16 // of the rows of a table
	MaxResult     = 8       // columns of a result
	MaxAggregates = 8
	MaxJoins      = 4       // conditions of a statement that PostgreSQL makes joins of
	MaxSubqueries = 8       // inside one another
	maxDepth      = 100     // of expressions inside one another
	maxTokens     = 1 << 14 // of a statement
	maxCopies     = 1 << 12 // of nodes, for BETWEEN and IN
)

// StatementKind is what a statement does.
type StatementKind uint8

// The statements. QueryStatement is SELECT, INSERT, UPDATE or DELETE.
const (
	QueryStatement StatementKind = iota
	BeginStatement
	CommitStatement
	RollbackStatement
	SavepointStatement
	RollbackToStatement
	ReleaseStatement
	LockTimeoutStatement
	IsolationStatement
)

// Isolation is the isolation level of a transaction.
type Isolation uint8

// The levels. READ UNCOMMITTED is READ COMMITTED, as in PostgreSQL.
const (
	ReadCommitted Isolation = iota
	RepeatableRead
	Serializable
)

// String is the level in SQL.
func (i Isolation) String() string {
	return [...]string{"read committed", "repeatable read", "serializable"}[i]
}

// Statement is a prepared statement. It belongs to one schema and does not change.
type Statement struct {
	schema    *Schema
	text      string
	Number    int32 // its place in the schema, plus 1
	Kind      StatementKind
	Tag       Tag
	Isolation Isolation
	LevelSet  bool // BEGIN with a level
	Name      Value
	Local     bool
	Value     *Node // lock_timeout
	Parts     []*Part
	// Arguments are the names of the arguments of Exec, in their order: first $1 and so on,
	// then variables in the order in which the text names them.
	Arguments []string
	kinds     []Kind
	columns   []string
	results   []Kind
}

// Text is the statement as it was written.
func (st *Statement) Text() string { return st.text }

// ParamKinds are the kinds of the arguments; Unknown where the statement does not say.
func (st *Statement) ParamKinds() []Kind { return slices.Clone(st.kinds) }

// Columns are the names of the columns of the rows that it returns.
func (st *Statement) Columns() []string { return slices.Clone(st.columns) }

// Width is the number of these columns.
func (st *Statement) Width() int { return len(st.columns) }

// ColumnKinds are the kinds of these columns.
func (st *Statement) ColumnKinds() []Kind { return slices.Clone(st.results) }

// Tag is what a statement did, as the server's answer begins.
type Tag uint8

// The tags.
const (
	TagSelect Tag = iota
	TagInsert
	TagUpdate
	TagDelete
	TagBegin
	TagStart
	TagCommit
	TagRollback
	TagSavepoint
	TagRelease
	TagSet
)

// String is the tag.
func (t Tag) String() string {
	return [...]string{"SELECT", "INSERT", "UPDATE", "DELETE", "BEGIN", "START TRANSACTION", "COMMIT", "ROLLBACK", "SAVEPOINT", "RELEASE", "SET"}[t]
}

// Prepare compiles a statement. Variables are the names that it may use as :name; a bare
// name that is no column is a variable too. With no variables given every :name is one.
// The error is an [*Error].
func (s *Schema) Prepare(sql string, variables ...string) (*Statement, error) {
	return s.prepare(sql, variables, false)
}

// PrepareFunction compiles a statement of a PL/pgSQL function that has variables: a bare
// name that is both a column and a variable is ambiguous, 42702.
//
// Source: PostgreSQL documentation, 43.11.1 "Variable Substitution".
func (s *Schema) PrepareFunction(sql string, variables ...string) (*Statement, error) {
	return s.prepare(sql, variables, true)
}

func (s *Schema) prepare(sql string, variables []string, function bool) (st *Statement, err error) {
	defer caught(&err)
	p := &parser{schema: s, text: sql, tokens: lex(sql), variables: variables, function: function}
	p.countNumbered()
	st = p.statement()
	p.takeSymbol(";")
	if p.peek().kind != endOfText {
		p.unexpected()
	}
	return st, nil
}

// statement parses one statement and adds it to the schema.
func (p *parser) statement() *Statement {
	at := p.peek().at
	p.limitTokens()
	p.relations, p.with, p.arguments, p.kinds, p.queriesOnce, p.joins, p.copies, p.inside, p.depth = 0, nil, nil, nil, 0, 0, 0, 0, 0
	p.countNumbered()
	st := p.control()
	if st == nil {
		st = p.queries()
	}
	st.schema, st.Arguments, st.kinds = p.schema, p.arguments, p.kinds
	st.text = p.text[at:p.peek().at]
	c := p.schema.Catalog()
	c.Statements = append(c.Statements, st)
	st.Number = int32(len(c.Statements))
	return st
}

// control is a statement about the transaction or the session; nil if another follows.
func (p *parser) control() *Statement {
	switch {
	case p.takeWords("begin"):
		return p.begin(TagBegin)
	case p.takeWords("start", "transaction"):
		return p.begin(TagStart)
	case p.takeWords("commit"), p.takeWords("end"):
		p.transactionWord()
		return &Statement{Kind: CommitStatement, Tag: TagCommit}
	case p.takeWords("rollback"), p.takeWords("abort"):
		p.transactionWord()
		if p.takeWords("to") {
			p.takeWords("savepoint")
			return &Statement{Kind: RollbackToStatement, Tag: TagRollback, Name: p.savepoint()}
		}
		return &Statement{Kind: RollbackStatement, Tag: TagRollback}
	case p.takeWords("savepoint"):
		return &Statement{Kind: SavepointStatement, Tag: TagSavepoint, Name: p.savepoint()}
	case p.takeWords("release"):
		p.takeWords("savepoint")
		return &Statement{Kind: ReleaseStatement, Tag: TagRelease, Name: p.savepoint()}
	case p.takeWords("set"):
		return p.set()
	}
	return nil
}

func (p *parser) transactionWord() {
	if !p.takeWords("transaction") {
		p.takeWords("work")
	}
}

func (p *parser) savepoint() Value { return p.schema.Text("savepoint " + p.name()) }

func (p *parser) begin(tag Tag) *Statement {
	p.transactionWord()
	st := &Statement{Kind: BeginStatement, Tag: tag}
	if p.isWord("isolation") {
		st.Isolation, st.LevelSet = p.level(), true
	}
	p.takeWords("read", "write")
	return st
}

func (p *parser) level() Isolation {
	p.wantWords("isolation", "level")
	switch {
	case p.takeWords("serializable"):
		return Serializable
	case p.takeWords("repeatable", "read"):
		return RepeatableRead
	case p.takeWords("read", "committed"), p.takeWords("read", "uncommitted"):
		return ReadCommitted
	}
	p.unexpected()
	return 0
}

// set is SET [LOCAL] lock_timeout and SET TRANSACTION ISOLATION LEVEL.
func (p *parser) set() *Statement {
	if p.takeWords("transaction") {
		return &Statement{Kind: IsolationStatement, Tag: TagSet, Isolation: p.level()}
	}
	st := &Statement{Kind: LockTimeoutStatement, Tag: TagSet, Local: p.takeWords("local")}
	if !st.Local {
		p.takeWords("session")
	}
	if !p.takeWords("lock_timeout") {
		p.unsupported("this setting")
	}
	if !p.takeSymbol("=") {
		p.wantWords("to")
	}
	n := p.primary()
	switch {
	case n.Op == OpConst && n.Kind == Int && n.Value > math.MaxInt32:
		p.unsupported("a lock_timeout of more than 2147483647 ms")
	case n.Op == OpConst && n.Kind == Int: // milliseconds
		n.Kind, n.Value = Interval, n.Value*1e6
	case n.Op == OpConst && strings.Trim(n.name, "0123456789") == "":
		p.coerce(n, Int, n.at)
		if n.Value > math.MaxInt32 {
			p.unsupported("a lock_timeout of more than 2147483647 ms")
		}
		n.Kind, n.Value = Interval, n.Value*1e6
	case n.Op == opName: // DEFAULT and the like
		p.unsupported("this value")
	default:
		p.coerce(n, Interval, n.at)
	}
	st.Value = n
	return st
}
