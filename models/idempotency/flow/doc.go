// Package flow is a small language for what a server does with a request, an event or a
// period of time: SQL statements of PostgreSQL, commands of a cache, calls of a provider,
// and the decisions between them. [Parse] reads a [Program]; a [Task] runs one of its
// handlers action by action, as a plain value, so that its owner can send each action to
// a database, a cache or nowhere.
//
//	create table orders (id serial primary key, key int unique, intent int);
//	effect orders;
//
//	on request {
//	  try {
//	    insert into orders (key, intent) values (:key, :intent) returning id -> order;
//	    answer 201, order;
//	  } catch 23505 {
//	    answer 409;
//	  }
//	}
//
// Declarations:
//
//	create table ...; create index ...; insert into ...;   the database at the beginning
//	effect TABLE;                 a committed row is an effect; it has a column intent
//	conserve TABLE.COLUMN + ...;  the sum of these columns does not change, and none is negative
//	fold TABLE.COLUMN;            events are added up here; requests, if there is no on event
//	recovery TABLE.COLUMN;        holds a recovery point, which only grows
//	ordered TABLE[.COLUMN];       its id is that of an event; events with the same COLUMN reach consumers in commit order
//	watch TABLE.COLUMN;           its committed values are shown, and the last one is measured
//	as written;                   SQL that PostgreSQL refuses fails when it runs, not here
//	plpgsql;                      SQL may name variables without a colon, as in PL/pgSQL
//
// Handlers, each at most once: on request { }, on event { }, every 100ms { }.
//
// Statements:
//
//	any SQL; any SQL -> a, b;     the names take the first row, null if there is none
//	let x = e; x = e;
//	if e { } else if e { } else { }
//	loop { } break; continue;
//	for a, b in SELECT ...; { }   row by row, without other SQL in the body
//	try { } catch 40001, 40P01 { } catch { } finally { }   raise;
//	cache get WORD:e:e -> v;      cache set WORD:e v nx px e -> ok;
//	cache del WORD:e;             cache delif WORD:e v -> ok;
//	charge AMOUNT key e -> id, code;   lookup key e -> id;   publish EVENT, AMOUNT;
//	work;  sleep 50ms;  sleep 0s..80ms;  note WORD;
//	answer CODE, e;  ack;  return;
//
// Expressions have integers, durations (50ms), texts ('DONE'), SQLSTATEs (40P01), null,
// true, false, or, and, not, =, <>, <, <=, >, >=, is null, +, -, *, / with the meaning they
// have in SQL, with the errors 22003 and 22012. In SQL a variable is written :name. Given
// are the inputs tenant, key, fp, amount, intent, attempt, event, owner; the parameters lease,
// lock_ttl, max_wait, poll, ttl, lock_timeout, provider_ttl; found (a row was returned,
// changed or fetched; the cache had the key or took the value; the provider has the charge),
// rows, sqlstate (the last error), and clock, the server's wall clock: a duration may be added
// to a reading, and it may be compared with another by <, <=, >, >=.
//
// A comment begins with # or -- and ends with the line.
//
// Clock readings are compared with Before only:
//
//fencepost:readings
package flow
