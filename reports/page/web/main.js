// The page: what is in view, what is chosen, and the keys.

class Page {
	constructor(docs) {
		this.hidden = {nodes: new Set(), kinds: new Set()};
		this.view = {from: 0, to: 1};
		this.runs = (docs[0].vary ? [docs.find(d => d.own) ?? docs[0]] : docs).map(decode);
		this.setAxis(this.runs.every(run => run.n <= 2000));
		this.panes = this.runs.map((run, i) => new Pane(this, run, this.runs.length > 1 ? "AB"[i] : ""));
		document.getElementById("panes").className = this.runs.length > 1 ? "two" : "";
		document.getElementById("panes").append(...this.panes.map(p => p.element));
		this.pane = this.panes[0];
		if (this.runs.length === 2) for (const pane of this.panes) pane.difference = firstDifference(...this.runs);
	}

	// replace shows another run in the only pane, at the instants that are in view.
	replace(doc) {
		const from = this.scale.time(this.view.from), to = this.scale.time(this.view.to), whole = this.view.to - this.view.from === 1;
		this.runs = [decode(doc)];
		this.pane.use(this.runs[0]);
		this.setAxis(this.even);
		this.setStrip(document.getElementById("strip").value);
		if (whole) this.show(0, 1); else this.show(this.scale.at(from), this.scale.at(to));
		showVerdicts(this);
		showEvent(this);
		showRun(this);
	}

	// setStrip shows a value of each node below its lane.
	setStrip(name) {
		for (const pane of this.panes) pane.strip = pane.choices.get(name)?.() ?? null;
		this.layout();
	}

	letter(pane) { return "AB"[this.panes.indexOf(pane)]; }

	setAxis(even) {
		this.scale = scaleOf(this.runs, this.even = even);
		document.getElementById("axis").setAttribute("aria-pressed", String(even));
	}

	// turnAxis keeps the instants in view.
	turnAxis() {
		const from = this.scale.time(this.view.from), to = this.scale.time(this.view.to);
		this.setAxis(!this.even);
		this.layout();
		this.show(this.scale.at(from), this.scale.at(to));
	}

	// layout makes the next picture fit the window and the lanes that are shown.
	layout() {
		this.stale = true;
		this.draw();
	}

	// draw draws once before the next picture, however often it is asked to.
	draw() { this.asked ||= requestAnimationFrame(() => this.paint()); }

	paint() {
		cancelAnimationFrame(this.asked);
		if (this.stale) for (const pane of this.panes) pane.layout();
		this.moving &&= !this.stale;
		this.asked = this.stale = 0;
		for (const pane of this.panes) if (!this.moving || !shift(pane)) pane.draw();
		clearTimeout(this.later);
		this.later = setTimeout(() => this.settle(), 120);
	}

	// settle draws what was only moved, when the view has come to rest.
	settle() {
		if (this.moving) {
			this.moving = false;
			for (const pane of this.panes) pane.draw();
		}
		showLog(this);
	}

	show(from, to) {
		const length = Math.min(Math.max(to - from, 1e-9), 1), begin = Math.min(Math.max(from, 0), 1 - length);
		this.view = {from: begin, to: begin + length};
		this.moving = true;
		this.draw();
	}

	zoom(factor, about = (this.view.from + this.view.to) / 2) {
		const {from, to} = this.view;
		this.show(about - (about - from) * factor, about + (to - about) * factor);
	}

	move(share) {
		const by = share * (this.view.to - this.view.from);
		this.show(this.view.from + by, this.view.to + by);
	}

	center(u) {
		const half = (this.view.to - this.view.from) / 2;
		this.show(u - half, u + half);
	}

	use(pane) {
		if (this.pane === pane) return;
		this.pane = pane;
		showEvent(this);
		this.draw();
	}

	choose(pane, event, beside = false, reveal = false) {
		this.pane = pane;
		if (beside && pane.chosen >= 0) pane.other = event;
		else pane.chosen = event;
		pane.past = this.lit ? pastOf(pane.run, pane.chosen) : null;
		showEvent(this);
		if (event >= 0) {
			history.replaceState(null, "", "#e=" + event);
			const u = pane.run.u[event];
			if (reveal && (u < this.view.from || u > this.view.to)) this.center(u);
		}
		this.moving = false;
		this.draw();
	}

