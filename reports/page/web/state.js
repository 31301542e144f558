// What nodes keep: the fields of their state, and how they change.

// changesOf are the fields that an event changes, with their new values; an empty value is the zero value.
function changesOf(run, i) {
	const list = run.doc.events.state?.[i] ?? [], changes = [];
	for (let k = 0; k + 1 < list.length; k += 2) changes.push([run.doc.strings[list[k]], run.doc.strings[list[k + 1]]]);
	return changes;
}

// stateAfter is the state of a node after one of its events.
function stateAfter(run, i) {
	const state = new Map();
	for (const k of run.steps[run.node[i]]) {
		if (k > i) break;
		for (const [name, value] of changesOf(run, k)) if (value) state.set(name, value); else state.delete(name);
	}
	return state;
}

// fieldsOf are the names of all fields, with how many nodes have them.
function fieldsOf(run) {
	const nodes = new Map();
	for (let i = 0; i < run.n; i++) for (const [name] of changesOf(run, i)) {
		if (!nodes.has(name)) nodes.set(name, new Set());
		nodes.get(name).add(run.node[i]);
	}
	return nodes;
}

// shortField is the end of the path of a field.
const shortField = name => name.slice(name.lastIndexOf(".") + 1);
