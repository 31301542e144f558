// A pane is one run in view: its lanes, its minimap, and what the pointer does there.

class Pane {
	constructor(page, run, letter) {
		Object.assign(this, {page, run, chosen: -1, other: -1, difference: -1, past: null, matches: null, visible: 0, strip: null, below: 0, choices: stripsOf(run)});
		this.element = make("section", {class: "pane", "aria-label": "Lanes of run " + letter});
		this.title = make("h2", {}, letter ? letter + ": " + run.doc.scenario + ", seed " + run.doc.seed : "Lanes");
		this.note = make("p", {class: "small", role: "status"});
		this.canvas = make("canvas", {tabindex: "0", role: "application", "aria-label": "Lanes of " + short(run.doc.scenario, 200) + ": arrow keys step through events, ? shows all keys", "data-run": letter || "A"});
		this.map = make("canvas", {class: "map", role: "img", "aria-label": "The whole run, with the part in view"});
		const scroll = make("div", {class: "scroll"});
		scroll.append(this.canvas);
		this.element.append(this.title, scroll, this.map, this.note);
		this.g = this.canvas.getContext("2d", {alpha: false});
		this.point();
	}

	get from() { return this.page.scale.time(this.page.view.from); }
	get to() { return this.page.scale.time(this.page.view.to); }

	// layout fits the canvas to the window and to the lanes that are shown.
	layout() {
		const hidden = this.page.hidden;
		this.shown = this.run.lanes.filter(id => !hidden.nodes.has(this.run.nodes[id]));
		this.run.lane.fill(-1);
		this.shown.forEach((id, k) => { this.run.lane[id] = k; });
		this.width = this.element.clientWidth - 2;
		this.gutter = Math.min(150, Math.max(64, this.width * 0.13));
		const lanes = Math.max(this.shown.length, 1), room = (window.innerHeight * 0.68 - TOP - 12) / lanes;
		this.below = this.strip && lanes <= 8000 / 24 ? STRIP : 0;
		this.row = Math.min(Math.max(room - this.below, 26), 56, 8000 / lanes) + this.below;
		this.height = Math.ceil(TOP + this.row * this.shown.length + 10);
		this.density = Math.min(window.devicePixelRatio || 1, 2);
		this.fit(this.canvas, this.height);
		this.fit(this.map, 34);
		this.drawWhole();
	}

	fit(canvas, height) {
		canvas.width = Math.round(this.width * this.density);
		canvas.height = Math.round(height * this.density);
		canvas.style.height = height + "px";
	}

	place(id) { return this.run.lane[id]; }
	y(k) { return TOP + this.row * (k + 0.5) - this.below / 2; }
	bottom(k) { return TOP + this.row * (k + 1); }
	x(t) { return this.pixel(this.page.scale.at(t)); }
	xOf(i) { return this.pixel(this.run.u[i]); }
	xSent(i) {
		const {run} = this, cause = run.cause[i], sent = run.at[i] - (run.to[i] ? 0 : run.took[i]);
		return cause >= 0 && run.at[cause] === sent ? this.xOf(cause) : this.x(sent);
	}
	pixel(u) {
		const {view} = this.page;
		return this.gutter + 12 + (u - view.from) / (view.to - view.from) * (this.width - this.gutter - 24);
	}
	unit(x) {
		const {view} = this.page;
		return view.from + (x - this.gutter - 12) / (this.width - this.gutter - 24) * (view.to - view.from);
	}

	ticks() {
		const most = Math.floor((this.width - this.gutter) / 110), all = this.page.scale.instants;
		if (!all) return ticks(this.from, this.to, most);
		const low = after(all, this.from), list = [];
		let last = -Infinity;
		for (let k = Math.max(low - 1, 0); k < all.length && all[k] <= this.to; k++) {
			if (this.x(all[k]) - last < 90) continue;
			last = this.x(all[k]);
			list.push(all[k]);
		}
		return list;
	}

	// range are the first event in view and the one after the last.
	range() { return [after(this.run.at, this.from - 1), after(this.run.at, this.to)]; }

	passes(i) { return !this.page.hidden.kinds.has(this.run.doc.kinds[this.run.kind[i]] ?? ""); }

	// use shows another run in this pane.
	use(run) {
		Object.assign(this, {run, chosen: -1, other: -1, past: null, matches: null});
		this.choices = stripsOf(run);
	}

	draw() {
		const [low, high] = this.range();
		this.visible = high - low;
		const drawn = draw(this);
		this.exact = {...this.page.view};
		this.kept = false;
		const left = this.run.doc.left;
		this.note.textContent = `${this.visible} of ${this.run.n} events in view, ${seconds(this.from)} to ${seconds(this.to)}.` +
			(this.visible > MARKS ? ` ${drawn} marks: where marks cover each other one is drawn; zoom in for each.` : "") +
			(left ? ` The run is too long for a page: ${left.before} events before and ${left.after} after these are left out.` : "");
		this.drawMap();
	}

