// Line charts with logarithmic axes, as one SVG: a straight line of slope k is growth with the k-th power.

const [WIDTH, HEIGHT, LEFT, TOP, GAP] = [400, 260, 60, 36, 40];

const STYLE = [
  "text{font:12px system-ui,Helvetica,Arial,sans-serif;fill:#1b1f24}text.title{font-weight:600}",
  "text.tick{fill:#59636e}text.end{text-anchor:end}text.middle{text-anchor:middle}",
  "polyline{fill:none;stroke:#4c8055;stroke-width:1.8}circle{fill:#4c8055}line{stroke:#d0d7de}",
  "@media(prefers-color-scheme:dark){text{fill:#e6edf3}text.tick{fill:#9198a1}line{stroke:#3d444d}}",
].join("");

export function drawPanels(panels) {
  const columns = 2;
  const rows = Math.ceil(panels.length / columns);
  const [width, height] = [columns * (WIDTH + GAP), rows * (HEIGHT + GAP)];
  const drawn = panels.map((panel, index) => {
    const [column, row] = [index % columns, Math.floor(index / columns)];
    return `<g transform="translate(${column * (WIDTH + GAP)} ${row * (HEIGHT + GAP)})">${drawPanel(panel)}</g>`;
  });
  return [
    `<svg xmlns="http://www.w3.org/2000/svg" width="${width}" height="${height}" viewBox="0 0 ${width} ${height}" role="img">`,
    `<title>${panels.map(({ title, x }) => `${title} by ${x}`).join("; ")}</title>`,
    `<style>${STYLE}</style>`,
    ...drawn,
    "</svg>\n",
  ].join("\n");
}

function drawPanel({ title, x: label, points }) {
  const xTicks = ticks(points.map(({ x }) => x));
  const yTicks = ticks(points.map(({ y }) => y));
  const place = (all, value, from, to) => {
    const [low, high] = [Math.log(all[0]), Math.log(all.at(-1))];
    return from + ((Math.log(value) - low) / (high - low)) * (to - from);
  };
  const x = (value) => place(xTicks, value, LEFT, WIDTH).toFixed(1);
  const y = (value) => place(yTicks, value, HEIGHT - 30, TOP).toFixed(1);
  const grid = [
    ...yTicks.map(
      (value) =>
        `<line x1="${LEFT}" x2="${WIDTH}" y1="${y(value)}" y2="${y(value)}"/><text class="tick end" x="${LEFT - 6}" y="${Number(y(value)) + 4}">${value}</text>`,
    ),
    ...xTicks.map(
      (value) =>
        `<line y1="${TOP}" y2="${HEIGHT - 30}" x1="${x(value)}" x2="${x(value)}"/><text class="tick middle" x="${x(value)}" y="${HEIGHT - 12}">${value}</text>`,
    ),
  ];
  const path = points.map((point) => `${x(point.x)},${y(point.y)}`).join(" ");
  const dots = points.map((point) => `<circle cx="${x(point.x)}" cy="${y(point.y)}" r="3"/>`);
  const names = `<text class="title" x="${LEFT}" y="18">${title}</text><text class="tick end" x="${WIDTH}" y="${HEIGHT + 4}">${label}</text>`;
  return [names, ...grid, `<polyline points="${path}"/>`, ...dots].join("");
}

/** Of 1, 2, 5, 10, 20, …: from the last at or below all values to the first at or above them. */
function ticks(values) {
  const steps = [];
  for (let power = -3; power <= 9; power++) {
    for (const factor of [1, 2, 5]) steps.push(Number((factor * 10 ** power).toPrecision(3)));
  }
  const [low, high] = [Math.min(...values), Math.max(...values)];
  const from = steps.findLastIndex((step) => step <= low);
  const to = steps.findIndex((step) => step >= high);
  return steps.slice(from, Math.max(to, from + 1) + 1);
}