	light(on) {
		this.lit = on;
		document.getElementById("past").setAttribute("aria-pressed", String(on));
		for (const pane of this.panes) pane.past = on && pane.chosen >= 0 ? pastOf(pane.run, pane.chosen) : null;
		this.draw();
	}

	step(by) {
		const {pane} = this, {run} = pane;
		let i = pane.chosen < 0 && by > 0 ? pane.range()[0] - 1 : pane.chosen;
		do i += by; while (i >= 0 && i < run.n && (pane.place(run.node[i]) < 0 || !pane.passes(i)));
		if (i >= 0 && i < run.n) this.choose(pane, i, false, true);
	}

	// lane chooses the event of the next lane that is nearest in time.
	lane(by) {
		const {pane} = this, {run} = pane;
		if (pane.chosen < 0) return this.step(1);
		const id = pane.shown[pane.place(run.node[pane.chosen]) + by];
		let best = -1;
		for (let i = 0; i < run.n; i++) {
			if (run.node[i] === id && (best < 0 || Math.abs(run.at[i] - run.at[pane.chosen]) < Math.abs(run.at[best] - run.at[pane.chosen]))) best = i;
		}
		if (best >= 0) this.choose(pane, best, false, true);
	}

	violation() {
		const list = this.panes.flatMap(pane => pane.run.doc.violations.map(v => [pane, v])).filter(([, v]) => v.event >= 0);
		if (!list.length) return this.say("Nothing on this page is violated.");
		this.nth = ((this.nth ?? -1) + 1) % list.length;
		const [pane, v] = list[this.nth];
		this.choose(pane, v.event, false, true);
		this.light(true);
		this.say(`${violated(v)}: ${v.property} at ${seconds(v.at_ns)}: ${v.why}`);
	}

	search(text) {
		const low = text.toLowerCase();
		for (const pane of this.panes) {
			const {run} = pane;
			pane.matches = low ? new Set() : null;
			for (let i = 0; low && i < run.n; i++) {
				if ((run.nodes[run.node[i]] + " " + nameOf(run, i) + " " + textOf(run, i) + " " + toldOf(run, i).join(" ")).toLowerCase().includes(low)) pane.matches.add(i);
			}
		}
		document.getElementById("found").textContent = low ? this.panes.reduce((n, p) => n + p.matches.size, 0) + " found" : "";
		this.draw();
	}

	found() {
		const {pane} = this, list = [...pane.matches ?? []];
		if (list.length) this.choose(pane, list.find(i => i > pane.chosen) ?? list[0], false, true);
	}

	say(text) { document.getElementById("said").textContent = text; }
}

// filter adds a box for each name, that hides what has it.
function filter(page, id, names, hidden) {
	for (const name of names) {
		const label = make("label", {title: short(name, 200)}), box = make("input", {type: "checkbox"});
		box.checked = true;
		box.addEventListener("change", () => {
			if (box.checked) hidden.delete(name); else hidden.add(name);
			page.layout();
		});
		label.append(box, " ", short(name, 60) || "other");
		document.getElementById(id).append(label);
	}
}

// unpack reads the runs, which are compressed.
async function unpack() {
	const bytes = Uint8Array.from(atob(document.getElementById("data").textContent), c => c.charCodeAt(0));
	return new Response(new Blob([bytes]).stream().pipeThrough(new DecompressionStream("gzip"))).json();
}

