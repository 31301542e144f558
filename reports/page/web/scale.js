// Where an instant and an event stand, from 0 to 1 over the whole run: in proportion to true time, or
// in even steps, where events that follow each other stand as far apart, even at one instant.

function scaleOf(runs, even) {
	const begin = Math.min(...runs.map(r => r.begin)), end = Math.max(...runs.map(r => r.end));
	const plain = {at: t => (t - begin) / (end - begin), time: u => begin + u * (end - begin)};
	const scale = even ? evenScale(runs, begin, end) : plain;
	for (const run of runs) run.u = Float64Array.from(run.at, (t, i) => scale.at(t) + (even ? run.depth[i] / scale.steps : 0));
	for (const run of runs) run.spans = run.doc.spans.map(s => ({...s, from: place(run, scale, s.node, s.from_ns), to: place(run, scale, s.node, s.to_ns)})).sort((a, b) => b.state - a.state); // pauses and crashes are below the rest
	return scale;
}

// place is where something of a node stands that begins or ends at an instant: at its event, if it has one then.
function place(run, scale, node, t) {
	for (let i = after(run.at, t) - 1; i >= 0 && run.at[i] === t; i--) if (run.node[i] === node && !run.to[i]) return run.u[i];
	return scale.at(t);
}

function evenScale(runs, begin, end) {
	const all = new Set([begin, end]);
	for (const run of runs) for (const t of run.at) all.add(t);
	const instants = Float64Array.from(all).sort(), deep = new Int32Array(instants.length), starts = new Float64Array(instants.length);
	for (const run of runs) {
		run.depth ??= depths(run);
		for (let i = 0; i < run.n; i++) {
			const k = after(instants, run.at[i]) - 1;
			deep[k] = Math.max(deep[k], run.depth[i]);
		}
	}
	for (let k = 1; k < starts.length; k++) starts[k] = starts[k - 1] + deep[k - 1] + 1;
	const last = instants.length - 1, steps = starts[last] + deep[last] || 1;
	return {
		at(t) {
			const k = Math.min(Math.max(after(instants, t) - 1, 0), last);
			if (k === last || t <= instants[k]) return starts[k] / steps;
			return (starts[k] + deep[k] + (t - instants[k]) / (instants[k + 1] - instants[k])) / steps;
		},
		time(u) {
			const k = Math.min(Math.max(after(starts, u * steps) - 1, 0), last), over = u * steps - starts[k] - deep[k];
			return k === last || over <= 0 ? instants[k] : instants[k] + over * (instants[k + 1] - instants[k]);
		},
		instants, steps,
	};
}

// depths is, by event, how many events of the same instant it follows one after another.
function depths(run) {
	const depth = new Int32Array(run.n);
	for (let i = 0; i < run.n; i++) {
		for (const before of [run.previous[i], run.cause[i]]) {
			if (before >= 0 && run.at[before] === run.at[i]) depth[i] = Math.max(depth[i], depth[before] + (run.to[i] ? 0 : 1));
		}
	}
	return depth;
}

// after is how many values of a sorted list are at most x.
function after(list, x) {
	let low = 0, high = list.length;
	while (low < high) {
		const middle = (low + high) >> 1;
		if (list[middle] <= x) low = middle + 1; else high = middle;
	}
	return low;
}

// ticks are round instants between two, at most so many.
function ticks(from, to, most) {
	const rough = (to - from) / Math.max(most, 1), power = 10 ** Math.floor(Math.log10(Math.max(rough, 1)));
	const step = [1, 2, 5, 10].map(k => k * power).find(s => s >= rough) ?? power * 10, list = [];
	for (let t = Math.ceil(from / step) * step; t <= to && list.length < 100; t += step) list.push(t);
	return list;
}
