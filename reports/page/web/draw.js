// Draws the lanes of a pane. Above some number of events in view it draws one mark for each pixel of
// a lane, and one arrow for each pair of pixels, and says so.

const TOP = 26, MARKS = 4000;

function palette() {
	const style = getComputedStyle(document.documentElement), colour = {};
	for (const name of ["back", "front", "dim", "line", "soft", "accent", "bad", "fault", "arrow", "past", "lost", "span0", "span1", "span2", "span3", "stop", "down"]) {
		colour[name] = style.getPropertyValue("--" + name).trim();
	}
	return colour;
}

// draw draws a pane and returns how many events are in view and how many of them have a mark.
function draw(pane) {
	const {g, run, width, height} = pane, colour = palette();
	g.setTransform(pane.density, 0, 0, pane.density, 0, 0);
	g.fillStyle = colour.back;
	g.fillRect(0, 0, width, height);
	g.font = "12px system-ui, sans-serif";
	g.textBaseline = "middle";
	drawLanes(pane, colour);
	g.save();
	g.beginPath();
	g.rect(pane.gutter, 0, width - pane.gutter, height);
	g.clip();
	drawStrips(pane, colour);
	drawSpans(pane, colour);
	drawArrows(pane, colour);
	const drawn = drawEvents(pane, colour);
	drawViolations(pane, colour);
	g.restore();
	return drawn;
}

function drawLanes(pane, colour) {
	const {g, run, width, height} = pane;
	let end = -Infinity; // of the instants that are written
	for (const t of pane.ticks()) {
		const x = pane.x(t), text = seconds(t), wide = g.measureText(text).width, left = Math.min(x + 3, width - wide - 3);
		if (x < pane.gutter) continue;
		g.fillStyle = colour.line;
		g.fillRect(Math.round(x), TOP - 6, 1, height - TOP + 6);
		if (left < end + 6) continue;
		end = left + wide;
		g.fillStyle = colour.dim;
		g.fillText(text, left, TOP / 2);
	}
	pane.shown.forEach((id, k) => {
		const y = pane.y(k);
		g.fillStyle = colour.line;
		g.fillRect(pane.gutter, Math.round(y), width - pane.gutter, 1);
		if (pane.row < 9) return;
		g.fillStyle = colour.front;
		const clocks = clocksAhead(run, id, pane.chosen >= 0 ? run.at[pane.chosen] : pane.to);
		g.fillText(fitted(g, run.nodes[id], pane.gutter - 10), 5, clocks ? y - 6 : y);
		if (!clocks) return;
		g.fillStyle = colour.fault;
		g.font = "10px system-ui, sans-serif";
		g.fillText(fitted(g, clocks, pane.gutter - 10), 5, y + 7);
		g.font = "12px system-ui, sans-serif";
	});
}

// clocksAhead says how far the clocks of a node are from true time at an instant, by its last event until then.
function clocksAhead(run, node, t) {
	const i = node ? lastOf(run, node, t) : -1;
	if (i < 0 || !run.mono[i] && !run.wall[i]) return "";
	return [["mono", run.mono[i]], ["wall", run.wall[i]]].filter(([, ns]) => ns).map(([name, ns]) => `${name} ${ns > 0 ? "+" : ""}${seconds(ns)}`).join(", ");
}

// fitted is a text that is cut off where there is no room for it.
function fitted(g, text, room) {
	text = short(text, 200);
	while (text.length > 1 && g.measureText(text).width > room) text = text.slice(0, Math.max(1, Math.floor(text.length * 0.85) - 1)) + "\u2026";
	return text;
}

// drawSpans draws what nodes are in: pauses and crashes over the whole lane, other states as bars above it.
function drawSpans(pane, colour) {
	const {g, run} = pane, states = run.doc.states, own = states.length - 2;
	for (const s of run.spans) {
		const k = pane.place(s.node);
		if (k < 0) continue;
		const from = Math.max(pane.pixel(s.from), pane.gutter), to = Math.min(pane.pixel(s.to), pane.width), y = pane.y(k);
		if (to < pane.gutter || from > pane.width) continue;
		const bar = Math.min((pane.row - pane.below) * 0.22, 11), long = Math.max(to - from, 1.5);
		if (s.state >= own) {
			g.fillStyle = s.state === own ? colour.stop : colour.down;
			g.fillRect(from, y - (pane.row - pane.below) * 0.2, long, (pane.row - pane.below) * 0.4);
		} else {
			g.fillStyle = colour["span" + s.state % 4];
			g.fillRect(from, y - (pane.row - pane.below) / 2 + 1 + bar * (s.state % 2), long, bar);
		}
		if (pane.row < 24 || long < 60) continue;
		g.fillStyle = colour.front;
		g.font = "10px system-ui, sans-serif";
		g.fillText(fitted(g, states[s.state], long - 6), from + 3, s.state >= own ? y + (pane.row - pane.below) * 0.12 : y - (pane.row - pane.below) / 2 + 1 + bar * (s.state % 2) + bar / 2);
		g.font = "12px system-ui, sans-serif";
	}
}