function begin(all) {
	const page = new Page(all);
	const docs = page.runs.map(r => r.doc), press = (id, f) => document.getElementById(id).addEventListener("click", f);
	const abouts = [...new Set(docs.map(d => d.about ?? ""))];
	document.getElementById("about").textContent = abouts.map((about, i) => abouts.length > 1 ? `${"AB"[i]}: ${about}` : about).join("\n");
	showVerdicts(page);
	if (all[0].vary) slider(page, all);
	chooseStrip(page);
	if (docs.length === 2) page.say(differenceText(page));
	filter(page, "nodes", new Set(page.runs.flatMap(r => r.lanes.map(id => r.nodes[id]))), page.hidden.nodes);
	filter(page, "kinds", new Set(page.runs.flatMap(r => r.kinds.map(k => r.doc.kinds[k] ?? ""))), page.hidden.kinds);
	press("previous", () => page.step(-1));
	press("next", () => page.step(1));
	press("violation", () => page.violation());
	press("in", () => page.zoom(0.6));
	press("out", () => page.zoom(1 / 0.6));
	press("fit", () => page.show(0, 1));
	press("axis", () => page.turnAxis());
	press("past", () => page.light(!page.lit));
	press("help", () => document.getElementById("keys").showModal());
	const search = document.getElementById("search");
	search.addEventListener("input", () => page.search(search.value));
	search.addEventListener("keydown", e => { if (e.key === "Enter") page.found(); if (e.key === "Escape") search.blur(); });
	document.addEventListener("keydown", e => key(page, e));
	new ResizeObserver(() => { page.stale = true; page.paint(); }).observe(document.getElementById("panes"));
	for (const media of ["(prefers-color-scheme: dark)", "(prefers-contrast: more)", "print"]) {
		matchMedia(media).addEventListener("change", () => { page.stale = true; page.paint(); });
	}
	page.stale = true;
	page.paint();
	showRun(page);
	const asked = Number(/^#e=(\d+)$/.exec(location.hash)?.[1] ?? -1);
	page.choose(page.pane, asked < page.runs[0].n ? asked : -1, false, true);
	showLog(page);
	page.ready = performance.now();
	globalThis.fencepost = page;
}

function showVerdicts(page) {
	const list = document.getElementById("verdicts");
	list.replaceChildren();
	for (const pane of page.panes) for (const v of pane.run.doc.violations) {
		list.append(make("li", {class: v.expected ? "expected" : "bad"}, `${v.expected ? "\u25b7" : "\u25b6"} ${violated(v)}${page.panes.length > 1 ? " in " + page.letter(pane) : ""}: ${v.property} at ${seconds(v.at_ns)}: ${v.why}`));
	}
	if (!list.firstChild) list.append(make("li", {class: "good"}, "Nothing is violated."));
}

// chooseStrip fills the list of strips; the first one that says what the run is about is shown.
function chooseStrip(page) {
	const list = document.getElementById("strip"), names = new Set(page.panes.flatMap(p => [...p.choices.keys()]));
	for (const name of names) list.append(make("option", {value: name}, short(name, 60)));
	const known = [...names].find(name => /^[A-Z]/.test(name));
	if (known) list.value = known;
	list.addEventListener("change", () => page.setStrip(list.value));
	page.setStrip(list.value);
}

function differenceText(page) {
	const [a, b] = page.runs, i = page.panes[0].difference;
	if (i < 0) return "The runs are the same, event for event.";
	const say = run => i < run.n ? `${seconds(run.at[i])} ${run.nodes[run.node[i]]}: ${short(wordsOf(run, i), 200)}` : "nothing more happens";
	return `The runs are the same for ${i} events. Then A: ${say(a)}. B: ${say(b)}.`;
}

const keys = {
	ArrowLeft: p => p.step(-1), ArrowRight: p => p.step(1), ArrowUp: p => p.lane(-1), ArrowDown: p => p.lane(1),
	"+": p => p.zoom(0.6), "=": p => p.zoom(0.6), "-": p => p.zoom(1 / 0.6), 0: p => p.show(0, 1), a: p => p.move(-0.3), d: p => p.move(0.3),
	v: p => p.violation(), p: p => p.light(!p.lit), e: p => p.turnAxis(), n: p => p.found(),
	c: p => { p.pane.other = p.pane.chosen; showEvent(p); p.draw(); },
	"/": () => document.getElementById("search").focus(), "?": () => document.getElementById("keys").showModal(),
};

function key(page, e) {
	if (e.ctrlKey || e.metaKey || e.altKey || document.getElementById("keys").open || e.target.matches("input[type=search], select, pre")) return;
	const arrows = e.key.startsWith("Arrow");
	if (arrows && e.target.matches("input, summary, pre")) return;
	const act = keys[e.key.length === 1 ? e.key.toLowerCase() : e.key];
	if (!act) return;
	e.preventDefault();
	act(page);
}

begin(await unpack());
