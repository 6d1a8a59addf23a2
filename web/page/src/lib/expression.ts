// Small arithmetic for watches and pictures: numbers, names, `#event` for how often an event has happened, + - * / %,
// comparisons, and, or, not, sin and cos of degrees. True is 1, false is 0.

export interface Scope {
  /** The value of a name. */
  name(name: string): number | undefined;
  /** How often an event, or any event that begins with it, has happened. */
  count(event: string): number;
}

type Value = (scope: Scope) => number;

/** A function of the scope; a sentence if the text is not understood. */
export function compile(text: string): Value | string {
  const tokens = text.match(/#[^\s+*/%()<>=!,]+|\d+(?:\.\d+)?|[A-Za-z_]\w*|<=|>=|==|!=|\S/g) ?? [];
  const reader = new Reader(tokens);
  const value = reader.disjunction();
  return value && reader.next() === undefined ? value : `'${reader.next() ?? text}' is not understood here`;
}

/** Replaces `{expression}` in a text by its value, or by the name's text. */
export function fill(text: string, names: Record<string, string | number>): string {
  return text.replace(/\{([^{}]+)\}/g, (whole, inner: string) => {
    if (inner in names) return String(names[inner]);
    const value = compile(inner);
    if (typeof value === 'string') return whole;
    return String(value({ name: (name) => (typeof names[name] === 'number' ? names[name] : undefined), count: () => 0 }));
  });
}

const operators: Record<string, (a: number, b: number) => number> = {
  '+': (a, b) => a + b, '-': (a, b) => a - b, '*': (a, b) => a * b, '/': (a, b) => a / b, '%': (a, b) => ((a % b) + b) % b,
  '<': (a, b) => +(a < b), '>': (a, b) => +(a > b), '<=': (a, b) => +(a <= b), '>=': (a, b) => +(a >= b), '==': (a, b) => +(a === b), '!=': (a, b) => +(a !== b),
  and: (a, b) => +(!!a && !!b), or: (a, b) => +(!!a || !!b),
};
const functions: Record<string, (a: number) => number> = {
  sin: (a) => Math.sin((a * Math.PI) / 180), cos: (a) => Math.cos((a * Math.PI) / 180), abs: Math.abs, floor: Math.floor, not: (a) => +!a,
};

class Reader {
  private at = 0;
  constructor(private readonly tokens: string[]) {}

  next = () => this.tokens[this.at];

  private chain(signs: string[], part: () => Value | null): Value | null {
    let left = part();
    while (left && this.next() !== undefined && signs.includes(this.next())) {
      const [sign, first] = [operators[this.tokens[this.at++]], left];
      const right = part();
      left = right && ((scope) => sign(first(scope), right(scope)));
    }
    return left;
  }

  disjunction = (): Value | null => this.chain(['or'], this.conjunction);
  private conjunction = () => this.chain(['and'], this.comparison);
  private comparison = () => this.chain(['<', '>', '<=', '>=', '==', '!='], this.sum);
  private sum = () => this.chain(['+', '-'], this.product);
  private product = () => this.chain(['*', '/', '%'], this.atom);

  private atom = (): Value | null => {
    const token = this.tokens[this.at++];
    if (token === undefined) return null;
    if (/^\d/.test(token)) return () => Number(token);
    if (token.startsWith('#') && token.length > 1) return (scope) => scope.count(token.slice(1));
    if (token === '-') {
      const inner = this.atom();
      return inner && ((scope) => -inner(scope));
    }
    if (token in functions) {
      const inner = this.atom();
      return inner && ((scope) => functions[token](inner(scope)));
    }
    if (token === '(') {
      const inner = this.disjunction();
      return this.tokens[this.at++] === ')' ? inner : null;
    }
    if (/^[A-Za-z_]/.test(token) && !(token in operators)) return (scope) => scope.name(token) ?? NaN;
    return null;
  };
}