// drawArrows draws the messages. One that is lost or buffered ends in a stub at a third of its way.
function drawArrows(pane, colour) {
	const {g, run} = pane, seen = new Set(), thin = pane.visible > MARKS;
	pane.labels = [];
	for (let i = after(run.at, pane.from - 1); i < run.n && run.sentAfter[i] <= pane.to; i++) {
		const gone = run.to[i] > 0;
		if (!run.from[i] && !gone) continue;
		const sent = run.at[i] - (gone ? 0 : run.took[i]);
		if (run.at[i] < pane.from || sent > pane.to || !pane.passes(i)) continue;
		const a = pane.place(gone ? run.node[i] : run.from[i]), b = pane.place(gone ? run.to[i] : run.node[i]);
		if (a < 0 || b < 0) continue;
		let x1 = pane.xSent(i), y1 = pane.y(a), x2 = pane.xOf(i), y2 = pane.y(b);
		if (thin) {
			const key = ((a * 4096 + b) * 4096 + Math.round(x1)) * 4096 + Math.round(x2);
			if (seen.has(key)) continue;
			seen.add(key);
		}
		if (gone) [x2, y2] = [x1 + 18, y1 + (y2 - y1) / 3];
		arrow(pane, i, x1, y1, x2, y2, colour);
		if (!thin && !gone && pane.visible < 120) name(pane, i, x1, y1, x2, y2, colour);
	}
	g.setLineDash([]);
	g.globalAlpha = 1;
}

function arrow(pane, i, x1, y1, x2, y2, colour) {
	const {g, run} = pane, flags = run.flags[i], lit = !pane.past || pane.past[i];
	g.globalAlpha = lit ? 1 : 0.15;
	g.strokeStyle = g.fillStyle = flags & LOST ? colour.lost : flags & BUFFERED ? colour.fault : pane.past && lit || i === pane.chosen ? colour.past : colour.arrow;
	g.lineWidth = i === pane.chosen ? 2.5 : 1;
	g.setLineDash(flags & (LOST | BUFFERED) ? [4, 3] : flags & COPY ? [1, 3] : []);
	g.beginPath();
	g.moveTo(x1, y1);
	g.lineTo(x2, y2);
	g.stroke();
	g.setLineDash([]);
	if (flags & (LOST | BUFFERED)) {
		g.beginPath();
		g.moveTo(x2 - 4, y2 - 4); g.lineTo(x2 + 4, y2 + 4);
		if (flags & LOST) { g.moveTo(x2 - 4, y2 + 4); g.lineTo(x2 + 4, y2 - 4); }
		g.stroke();
		return;
	}
	const angle = Math.atan2(y2 - y1, x2 - x1);
	g.beginPath();
	g.moveTo(x2, y2);
	g.lineTo(x2 - 8 * Math.cos(angle - 0.35), y2 - 8 * Math.sin(angle - 0.35));
	g.lineTo(x2 - 8 * Math.cos(angle + 0.35), y2 - 8 * Math.sin(angle + 0.35));
	g.fill();
}

// name writes the message at the middle of its arrow, where there is room.
function name(pane, i, x1, y1, x2, y2, colour) {
	const {g, run} = pane, text = short(messageOf(run, i), 24) + (run.flags[i] & COPY ? " (again)" : "");
	const y = besideLane(pane, besideStrip(pane, (y1 + y2) / 2)), middle = x1 + (x2 - x1) * (y - y1) / (y2 - y1 || 1);
	const wide = g.measureText(text).width, x = Math.max(middle - wide / 2, pane.gutter + 3);
	if (pane.labels.some(l => x < l.x + l.wide + 4 && l.x < x + wide + 4 && Math.abs(y - l.y) < 13)) return;
	pane.labels.push({x, y, wide});
	g.fillStyle = colour.back;
	g.fillRect(x - 2, y - 7, wide + 4, 14);
	g.fillStyle = colour.dim;
	g.fillText(text, x, y);
}

// besideStrip moves a height out of the strip that it is in, upwards.
function besideStrip(pane, y) {
	const bottom = pane.bottom(Math.floor((y - TOP) / pane.row));
	return pane.below && y > bottom - pane.below - 4 ? bottom - pane.below - 6 : y;
}

// besideLane moves a height off the line of a lane, upwards.
function besideLane(pane, y) {
	const line = pane.y(Math.floor((y - TOP) / pane.row));
	return pane.row >= 24 && Math.abs(y - line) < 9 ? line - 10 : y;
}