	// drawWhole makes the picture of the minimap: how many events there are, and the violations.
	drawWhole() {
		const c = document.createElement("canvas"), g = c.getContext("2d"), width = this.width, colour = palette();
		[c.width, c.height] = [this.map.width, this.map.height];
		g.scale(this.density, this.density);
		g.fillStyle = colour.soft;
		g.fillRect(0, 0, width, 34);
		const many = new Float64Array(Math.max(width, 1));
		for (let i = 0; i < this.run.n; i++) many[this.whole(this.run.at[i])]++;
		const most = many.reduce((a, b) => Math.max(a, b), 1);
		g.fillStyle = colour.dim;
		many.forEach((n, x) => { if (n) g.fillRect(x, 34 - 4 - 26 * Math.log1p(n) / Math.log1p(most), 1, 34); });
		for (const v of this.run.doc.violations) {
			g.fillStyle = v.expected ? colour.fault : colour.bad;
			g.fillRect(this.whole(v.at_ns) - 1, v.expected ? 17 : 0, 3, 34);
		}
		this.picture = c;
	}

	whole(t) { return Math.min(Math.max(Math.floor(this.page.scale.at(t) * this.width), 0), this.width - 1); }

	drawMap() {
		const g = this.map.getContext("2d"), {view} = this.page, colour = palette();
		g.setTransform(1, 0, 0, 1, 0, 0);
		g.drawImage(this.picture, 0, 0);
		g.setTransform(this.density, 0, 0, this.density, 0, 0);
		g.strokeStyle = colour.accent;
		g.lineWidth = 2;
		g.strokeRect(view.from * this.width + 1, 1, Math.max((view.to - view.from) * this.width - 2, 3), 32);
	}

	// nearest is the event nearest to a point, -1 if none is within reach: an event, or else a message.
	nearest(x, y) {
		let best = -1, least = 14 * 14;
		const {run} = this;
		for (let i = 0; i < run.n; i++) {
			const k = this.place(run.node[i]);
			if (k < 0 || run.to[i] || !this.passes(i) || Math.abs(this.y(k) - y) > 14) continue;
			const dx = this.xOf(i) - x, dy = this.y(k) - y, d = dx * dx + dy * dy;
			if (d < least) [best, least] = [i, d];
		}
		return best >= 0 ? best : this.nearestArrow(x, y);
	}

	nearestArrow(x, y) {
		let best = -1, least = 7;
		const {run} = this;
		for (let i = 0; i < run.n; i++) {
			const gone = run.to[i] > 0;
			if (!run.from[i] && !gone || !this.passes(i)) continue;
			const a = this.place(gone ? run.node[i] : run.from[i]), b = this.place(gone ? run.to[i] : run.node[i]);
			const x1 = this.xSent(i), x2 = gone ? x1 + 18 : this.xOf(i);
			if (a < 0 || b < 0 || x < x1 - 7 || x > x2 + 7) continue;
			const y1 = this.y(a), y2 = gone ? y1 + (this.y(b) - y1) / 3 : this.y(b);
			const d = Math.abs((x2 - x1) * (y1 - y) - (x1 - x) * (y2 - y1)) / Math.hypot(x2 - x1, y2 - y1);
			if (d < least && y > Math.min(y1, y2) - 5 && y < Math.max(y1, y2) + 5) [best, least] = [i, d];
		}
		return best;
	}

	point() {
		const {canvas, map, page} = this;
		canvas.addEventListener("wheel", e => {
			e.preventDefault();
			if (e.shiftKey || Math.abs(e.deltaX) > Math.abs(e.deltaY)) page.move((e.deltaX || e.deltaY) / this.width);
			else page.zoom(Math.exp(Math.min(Math.max(e.deltaY, -100), 100) * 0.004), this.unit(e.offsetX));
		}, {passive: false});
		let drag = null;
		canvas.addEventListener("pointerdown", e => { drag = {x: e.offsetX, begun: e.offsetX, moved: false, id: e.pointerId}; });
		canvas.addEventListener("pointermove", e => {
			if (!drag) return;
			if (!drag.moved && Math.abs(e.offsetX - drag.begun) < 4) return;
			if (!drag.moved) canvas.setPointerCapture(drag.id);
			drag.moved = true;
			page.move((drag.x - e.offsetX) / (this.width - this.gutter));
			drag.x = e.offsetX;
		});
		canvas.addEventListener("pointerup", e => {
			if (drag && !drag.moved) page.choose(this, this.nearest(e.offsetX, e.offsetY), e.shiftKey);
			drag = null;
		});
		canvas.addEventListener("pointercancel", () => { drag = null; });
		canvas.addEventListener("focus", () => page.use(this));
		const go = e => page.center(e.offsetX / this.width);
		map.addEventListener("pointerdown", e => { map.setPointerCapture(e.pointerId); go(e); });
		map.addEventListener("pointermove", e => { if (e.buttons) go(e); });
	}
}

// make is an element with attributes and text. Text is never read as HTML.
function make(tag, attributes = {}, text = "") {
	const e = document.createElement(tag);
	for (const [name, value] of Object.entries(attributes)) e.setAttribute(name, value);
	if (text) e.textContent = text;
	return e;
}
