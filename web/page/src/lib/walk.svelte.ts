// A walk through a process: a tree of positions, of which one is here. Undo goes up, an event done after undo makes a branch,
// nothing is lost. The line from the start to here is in the address; the other branches live as long as the page.

export interface Node {
  id: number;
  parent: Node | null;
  /** How a path names the step that led here. */
  step: string;
  event: string;
  hidden: boolean;
  depth: number;
  children: Node[];
  bookmark: string | null;
  /** What the branch that begins here is called. */
  branch: string | null;
  /** Nothing is possible any more, or it has terminated. */
  end: 'deadlock' | 'done' | null;
}

export class Walk {
  private count = 0;
  root: Node = $state.raw(this.make(null, '', '', false));
  here: Node = $state.raw(this.root);
  /** Changes when the tree does. */
  version = $state(0);
  /** Where redo leads: the child that was left last. */
  private ahead = new Map<Node, Node>();

  private make(parent: Node | null, step: string, event: string, hidden: boolean): Node {
    return { id: this.count++, parent, step, event, hidden, depth: parent ? parent.depth + 1 : 0, children: [], bookmark: null, branch: null, end: null };
  }

  path(node = this.here): string[] {
    const steps: string[] = [];
    for (let at: Node | null = node; at?.parent; at = at.parent) steps.push(at.step);
    return steps.reverse();
  }

  line(node = this.here): Node[] {
    const nodes: Node[] = [];
    for (let at: Node | null = node; at; at = at.parent) nodes.push(at);
    return nodes.reverse();
  }

  /** Does an event: along a branch that is there, or a new one. */
  step(step: string, event: string, hidden: boolean) {
    let next = this.here.children.find((child) => child.step === step);
    if (!next) {
      next = this.make(this.here, step, event, hidden);
      this.here.children.push(next);
    }
    this.go(next);
  }

  go(node: Node) {
    for (let at: Node | null = node; at?.parent; at = at.parent) this.ahead.set(at.parent, at);
    this.here = node;
    this.version++;
  }

  undo() {
    if (this.here.parent) this.go(this.here.parent);
  }

  redo() {
    const next = this.ahead.get(this.here) ?? this.here.children[0];
    if (next) this.go(next);
  }

  bookmark(name: string | null) {
    this.here.bookmark = name;
    this.version++;
  }

  /** All bookmarks, in the order of the listing. */
  bookmarks(): Node[] {
    return this.rows().map((row) => row.node).filter((node) => node.bookmark);
  }

  /** Where the branch of a node begins: the first node on its line that is not the first child of its parent. */
  start(node = this.here): Node {
    let at = node;
    while (at.parent && at.parent.children[0] === at) at = at.parent;
    return at;
  }

  name(node: Node, name: string | null) {
    node.branch = name;
    this.version++;
  }

  /** The tree as text, to be found again when the page is loaded anew. */
  saved(): string {
    const write = (node: Node): unknown => [node.step, node.event, +node.hidden, node.bookmark, node.branch, node.children.map(write)];
    return JSON.stringify(write(this.root));
  }

  /** Brings back what was saved; what cannot be read is left. */
  restore(text: string) {
    type Saved = [string, string, number, string | null, string | null, Saved[]];
    const read = (node: Node, [, , , bookmark, branch, children]: Saved) => {
      Object.assign(node, { bookmark, branch });
      for (const child of children) {
        const next = this.make(node, String(child[0]), String(child[1]), !!child[2]);
        node.children.push(next);
        read(next, child);
      }
    };
    try {
      read(this.root, JSON.parse(text) as Saved);
    } catch {
      this.root.children = [];
    }
    this.version++;
  }

  /** Brings the walk to where an address says. */
  follow(steps: { step: string; event: string; hidden: boolean }[]) {
    let at = this.root;
    for (const { step, event, hidden } of steps) {
      let next = at.children.find((child) => child.step === step);
      if (!next) {
        next = this.make(at, step, event, hidden);
        at.children.push(next);
      }
      at = next;
    }
    this.go(at);
  }

  /** All nodes in the order of a listing: first children on their parent's line, other branches below. */
  rows(): { node: Node; lane: number; from: number | null }[] {
    const rows: { node: Node; lane: number; from: number | null }[] = [];
    let lanes = 0;
    const branch = (start: Node, lane: number, from: number | null) => {
      const line: Node[] = [];
      for (let at: Node | undefined = start; at; at = at.children[0]) line.push(at);
      line.forEach((node, i) => rows.push({ node, lane, from: i === 0 ? from : null }));
      for (const node of line.toReversed()) for (const child of node.children.slice(1)) branch(child, ++lanes, node.id);
    };
    branch(this.root, 0, null);
    return rows;
  }
}

/** A generator of chances that repeats itself from a seed. */
export function chances(seed: number): () => number {
  let state = seed >>> 0 || 1;
  return () => {
    state ^= state << 13;
    state ^= state >>> 17;
    state ^= state << 5;
    return (state >>> 0) / 4294967296;
  };
}
