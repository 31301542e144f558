// A run, decoded: a list for each field of its events, and what follows from them.

const STEP = 1, LOST = 2, BUFFERED = 4, COPY = 8, ALARM = 16, IDLE = 32, NOTE = 64, END = 128, PANIC = 256, OUTSIDE = 512, PART = 1024;

// decode turns the lists of the document into typed ones, with instants instead of differences.
function decode(doc) {
	const e = doc.events, n = e.count;
	const run = {doc, n, nodes: ["network", ...doc.nodes], at: new Float64Array(n), cause: new Int32Array(n), lane: new Int32Array(doc.nodes.length + 1).fill(-1)};
	for (let i = 0, t = 0; i < n; i++) {
		t += e.at[i];
		run.at[i] = t;
		run.cause[i] = e.cause[i] ? i - e.cause[i] : -1;
	}
	for (const field of ["node", "flags", "from", "to", "kind", "fault", "name"]) run[field] = Int32Array.from(e[field] ?? new Int32Array(n));
	for (const field of ["took", "late", "mono", "wall"]) run[field] = Float64Array.from(e[field] ?? new Float64Array(n));
	run.begin = doc.left ? doc.left.from_ns : 0;
	run.end = Math.max(doc.left ? doc.left.to_ns : doc.end_ns, run.begin + 1);
	run.previous = previous(run, i => !run.to[i]);
	run.known = doc.events.name ? previous(run, i => run.name[i]) : run.previous;
	run.sentAfter = sentAfter(run);
	run.steps = run.nodes.map(() => []);
	for (let i = 0; i < n; i++) if (!run.to[i]) run.steps[run.node[i]].push(i);
	run.kinds = [...new Set(run.kind)].sort((a, b) => a - b);
	const used = new Set(run.node);
	for (const s of doc.spans) used.add(s.node);
	run.lanes = [];
	for (let id = 1; id < run.nodes.length; id++) if (used.has(id)) run.lanes.push(id);
	if (used.has(0)) run.lanes.push(0);
	run.bad = new Set(doc.violations.map(v => v.event).filter(i => i >= 0));
	return run;
}

// previous is, by event, the event before it on its node of those that count, -1 if there is none. What became of
// a message is no event of a node, but comes after the step that sent it.
function previous(run, counts) {
	const last = new Int32Array(run.nodes.length).fill(-1), before = new Int32Array(run.n);
	for (let i = 0; i < run.n; i++) {
		before[i] = last[run.node[i]];
		if (counts(i) && run.node[i]) last[run.node[i]] = i;
	}
	return before;
}

// sentAfter is, by event, when the first message was sent of those that it and later events are about.
function sentAfter(run) {
	const first = new Float64Array(run.n + 1).fill(Infinity);
	for (let i = run.n - 1; i >= 0; i--) first[i] = Math.min(first[i + 1], run.at[i] - (run.to[i] ? 0 : run.took[i]));
	return first;
}

// lastOf is the last event of a node until an instant, -1 if there is none.
function lastOf(run, node, t) {
	const list = run.steps[node];
	let low = 0, high = list.length;
	while (low < high) {
		const middle = (low + high) >> 1;
		if (run.at[list[middle]] <= t) low = middle + 1; else high = middle;
	}
	return low ? list[low - 1] : -1;
}

// pastOf marks the event and all events that happened before it: those before it on its node, those
// that sent what it handles, and the pasts of these. An event of the model's own comes after others of these only.
function pastOf(run, event) {
	const past = new Uint8Array(run.n);
	if (event < 0) return past;
	past[event] = 1;
	for (let i = event; i >= 0; i--) {
		if (!past[i]) continue;
		const before = run.name[i] ? run.known[i] : run.previous[i];
		if (before >= 0 && run.node[i]) past[before] = 1;
		if (run.cause[i] >= 0) past[run.cause[i]] = 1;
	}
	return past;
}

// clockOf is the vector clock of an event: by node, how many of its events are in the past; of an event of the
// model's own, how many of these.
function clockOf(run, event) {
	const past = pastOf(run, event), clock = new Map();
	for (let i = 0; i <= event; i++) {
		if (past[i] && run.node[i] && !run.to[i] && (run.name[i] || !run.name[event])) clock.set(run.node[i], (clock.get(run.node[i]) ?? 0) + 1);
	}
	return clock;
}

// relation says how two events stand to each other.
function relation(run, a, b) {
	if (a === b) return "the same event";
	const [first, second] = a < b ? [a, b] : [b, a];
	return pastOf(run, second)[first] ? "happened before" : "concurrent";
}

// firstDifference is the number of the first event in which two runs differ, -1 if there is none.
function firstDifference(a, b) {
	const n = Math.min(a.n, b.n);
	for (let i = 0; i < n; i++) {
		if (a.at[i] !== b.at[i] || a.nodes[a.node[i]] !== b.nodes[b.node[i]] || textOf(a, i) !== textOf(b, i)) return i;
	}
	return a.n === b.n ? -1 : n;
}

const textOf = (run, i) => run.doc.events.text[i].map(k => run.doc.strings[k]).join("; ");
const toldOf = (run, i) => (run.doc.events.told?.[i] ?? []).map(k => run.doc.strings[k]);
const nameOf = (run, i) => run.name[i] ? run.doc.strings[run.name[i] - 1] : "";
const wordsOf = (run, i) => textOf(run, i) || toldOf(run, i).join("; ");

// labelOf is what stands beside an event in the picture: what the model says of one of its own, what it notes, or what was done.
function labelOf(run, i) {
	if (run.name[i]) return short(toldOf(run, i)[0].slice(run.nodes[run.node[i]].length + 1), 40);
	const parts = run.doc.events.text[i].map(k => run.doc.strings[k]);
	if (!(run.flags[i] & STEP)) return short(parts.join("; ") || toldOf(run, i).join("; "), 40);
	const notes = parts.filter(p => p.startsWith("notes ")).map(p => p.slice(6));
	return short(notes.length ? notes.join(", ") : parts[0]?.replace(/^from itself: /, "") ?? "", 40);
}

// messageOf is the message of a step, without from whom.
const messageOf = (run, i) => (run.doc.strings[run.doc.events.text[i][0]] ?? "").replace(/^from [^:]*: /, "");

// violated is the word for a violation: one that the scenario file expects is another.
const violated = v => v.expected ? "VIOLATED as expected" : "VIOLATED";

const short = (text, most) => text.length > most ? text.slice(0, most - 1) + "\u2026" : text;

// seconds is an instant or a duration, in seconds with as many digits as it has, at least three.
function seconds(ns) {
	const sign = ns < 0 ? "-" : "", all = Math.abs(ns);
	const frac = String(Math.round(all % 1e9) + 1e9).slice(1).replace(/0{1,6}$/, "");
	return sign + Math.floor(all / 1e9) + "." + frac.padEnd(3, "0") + "s";
}
