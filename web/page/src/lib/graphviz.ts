// Graphviz, compiled to WebAssembly, which is fetched when a graph is first drawn. It only places nodes and lines; the page draws.

export interface Placed {
  width: number;
  height: number;
  nodes: Map<string, { x: number; y: number; width: number; height: number }>;
  edges: { from: string; to: string; path: string; label: { x: number; y: number } | null; tip: { x: number; y: number; angle: number } | null }[];
}

type Drawer = { layout(dot: string, format: string, engine: string): string };
let loading: Promise<Drawer> | null = null;

const drawer = () => (loading ??= import('@hpcc-js/wasm-graphviz').then((module) => module.Graphviz.load() as Promise<Drawer>));

const points = 72;

/** Places a graph; what it says of `key` on nodes and `id` on edges comes back. */
export async function place(dot: string, engine = 'dot'): Promise<Placed> {
  const graphviz = await drawer();
  const read = JSON.parse(graphviz.layout(dot, 'json', engine)) as {
    bb: string;
    objects?: { name: string; pos?: string; width?: string; height?: string }[];
    edges?: { tail: number; head: number; pos?: string; lp?: string }[];
  };
  const [, , width, height] = read.bb.split(',').map(Number);
  const nodes: Placed['nodes'] = new Map();
  const objects = read.objects ?? [];
  for (const object of objects) {
    if (!object.pos) continue;
    const [x, y] = object.pos.split(',').map(Number);
    nodes.set(object.name, { x, y: height - y, width: Number(object.width) * points, height: Number(object.height) * points });
  }
  const edges = (read.edges ?? []).map((edge) => {
    const drawn = spline(edge.pos ?? '', height);
    const lp = edge.lp?.split(',').map(Number);
    return { from: objects[edge.tail].name, to: objects[edge.head].name, path: drawn.path, tip: drawn.tip, label: lp ? { x: lp[0], y: height - lp[1] } : null };
  });
  return { width, height, nodes, edges };
}

/** `e,x,y p1 p2 p3 …` as a path and where its head is. */
function spline(pos: string, height: number) {
  let end: number[] | null = null;
  const list: number[][] = [];
  for (const word of pos.split(' ')) {
    const numbers = word.split(',').filter((w) => w !== 'e' && w !== 's').map(Number);
    if (word.startsWith('e,')) end = numbers;
    else if (!word.startsWith('s,')) list.push(numbers);
  }
  if (list.length < 4) return { path: '', tip: null };
  const at = ([x, y]: number[]) => `${x.toFixed(1)} ${(height - y).toFixed(1)}`;
  let path = `M${at(list[0])}`;
  for (let i = 1; i + 2 < list.length; i += 3) path += `C${at(list[i])} ${at(list[i + 1])} ${at(list[i + 2])}`;
  const last = list[list.length - 1];
  const tip = end ?? last;
  const before = end ? last : list[list.length - 2];
  return { path, tip: { x: tip[0], y: height - tip[1], angle: (Math.atan2(before[1] - tip[1], tip[0] - before[0]) * 180) / Math.PI } };
}

export const quoted = (text: string) => `"${text.replaceAll('\\', '\\\\').replaceAll('"', '\\"')}"`;
