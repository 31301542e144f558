// What is said of the event that is chosen, and of the run as a whole.

function showEvent(page) {
	const pane = page.pane, {run, chosen: i} = pane, place = document.getElementById("event");
	if (i < 0) {
		place.replaceChildren(make("p", {class: "small"}, "No event is chosen. Choose one in the lanes or in the log, or press an arrow key."));
		return;
	}
	const rows = [["event", `${i + 1} of ${run.n}${page.panes.length > 1 ? ", run " + page.letter(pane) : ""}`], ["true time", seconds(run.at[i])], ["node", run.nodes[run.node[i]]], ["what", wordsOf(run, i)]];
	if (run.node[i]) rows.push(["its clocks", `monotonic ${seconds(run.at[i] + run.mono[i])}${ahead(run.mono[i])}, wall ${seconds(run.at[i] + run.wall[i])}${ahead(run.wall[i])}`]);
	rows.push(...messageRows(run, i));
	const states = run.doc.spans.filter(s => s.node === run.node[i] && s.from_ns <= run.at[i] && run.at[i] <= s.to_ns).map(s => run.doc.states[s.state]);
	if (states.length) rows.push(["state", states.join("; ")]);
	if (run.name[i]) rows.push(["name", nameOf(run, i)]);
	for (const told of toldOf(run, i)) rows.push(["that is", told]);
	if (run.fault[i]) rows.push(["fault", run.doc.faults[run.fault[i] - 1]]);
	if (run.node[i] && !run.to[i]) rows.push(["vector clock", clockText(run, i)]);
	if (pane.other >= 0 && pane.other < run.n) rows.push(["beside event " + (pane.other + 1), relationText(run, pane.other, i)]);
	for (const v of run.doc.violations) if (v.event === i) rows.push([violated(v), v.property + ": " + v.why]);
	place.replaceChildren(table(rows), ...stateTable(run, i));
}

// stateTable is what the node keeps, before the event and after it.
function stateTable(run, i) {
	if (!run.node[i] || run.to[i] || !run.doc.events.state) return [];
	const before = run.previous[i] >= 0 ? stateAfter(run, run.previous[i]) : new Map(), now = stateAfter(run, i);
	const names = [...new Set([...before.keys(), ...now.keys()])].sort();
	if (!names.length) return [make("p", {class: "small"}, "The node keeps nothing yet.")];
	const all = make("table", {class: "state"}), head = make("tr");
	for (const name of ["state", "before", "after"]) head.append(make("th", {scope: "col"}, name));
	all.append(head);
	for (const name of names) {
		const was = before.get(name) ?? "", is = now.get(name) ?? "", row = make("tr", was === is ? {} : {class: "changed"});
		row.append(make("th", {scope: "row"}, name), make("td", {}, was || "zero"), make("td", {}, is || "zero"));
		all.append(row);
	}
	return [all];
}

const ahead = ns => ns ? ` (${ns > 0 ? "+" : ""}${seconds(ns)})` : "";

function messageRows(run, i) {
	const rows = [], flags = run.flags[i];
	if (run.from[i]) rows.push(["message", `from ${run.nodes[run.from[i]]}, sent at ${seconds(run.at[i] - run.took[i])}, took ${seconds(run.took[i])}${flags & COPY ? "; it had arrived before" : ""}`]);
	else if (flags & STEP && run.took[i]) rows.push(["armed", `at ${seconds(run.at[i] - run.took[i])}${flags & ALARM ? ", for a reading of its wall clock" : ""}`]);
	if (run.to[i]) rows.push(["message", `to ${run.nodes[run.to[i]]}: ${flags & LOST ? "lost" : flags & BUFFERED ? "buffered" : "see above"}`]);
	if (run.late[i]) rows.push(["late", `handled ${seconds(run.late[i])} after it was due: the node was stopped`]);
	if (flags & OUTSIDE) rows.push(["cause", "before the part of the run that is on this page"]);
	return rows;
}

function clockText(run, i) {
	const clock = [...clockOf(run, i)].sort((a, b) => a[0] - b[0]), most = 24;
	const text = clock.slice(0, most).map(([id, n]) => `${short(run.nodes[id], 40)}: ${n}`).join(", ");
	return text + (clock.length > most ? ` and ${clock.length - most} nodes more` : "") + (run.doc.left ? " (events on this page)" : "");
}

function relationText(run, a, b) {
	const word = relation(run, a, b);
	if (word === "concurrent") return `a || b: concurrent; neither can have caused the other`;
	if (word === "happened before") return a < b ? `it happened before this one` : `this one happened before it`;
	return word;
}

function table(rows) {
	const list = make("dl");
	for (const [name, value] of rows) list.append(make("dt", {}, name), make("dd", name === "VIOLATED" ? {class: "bad"} : name.startsWith("VIOLATED") ? {class: "expected"} : {}, short(String(value), 4000)));
	return list;
}

function showRun(page) {
	const place = document.getElementById("run");
	place.replaceChildren();
	for (const pane of page.panes) {
		const {doc} = pane.run;
		if (page.panes.length > 1) place.append(make("h3", {}, page.letter(pane) + ": " + doc.scenario));
		const rows = [["model", doc.model], ["seed", doc.seed], ["end", seconds(doc.end_ns)], ["events", doc.counted], ["digest", doc.digest]];
		if (doc.command) rows.push(["again", doc.command]);
		if (doc.source) rows.push(["source", doc.source]);
		for (const f of doc.faults) rows.push(["fault", f]);
		place.append(table(rows), properties(doc));
		if (doc.costs?.length) place.append(make("h3", {}, "Costs"), table(doc.costs.map(c => [c.name, c.text])));
		for (const f of doc.figures ?? []) place.append(figure(f));
		if (!doc.text) continue;
		const text = make("details");
		text.append(make("summary", {}, "Scenario file"), make("pre", {tabindex: "0"}, doc.text));
		place.append(text);
	}
}

// figure is a picture as an image, in which no script runs and from which nothing is loaded.
function figure(f) {
	const all = make("figure");
	all.append(make("img", {src: "data:image/svg+xml;charset=utf-8," + encodeURIComponent(f.svg), alt: f.title}));
	return all;
}

function properties(doc) {
	const all = make("table"), head = make("tr");
	for (const name of ["property", "verdict", "bound"]) head.append(make("th", {scope: "col"}, name));
	all.append(head);
	for (const p of doc.properties ?? []) {
		const row = make("tr"), v = doc.violations.find(v => v.property === p.name);
		row.append(make("td", {}, p.name), make("td", {class: v ? v.expected ? "expected" : "bad" : p.verdict === "holds" ? "good" : ""}, v ? violated(v) : p.verdict), make("td", {}, p.bound ?? ""));
		all.append(row);
	}
	return all;
}
