// A strip below each lane shows one value of the node over time: what a server grants, a token, a version, or
// the level of a limiter with its limit.

// What is shown of a node is the first of its fields that fits.
const GRANTS = "Grants and tokens", OWNED = /^notes (owned|freed)(.*)/;
const STRIPS = [
	[GRANTS, [/^(fence\.token|token)$/, /^last$/]],
	["Versions", [/object\.values\[0\]\.Write$/]],
	["Level of limiters", [/(^|\.)(count|level|tokens)$/]],
];

// stripsOf are the strips that a run can have, each with its segments by node.
function stripsOf(run) {
	const fields = fieldsOf(run), list = new Map(), window = windowOf(run);
	if (window) list.set(window.name, () => window.segments);
	for (const [name, wanted] of STRIPS) {
		const pick = new Map();
		for (const pattern of wanted) for (const [field, nodes] of fields) {
			if (pattern.test(field)) for (const id of nodes) if (!pick.has(id)) pick.set(id, field);
		}
		const grants = name === GRANTS && run.doc.strings.some(s => OWNED.test(s));
		if (pick.size || grants) list.set(name, () => new Map([...segmentsOf(run, pick), ...grants ? grantsOf(run) : []]));
	}
	for (const [field, nodes] of [...fields].sort()) list.set(field, () => segmentsOf(run, new Map([...nodes].map(id => [id, field]))));
	return list;
}

// segmentsOf are, by node, the values of its field, each from an event on.
function segmentsOf(run, pick) {
	const segments = new Map();
	for (const [id, field] of pick) {
		const list = [];
		let limit = NaN;
		for (const i of run.steps[id]) for (const [name, value] of changesOf(run, i)) {
			if (name === field) list.push({event: i, value});
			if (/(^|\.)(limit|capacity)$/.test(name)) limit = Number(value);
		}
		segments.set(id, {field, list, limit, numbers: list.length > 0 && list.every(s => /^\d{0,6}$/.test(s.value)) && !Number.isNaN(limit)});
	}
	return segments;
}

// grantsOf are, by server, to whom it has granted the lock, by what it notes.
function grantsOf(run) {
	const segments = new Map();
	for (let i = 0; i < run.n; i++) for (const k of run.doc.events.text[i]) {
		const note = OWNED.exec(run.doc.strings[k]);
		if (!note) continue;
		if (!segments.has(run.node[i])) segments.set(run.node[i], {field: "granted to", list: [], numbers: false});
		segments.get(run.node[i]).list.push({event: i, value: note[1] === "owned" ? note[2].trim() : ""});
	}
	return segments;
}

// windowOf counts what was admitted in the window of the property window-limit, by the bound that it states.
function windowOf(run) {
	const said = (run.doc.properties ?? []).map(p => /^at most (\d+) in any (\d+)(ms|s|m|h)\b/.exec(p.bound ?? "")).find(Boolean);
	if (!said) return null;
	const length = said[2] * {ms: 1e6, s: 1e9, m: 60e9, h: 3600e9}[said[3]], limit = Number(said[1]), recent = new Map(), all = [];
	for (let i = 0; i < run.n; i++) for (const k of run.doc.events.text[i]) {
		const admitted = /^notes admitted \S+ key (\d+)(?:.* cost (\d+))?/.exec(run.doc.strings[k]);
		if (!admitted) continue;
		const of = recent.get(admitted[1]) ?? [];
		recent.set(admitted[1], of);
		for (let c = Number(admitted[2] ?? 1); c > 0; c--) of.push(run.at[i]);
		while (of[0] <= run.at[i] - length) of.shift();
		all.push({event: i, value: String(of.length)});
	}
	if (!all.length) return null;
	const segments = new Map();
	for (const s of all) {
		const id = run.node[s.event];
		if (!segments.has(id)) segments.set(id, {field: `admitted in ${said[2]}${said[3]}`, list: [], limit, numbers: true});
		segments.get(id).list.push(s);
	}
	return {name: `Admitted in any ${said[2]}${said[3]}`, segments};
}

const STRIP = 22;

function drawStrips(pane, colour) {
	if (!pane.strip) return;
	pane.g.font = "10px system-ui, sans-serif";
	for (const [id, s] of pane.strip) {
		const k = pane.place(id);
		if (k >= 0 && pane.row >= 24 + STRIP) if (s.numbers) drawLevel(pane, s, k, colour); else drawValues(pane, s, k, colour);
	}
	pane.g.font = "12px system-ui, sans-serif";
}

// eachSegment visits the segments in view, from where to where.
function eachSegment(pane, s, visit) {
	const last = pane.pixel(1);
	for (let i = 0; i < s.list.length; i++) {
		const from = pane.xOf(s.list[i].event), to = i + 1 < s.list.length ? pane.xOf(s.list[i + 1].event) : last;
		if (to >= pane.gutter && from <= pane.width && to > from) visit(Math.max(from, pane.gutter), Math.min(to, pane.width), s.list[i].value);
	}
}

function drawValues(pane, s, k, colour) {
	const {g} = pane, top = pane.bottom(k) - STRIP + 4;
	let end = -Infinity;
	eachSegment(pane, s, (from, to, value) => {
		if (!value || to - end < 0.5) return;
		end = to;
		g.fillStyle = colour.soft;
		g.fillRect(from, top, to - from, STRIP - 6);
		g.strokeStyle = colour.accent;
		g.lineWidth = 1;
		g.strokeRect(from + 0.5, top + 0.5, Math.max(to - from - 1, 0.5), STRIP - 7);
		g.fillStyle = colour.front;
		if (to - from > 24) g.fillText(fitted(g, shortField(s.field) + " " + value, to - from - 8), from + 4, top + (STRIP - 6) / 2);
	});
}

// drawLevel draws numbers as steps, with a line at the limit; what is above it stands out.
function drawLevel(pane, s, k, colour) {
	const {g} = pane, bottom = pane.bottom(k) - 3, most = Math.max(s.limit * 1.25, ...s.list.map(v => Number(v.value))), high = STRIP - 5;
	eachSegment(pane, s, (from, to, value) => {
		const n = Number(value), y = bottom - high * n / most;
		g.fillStyle = n > s.limit ? colour.stop : colour.span0;
		g.fillRect(from, y, to - from, bottom - y);
		g.fillStyle = n > s.limit ? colour.bad : colour.front;
		if (to - from > 12) g.fillText(value, from + 2, Math.min(y + 6, bottom - 5));
	});
	const y = bottom - high * s.limit / most;
	g.strokeStyle = colour.bad;
	g.setLineDash([5, 3]);
	g.lineWidth = 1;
	g.beginPath();
	g.moveTo(pane.gutter, y);
	g.lineTo(pane.width, y);
	g.stroke();
	g.setLineDash([]);
	g.fillStyle = colour.bad;
	const text = `${shortField(s.field)}, limit ${s.limit}`;
	g.fillText(text, pane.gutter + 4, y - 6);
}
