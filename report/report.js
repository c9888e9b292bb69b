/*
 * What the pages of report.html gain where scripts run: tables that sort by a click on their head,
 * and 3D columns that can be turned. The report reads whole without it; print shows what it always
 * shows. No network, no storage, nothing but the page's own data.
 */
(function () {
	'use strict';

	var SVG = 'http://www.w3.org/2000/svg';
	var UNITS = {
		'B': 1, 'KiB': 1024, 'MiB': 1048576, 'GiB': 1073741824, 'TiB': 1099511627776,
		'kB': 1e3, 'KB': 1e3, 'MB': 1e6, 'GB': 1e9, 'TB': 1e12,
		'ns': 1e-9, 'us': 1e-6, '\u00b5s': 1e-6, '\u03bcs': 1e-6, 'ms': 1e-3, 's': 1,
		'min': 60, 'h': 3600, 'd': 86400
	};
	var collator = new Intl.Collator('en', { numeric: true });

	function make(parent, name, text) {
		var node = document.createElement(name);

		if (text !== undefined)
			node.textContent = text;
		parent.appendChild(node);
		return node;
	}

	function draw(parent, name, attributes, text) {
		var node = document.createElementNS(SVG, name);

		Object.keys(attributes).forEach(function (key) {
			node.setAttribute(key, attributes[key]);
		});
		if (text !== undefined)
			node.textContent = text;
		parent.appendChild(node);
		return node;
	}

	/* --- tables --- */

	/* "35 min 40 s", "1,024 KiB", "12 %": one number in the base unit; NaN for other text. */
	function quantity(text) {
		var part = /\s*(-?[\d,]*\.?\d+(?:e[-+]?\d+)?)\s*([A-Za-z\u00b5\u03bc%]*)/gy;
		var sum = 0, found;

		while (part.lastIndex < text.length) {
			found = part.exec(text);
			if (!found || (found[2] && found[2] !== '%' && !UNITS[found[2]]))
				return NaN;
			sum += parseFloat(found[1].replace(/,/g, '')) * (UNITS[found[2]] || 1);
		}
		return text === '' ? NaN : sum;
	}

	/* The values of a column by row: number, text, or null where there is none. */
	function values(rows, column) {
		var cells = rows.map(function (row) { return row.cells[column]; });
		var exact = cells.some(function (cell) { return cell.hasAttribute('data-v'); });

		return cells.map(function (cell) {
			var text = cell.textContent.trim(), number;

			if (text === '' || text === '-' || cell.classList.contains('na'))
				return null;
			if (cell.hasAttribute('data-v'))
				return parseFloat(cell.getAttribute('data-v'));
			number = exact ? NaN : quantity(text);
			return isNaN(number) ? text : number;
		});
	}

	/* Numbers before text; what there is none of comes last whichever the direction. */
	function compare(a, b, sign) {
		if (a === null || b === null)
			return (a === null) - (b === null);
		if (typeof a !== typeof b)
			return sign * (typeof a === 'number' ? -1 : 1);
		return sign * (typeof a === 'number' ? a - b : collator.compare(a, b));
	}

	/* One table may stand on several pages: its rows are sorted over all of them. */
	function Sorter(tables) {
		var rows = [];

		tables.forEach(function (table) {
			rows = rows.concat(Array.from(table.tBodies[0].rows));
		});
		this.tables = tables;
		this.rows = rows;
		this.sizes = tables.map(function (table) { return table.tBodies[0].rows.length; });
		this.column = -1;
		this.sign = 0;
		tables.forEach(this.equip, this);
	}

	Sorter.prototype.heads = function (table) {
		return Array.from(table.tHead.rows[table.tHead.rows.length - 1].cells);
	};

	Sorter.prototype.equip = function (table) {
		this.heads(table).forEach(function (head, column) {
			var button = document.createElement('button');

			button.type = 'button';
			button.className = 'sort';
			while (head.firstChild)
				button.appendChild(head.firstChild);
			head.appendChild(button);
			button.addEventListener('click', this.click.bind(this, column));
		}, this);
	};

	/* Up, down, and back to the order of the report. */
	Sorter.prototype.click = function (column) {
		this.sign = this.column !== column ? 1 : this.sign === 1 ? -1 : this.sign === 0 ? 1 : 0;
		this.column = column;
		this.apply();
	};

	Sorter.prototype.apply = function () {
		var keys = values(this.rows, this.column), sign = this.sign, at = 0, rows = this.rows;
		var order = rows.map(function (row, i) { return i; });

		if (sign !== 0)
			order.sort(function (a, b) { return compare(keys[a], keys[b], sign) || a - b; });
		this.tables.forEach(function (table, i) {
			for (var left = this.sizes[i]; left > 0; left--)
				table.tBodies[0].appendChild(rows[order[at++]]);
			this.heads(table).forEach(function (head, column) {
				head.removeAttribute('aria-sort');
				if (column === this.column && sign !== 0)
					head.setAttribute('aria-sort', sign > 0 ? 'ascending' : 'descending');
			}, this);
		}, this);
	};

	function sortTables() {
		var groups = new Map();

		document.querySelectorAll('table[data-table]').forEach(function (table) {
			var name = table.getAttribute('data-table');

			groups.set(name, (groups.get(name) || []).concat(table));
		});
		groups.forEach(function (tables) { return new Sorter(tables); });
	}

	/* --- columns --- */

	var HOME = { yaw: -26, pitch: 33 };
	var WIDTH = 1000, HEIGHT = 520, SIZE = 430; /* of a side of the floor */
	var FULL = 0.31; /* half a column's width, of a step */

	function shown(value) {
		var digits = Math.abs(value) >= 1e5 ? { maximumFractionDigits: 0 }
						    : { maximumSignificantDigits: 5 };

		return value.toLocaleString('en-US', digits);
	}

	/* A colour of the palette, darker on the sides. */
	function shade(rgb, light) {
		return '#' + [1, 3, 5].map(function (at) {
			var part = Math.round(parseInt(rgb.slice(at, at + 2), 16) * light);

			return ('0' + part.toString(16)).slice(-2);
		}).join('');
	}

	function Columns(figure) {
		this.data = JSON.parse(figure.getAttribute('data-columns'));
		this.figure = figure;
		this.nx = this.data.x.length;
		this.nz = this.data.z.length;
		this.yaw = HOME.yaw;
		this.pitch = HOME.pitch;
		this.build();
	}

	Columns.prototype.build = function () {
		var box = document.createElement('div'), tools = make(box, 'p'), self = this;

		box.className = 'turn';
		this.button = make(tools, 'button', 'Turn this plot');
		this.button.type = 'button';
		this.button.setAttribute('aria-pressed', 'false');
		this.hint = make(tools, 'span', '');
		this.hint.setAttribute('role', 'status');
		this.svg = draw(box, 'svg', {
			viewBox: '0 0 ' + WIDTH + ' ' + HEIGHT, tabindex: 0, role: 'application',
			'aria-label': this.figure.getAttribute('aria-label') +
				', can be turned with the arrow keys'
		});
		this.svg.style.display = 'none';
		this.figure.insertAdjacentElement('afterend', box);
		this.button.addEventListener('click', function () { self.toggle(); });
		this.svg.addEventListener('keydown', function (event) { self.key(event); });
		this.svg.addEventListener('pointerover', function (event) { self.point(event); });
		this.svg.addEventListener('pointerdown', function (event) { self.grab(event); });
		this.svg.addEventListener('pointermove', function (event) { self.drag(event); });
		['pointerup', 'pointercancel'].forEach(function (name) {
			self.svg.addEventListener(name, function () { self.held = null; });
		});
	};

	Columns.prototype.toggle = function () {
		var on = this.svg.style.display === 'none';

		this.button.setAttribute('aria-pressed', String(on));
		this.svg.style.display = on ? '' : 'none';
		this.figure.classList.toggle('still', on);
		this.say();
		if (on) {
			this.paint();
			this.svg.focus({ preventScroll: true });
		} else {
			this.hint.textContent = '';
		}
	};

	Columns.prototype.say = function (text) {
		this.hint.textContent = text || 'Drag, or use the arrow keys; Home sets it back.';
	};

	Columns.prototype.turn = function (yaw, pitch) {
		this.yaw = (yaw + 540) % 360 - 180;
		this.pitch = Math.min(85, Math.max(5, pitch));
		this.paint();
	};

	Columns.prototype.key = function (event) {
		var steps = {
			ArrowLeft: [-5, 0], ArrowRight: [5, 0], ArrowUp: [0, 4], ArrowDown: [0, -4]
		};
		var step = steps[event.key];

		if (event.key === 'Home')
			this.turn(HOME.yaw, HOME.pitch);
		else if (step)
			this.turn(this.yaw + step[0], this.pitch + step[1]);
		else
			return;
		event.preventDefault();
	};

	Columns.prototype.grab = function (event) {
		this.held = { x: event.clientX, y: event.clientY, yaw: this.yaw, pitch: this.pitch };
		try {
			this.svg.setPointerCapture(event.pointerId);
		} catch (error) {
			/* without capture the drag ends at the edge */
		}
	};

	Columns.prototype.drag = function (event) {
		var held = this.held, scale = 360 / Math.max(200, this.svg.clientWidth);

		if (held)
			this.turn(held.yaw + (event.clientX - held.x) * scale,
				  held.pitch + (event.clientY - held.y) * scale);
	};

	Columns.prototype.point = function (event) {
		var column = event.target.closest('g[data-what]');

		if (column && !this.held)
			this.say(column.getAttribute('data-what'));
	};

	/* 0 at the floor, 1 at the top. */
	Columns.prototype.height = function (value) {
		var y = this.data.y;

		if (y.log)
			return Math.log(value / y.low) / Math.log(y.high / y.low);
		return (value - y.low) / (y.high - y.low);
	};

	/* From (x, height, z), all 0 to 1 across the box, to the drawing. Depth grows away from us. */
	Columns.prototype.at = function (x, h, z) {
		var a = this.yaw * Math.PI / 180, p = this.pitch * Math.PI / 180;
		var X = (x - 0.5) * 1.25, Z = z - 0.5, depth = X * Math.sin(a) + Z * Math.cos(a);

		return [
			SIZE * (X * Math.cos(a) - Z * Math.sin(a)),
			-SIZE * (h * 0.6 * Math.cos(p) + depth * Math.sin(p))
		];
	};

	/* Into the middle of the picture, smaller where it would not fit. */
	Columns.prototype.fit = function () {
		var box = this.layer.getBBox();
		var scale = Math.min(1, (WIDTH - 8) / box.width, (HEIGHT - 8) / box.height);

		this.layer.setAttribute('transform', 'translate(' +
			(WIDTH / 2 - scale * (box.x + box.width / 2)).toFixed(2) + ' ' +
			(HEIGHT / 2 - scale * (box.y + box.height / 2)).toFixed(2) + ') scale(' +
			scale.toFixed(4) + ')');
	};

	Columns.prototype.polygon = function (parent, corners, attributes) {
		var self = this;

		attributes.points = corners.map(function (corner) {
			return self.at.apply(self, corner).map(function (value) {
				return value.toFixed(1);
			}).join(',');
		}).join(' ');
		return draw(parent, 'polygon', attributes);
	};

	Columns.prototype.line = function (from, to, colour) {
		var a = this.at.apply(this, from), b = this.at.apply(this, to);

		draw(this.layer, 'line', {
			x1: a[0].toFixed(1), y1: a[1].toFixed(1), x2: b[0].toFixed(1), y2: b[1].toFixed(1),
			stroke: colour
		});
	};

	Columns.prototype.label = function (at, text, anchor, more) {
		var attributes = { x: at[0].toFixed(1), y: at[1].toFixed(1), 'text-anchor': anchor };

		Object.assign(attributes, more || {});
		draw(this.layer, 'text', attributes, text);
	};

	/* Floor and the two walls behind the columns, with the lines of the height axis. */
	Columns.prototype.walls = function (farX, farZ) {
		var self = this, grid = { fill: 'none', stroke: this.data.grid };

		this.polygon(this.layer, [[0, 0, 0], [1, 0, 0], [1, 0, 1], [0, 0, 1]],
			     { fill: '#f6f7f9', stroke: this.data.rule });
		this.polygon(this.layer, [[farX, 0, 0], [farX, 0, 1], [farX, 1, 1], [farX, 1, 0]],
			     Object.assign({}, grid));
		this.polygon(this.layer, [[0, 0, farZ], [1, 0, farZ], [1, 1, farZ], [0, 1, farZ]],
			     Object.assign({}, grid));
		this.data.y.ticks.forEach(function (tick) {
			var h = self.height(tick[0]);

			self.line([farX, h, 0], [farX, h, 1], self.data.grid);
			self.line([0, h, farZ], [1, h, farZ], self.data.grid);
		});
	};

	/* Texts of the height axis stand at the outer left edge of the walls. */
	Columns.prototype.heights = function (farX, farZ) {
		var one = [farX, 1 - farZ], other = [1 - farX, farZ], self = this;
		var left = this.at(one[0], 0, one[1])[0] < this.at(other[0], 0, other[1])[0] ? one : other;
		var widest = 0, middle = this.at(left[0], 0.5, left[1]);
		var room = this.at(left[0], 0, left[1])[1] - this.at(left[0], 1, left[1])[1];
		var every = Math.ceil(13 * this.data.y.ticks.length / Math.max(room, 1));

		this.data.y.ticks.forEach(function (tick, i) {
			var at = self.at(left[0], self.height(tick[0]), left[1]);

			if (i % every !== 0)
				return;
			widest = Math.max(widest, tick[1].length);
			self.label([at[0] - 8, at[1] + 4], tick[1], 'end');
		});
		middle = [middle[0] - 24 - 8 * widest, middle[1]];
		this.label(middle, this.data.y.title, 'middle',
			   { transform: 'rotate(-90 ' + middle[0].toFixed(1) + ' ' +
				middle[1].toFixed(1) + ')' });
	};

	/* Names along the edge that is near us; place(share, away) gives a point beside it. */
	Columns.prototype.names = function (names, title, place) {
		var first = place(0, 0), last = place(1, 0), count = names.length, self = this;
		var room = Math.hypot(last[0] - first[0], (last[1] - first[1]) * 2.2) / count;
		var longest = Math.max.apply(null, names.map(function (name) { return name.length; }));
		var every = Math.max(1, Math.ceil(Math.min(longest * 8, 40) / Math.max(room, 1)));
		var anchor = anchorOf(place(0.5, 0.1)[0] - place(0.5, 0)[0]), end = place(0.5, 0.24);

		names.forEach(function (name, i) {
			var at = place((i + 0.5) / count, 0.06);

			if (i % every === 0)
				self.label([at[0], at[1] + 6], name, anchor);
		});
		if (anchor !== 'middle')
			end[0] += (anchor === 'start' ? 1 : -1) * 8 * Math.max(0, longest - 3);
		this.label([end[0], end[1] + 8], title, anchor, { 'class': 'title' });
	};

	function anchorOf(sideways) {
		return sideways > 15 ? 'start' : sideways < -15 ? 'end' : 'middle';
	}

	Columns.prototype.axes = function (farX, farZ) {
		var self = this, nearX = 1 - farX, nearZ = 1 - farZ;

		this.names(this.data.x, this.data.xTitle, function (share, away) {
			return self.at(share, 0, nearZ + (nearZ ? away : -away));
		});
		this.names(this.data.z, this.data.zTitle, function (share, away) {
			return self.at(nearX + (nearX ? away : -away) * 0.8, 0, share);
		});
		this.heights(farX, farZ);
	};

	Columns.prototype.column = function (i, s, farX, farZ) {
		var value = this.data.values[s][i], data = this.data, colour = data.colours[s];
		var x = (i + 0.5) / this.nx, z = (s + 0.5) / this.nz;
		var x0 = x - FULL / this.nx, x1 = x + FULL / this.nx;
		var z0 = z - FULL / this.nz, z1 = z + FULL / this.nz;
		var nearX = farX ? x0 : x1, nearZ = farZ ? z0 : z1, h, what, group;

		if (value === null)
			return;
		h = Math.max(0, this.height(value));
		what = data.xTitle + ' ' + data.x[i] + ', ' + data.zTitle + ' ' + data.z[s] + ', ' +
			data.y.title + ': ' + shown(value);
		group = draw(this.layer, 'g', { 'data-what': what, stroke: data.ink,
					       'stroke-width': 0.6, 'stroke-linejoin': 'round' });
		draw(group, 'title', {}, what);
		this.polygon(group, [[nearX, 0, z0], [nearX, 0, z1], [nearX, h, z1], [nearX, h, z0]],
			     { fill: shade(colour, 0.66) });
		this.polygon(group, [[x0, 0, nearZ], [x1, 0, nearZ], [x1, h, nearZ], [x0, h, nearZ]],
			     { fill: shade(colour, 0.84) });
		this.polygon(group, [[x0, h, z0], [x1, h, z0], [x1, h, z1], [x0, h, z1]],
			     { fill: colour });
	};

	/* From the far corner to the near one, so that what is in front covers what is behind. */
	Columns.prototype.paint = function () {
		var a = this.yaw * Math.PI / 180;
		var farX = Math.sin(a) > 0 ? 1 : 0, farZ = Math.cos(a) > 0 ? 1 : 0;

		this.svg.textContent = '';
		this.layer = draw(this.svg, 'g', { fill: this.data.ink });
		this.walls(farX, farZ);
		this.axes(farX, farZ);
		for (var i = 0; i < this.nx; i++) {
			for (var s = 0; s < this.nz; s++)
				this.column(farX ? this.nx - 1 - i : i, farZ ? this.nz - 1 - s : s,
					    farX, farZ);
		}
		this.fit();
	};

	sortTables();
	document.querySelectorAll('figure[data-columns]').forEach(function (figure) {
		return new Columns(figure);
	});
}());
