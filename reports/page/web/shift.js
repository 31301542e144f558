// While a view of many events moves, the picture of it moves; it is drawn anew when the view comes to rest.

const SHIFTED = 600; // events in view, from which on drawing each picture is too slow

// shift draws a pane from its last exact picture, and reports whether that was possible.
function shift(pane) {
	const {view} = pane.page, old = pane.exact, scale = old && (old.to - old.from) / (view.to - view.from);
	if (!old || pane.visible < SHIFTED || scale < 0.6 || scale > 1.7) return false;
	const room = pane.width - pane.gutter, at = p => pane.pixel(old.from + (p - pane.gutter - 12) / (room - 24) * (old.to - old.from));
	const from = at(pane.gutter), to = at(pane.width);
	if (from > pane.gutter + room * 0.4 || to < pane.width - room * 0.4) return false;
	if (!pane.kept) keep(pane);
	const {g, density: d} = pane;
	g.setTransform(1, 0, 0, 1, 0, 0);
	g.drawImage(pane.copy, 0, 0);
	g.fillStyle = palette().back;
	g.fillRect(pane.gutter * d, 0, room * d, pane.canvas.height);
	g.save();
	g.beginPath();
	g.rect(pane.gutter * d, 0, room * d, pane.canvas.height);
	g.clip();
	g.drawImage(pane.copy, pane.gutter * d, 0, room * d, pane.canvas.height, from * d, 0, (to - from) * d, pane.canvas.height);
	g.restore();
	pane.drawMap();
	return true;
}

// keep copies the exact picture of a pane.
function keep(pane) {
	pane.copy ??= document.createElement("canvas");
	[pane.copy.width, pane.copy.height] = [pane.canvas.width, pane.canvas.height];
	pane.copy.getContext("2d", {alpha: false}).drawImage(pane.canvas, 0, 0);
	pane.kept = true;
}