function drawEvents(pane, colour) {
	const {g, run} = pane, pixels = pane.visible > MARKS ? new Set() : null;
	let drawn = 0, labels = [];
	const [low, high] = pane.range();
	for (let i = low; i < high; i++) {
		const k = pane.place(run.node[i]);
		if (k < 0 || run.to[i] || !pane.passes(i)) continue;
		const x = pane.xOf(i), y = pane.y(k);
		if (pixels) {
			const key = k * 8192 + Math.round(x);
			if (pixels.has(key)) continue;
			pixels.add(key);
		}
		drawn++;
		mark(pane, i, x, y, colour);
		if (run.flags[i] & (NOTE | PANIC) || !(run.flags[i] & STEP) || i === pane.chosen) labels.push([i, x, y]);
	}
	g.globalAlpha = 1;
	if (pane.visible < 400 && pane.row >= 24) for (const [i, x, y] of labels) caption(pane, i, x, y + (pane.row - pane.below) * 0.33, colour);
	return drawn;
}

// mark is a disc for a step, a diamond for what was done to a node, a ring for what is chosen.
function mark(pane, i, x, y, colour) {
	const {g, run} = pane, flags = run.flags[i], r = Math.min(4, pane.row / 3);
	g.globalAlpha = !pane.past || pane.past[i] ? 1 : 0.2;
	g.fillStyle = flags & PANIC ? colour.bad : !(flags & STEP) ? colour.fault : pane.past?.[i] ? colour.past : flags & IDLE ? colour.dim : colour.front;
	g.beginPath();
	if (flags & STEP) g.arc(x, y, flags & IDLE ? r * 0.6 : r, 0, 2 * Math.PI);
	else { g.moveTo(x, y - r - 2); g.lineTo(x + r + 2, y); g.lineTo(x, y + r + 2); g.lineTo(x - r - 2, y); }
	g.fill();
	if (pane.matches?.has(i)) ring(g, x, y, r + 3, colour.fault, 2);
	if (i === pane.chosen) ring(g, x, y, r + 4, colour.accent, 2.5);
	if (i === pane.other) ring(g, x, y, r + 4, colour.past, 1.5);
}

function ring(g, x, y, r, stroke, width) {
	g.strokeStyle = stroke;
	g.lineWidth = width;
	g.beginPath();
	g.arc(x, y, r, 0, 2 * Math.PI);
	g.stroke();
}

function caption(pane, i, x, y, colour) {
	const {g, run} = pane, text = labelOf(run, i);
	g.font = "11px system-ui, sans-serif";
	const wide = g.measureText(text).width;
	x = Math.min(x + 4, Math.max(pane.gutter, pane.width - wide - 3));
	if (!pane.labels.some(l => x < l.x + l.wide + 4 && l.x < x + wide + 4 && Math.abs(y - l.y) < 11)) {
		pane.labels.push({x, y, wide});
		g.fillStyle = run.flags[i] & STEP ? colour.front : colour.fault;
		g.fillText(text, x, y);
	}
	g.font = "12px system-ui, sans-serif";
}

// drawViolations lights the instants and the lanes of violations, with a dashed line and an empty triangle those that the
// scenario file expects, and the first difference from the other run.
function drawViolations(pane, colour) {
	const {g, run, height} = pane;
	for (const v of run.doc.violations) {
		const x = v.event >= 0 ? pane.xOf(v.event) : pane.x(v.at_ns);
		const found = v.expected ? colour.fault : colour.bad;
		g.fillStyle = g.strokeStyle = found;
		g.lineWidth = 2;
		g.setLineDash(v.expected ? [8, 3] : []);
		g.beginPath();
		g.moveTo(x, TOP - 3); g.lineTo(x, height);
		g.stroke();
		g.setLineDash([]);
		g.beginPath();
		g.moveTo(x - 6, TOP - 12); g.lineTo(x + 6, TOP - 12); g.lineTo(x, TOP - 3); g.closePath();
		if (v.expected) g.stroke(); else g.fill();
		for (const id of v.nodes) if (pane.place(id) >= 0) ring(g, x, pane.y(pane.place(id)), Math.min(9, pane.row / 2), found, 2.5);
	}
	if (pane.difference >= 0) {
		const x = pane.difference < run.n ? pane.xOf(pane.difference) : pane.x(run.end);
		g.setLineDash([6, 4]);
		g.strokeStyle = colour.accent;
		g.lineWidth = 2;
		g.beginPath();
		g.moveTo(x, TOP - 8); g.lineTo(x, height);
		g.stroke();
		g.setLineDash([]);
		g.fillStyle = colour.accent;
		g.fillText("first difference", Math.min(x + 4, pane.width - 90), height - 8);
	}
}
