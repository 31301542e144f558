// The log: the events about the one that is chosen, or those in view, in words, each a link to its instant.

const LINES = 200;

function showLog(page) {
	const pane = page.pane, {run} = pane, list = document.getElementById("log");
	let [low, high] = pane.range();
	if (high - low > LINES) {
		const middle = pane.chosen >= low && pane.chosen < high ? pane.chosen : low + LINES / 2;
		low = Math.max(low, Math.min(middle - LINES / 2, high - LINES));
		high = Math.min(high, low + LINES);
	}
	const lines = [];
	for (let i = low; i < high; i++) {
		if (pane.place(run.node[i]) >= 0 && pane.passes(i)) lines.push(line(page, pane, i));
	}
	list.replaceChildren(...lines);
	document.getElementById("log-part").textContent = `${lines.length} events${pane.visible > LINES ? ` of the ${pane.visible} in view` : ""}, ${page.panes.length > 1 ? "run " + page.letter(pane) + ", " : ""}${seconds(run.at[low] ?? pane.from)} to ${seconds(run.at[high - 1] ?? pane.to)}.`;
	const current = list.querySelector("[aria-current]");
	if (current) list.scrollTop = current.offsetTop - list.offsetTop - list.clientHeight / 3;
}

function line(page, pane, i) {
	const {run} = pane, item = make("li");
	const link = make("a", {href: "#e=" + i}, seconds(run.at[i]));
	link.addEventListener("click", e => {
		e.preventDefault();
		page.choose(pane, i, e.shiftKey, true);
	});
	item.append(link, " ", make("b", {}, short(run.nodes[run.node[i]], 200)), " ", short(wordsOf(run, i), 1000));
	for (const told of toldOf(run, i)) item.append(make("div", {class: "told"}, short(told, 1000)));
	if (run.bad.has(i)) {
		for (const v of run.doc.violations) if (v.event === i) item.append(make("div", {class: v.expected ? "expected" : "bad"}, violated(v) + ": " + v.property));
	}
	if (i === pane.chosen) item.setAttribute("aria-current", "true");
	if (i === pane.difference) item.classList.add("differs");
	return item;
}
