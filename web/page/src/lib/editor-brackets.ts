// Brackets that a text leaves out, shown between its characters: they are no part of the text.
import { StateEffect, StateField, type Range } from '@codemirror/state';
import { Decoration, EditorView, WidgetType, type DecorationSet } from '@codemirror/view';
import type { Brackets } from './types';

class Bracket extends WidgetType {
  constructor(readonly sign: string) {
    super();
  }
  eq(other: Bracket) {
    return other.sign === this.sign;
  }
  toDOM() {
    const mark = document.createElement('span');
    mark.className = 'csp-bracket';
    mark.textContent = this.sign;
    return mark;
  }
}

const set = StateEffect.define<Brackets[]>();

export const bracketField = StateField.define<DecorationSet>({
  create: () => Decoration.none,
  update(now, transaction) {
    now = now.map(transaction.changes);
    for (const effect of transaction.effects) {
      if (!effect.is(set)) continue;
      const doc = transaction.state.doc;
      const offset = (line: number, column: number) => {
        const found = doc.line(Math.min(Math.max(1, line), doc.lines));
        return Math.min(found.to, found.from + column - 1);
      };
      const list: Range<Decoration>[] = [];
      // Outer pairs come first: of those that open at one place the outer one opens first, and closes last.
      effect.value.forEach((pair, i) => {
        list.push(Decoration.widget({ widget: new Bracket('('), side: 10_000 + i }).range(offset(pair.line, pair.column)));
        list.push(Decoration.widget({ widget: new Bracket(')'), side: -10_000 - i }).range(offset(pair.end_line, pair.end_column)));
      });
      now = Decoration.set(list, true);
    }
    return now;
  },
  provide: (field) => EditorView.decorations.from(field),
});

export const showBrackets = (view: EditorView, pairs: Brackets[]) => view.dispatch({ effects: set.of(pairs) });
