// A page of one scenario with several values: a slider goes through them, and shows what each violates.

// slider shows the runs of a page one after another, in its only pane, and first the one with the value that the file has.
function slider(page, docs) {
	const start = Math.max(docs.findIndex(d => d.own), 0);
	const place = document.getElementById("slider"), input = make("input", {type: "range", min: "0", max: String(docs.length - 1), value: String(start), id: "value"});
	const label = make("label", {for: "value"}, docs[0].vary), now = make("output", {for: "value"}), row = make("p", {class: "values", "aria-hidden": "true"});
	const set = k => {
		page.replace(docs[k]);
		now.textContent = said(docs[k]);
		[...row.children].forEach((cell, i) => cell.classList.toggle("now", i === k));
	};
	for (const doc of docs) row.append(make("span", {class: doc.violations.length ? "bad" : "good", title: doc.value}, doc.violations.length ? "\u2717" : "\u2713"));
	input.addEventListener("input", () => set(Number(input.value)));
	place.append(label, input, now, row, boundaries(docs));
	place.hidden = false;
	now.textContent = said(docs[start]);
	row.children[start].classList.add("now");
}

const said = doc => `${doc.value}${doc.own ? ", as in the file" : ""}: ${doc.violations.map(v => v.property).join(", ") || "nothing is violated"}`;

// boundaries are the neighbours between which the verdict of a property changes, in words.
function boundaries(docs) {
	const list = make("ul", {"aria-label": "Boundaries"}), names = new Set(docs.flatMap(d => d.violations.map(v => v.property)));
	for (const name of names) {
		const bad = docs.map(d => d.violations.some(v => v.property === name)), changes = [];
		for (let k = 1; k < docs.length; k++) if (bad[k] !== bad[k - 1]) {
			changes.push(`${bad[k - 1] ? "violated" : "not violated"} at ${docs[k - 1].value}, ${bad[k] ? "violated" : "not violated"} at ${docs[k].value}`);
		}
		list.append(make("li", {}, `${name}: ${changes.join("; ") || "violated at every value"}`));
	}
	if (!names.size) list.append(make("li", {}, "Nothing is violated at any of the values."));
	return list;
}
