// The text editor: CodeMirror with the words of CSPm. It lives in a shadow root, where its styles are sheets made by script
// and not inline ones, which the page's policy forbids.
import { autocompletion, closeBrackets, closeBracketsKeymap, completionKeymap, type CompletionContext } from '@codemirror/autocomplete';
import { defaultKeymap, history, historyKeymap, indentWithTab } from '@codemirror/commands';
import { bracketMatching, HighlightStyle, StreamLanguage, syntaxHighlighting, type StreamParser } from '@codemirror/language';
import { lintGutter, lintKeymap, setDiagnostics, type Diagnostic as Lint } from '@codemirror/lint';
import { highlightSelectionMatches, searchKeymap } from '@codemirror/search';
import { Compartment, EditorState, StateEffect, StateField, type Range } from '@codemirror/state';
import { Decoration, drawSelection, EditorView, highlightActiveLine, hoverTooltip, keymap, lineNumbers, WidgetType, type DecorationSet } from '@codemirror/view';
import { tags } from '@lezer/highlight';
import { builtins, channelsOf, wordKind } from './cspm';
import { bracketField, showBrackets } from './editor-brackets';
import type { About, Brackets, Diagnostic, Outline, Span } from './types';

interface Reading {
  depth: number;
  channels: Set<string>;
}

/** The same words and signs as the source panel, for the editor's highlighter. */
const parser = (channels: () => Set<string>): StreamParser<Reading> => ({
  name: 'cspm',
  startState: () => ({ depth: 0, channels: channels() }),
  token(stream, state) {
    if (state.depth) {
      if (stream.match('-}')) state.depth--;
      else if (stream.match('{-')) state.depth++;
      else stream.next();
      return 'comment';
    }
    if (stream.eatSpace()) return null;
    if (stream.match(/^--.*/)) return 'comment';
    if (stream.match('{-')) {
      state.depth = 1;
      return 'comment';
    }
    if (stream.match(/^"(?:[^"\\]|\\.)*"?/) || stream.match(/^'(?:[^'\\]|\\.)'/)) return 'string';
    if (stream.match(/^\d+/)) return 'number';
    const word = stream.match(/^[A-Za-z_][A-Za-z0-9_']*/);
    if (word && word !== true) {
      const kind = wordKind(word[0], state.channels);
      return kind === 'key' ? 'keyword' : kind === 'chan' ? 'propertyName' : kind === 'proc' ? 'typeName' : 'variableName';
    }
    if (stream.match(/^(->|\[\||\|\]|\[\]|\|~\||\|\|\||\|\||\[>|<-|\[[A-Z]+=|:\[)/)) return 'operator';
    stream.next();
    return 'operator';
  },
  languageData: { commentTokens: { line: '--', block: { open: '{-', close: '-}' } }, closeBrackets: { brackets: ['(', '[', '{', '"'] } },
});

const colours = HighlightStyle.define([
  { tag: tags.keyword, color: 'var(--syn-key)' },
  { tag: tags.propertyName, color: 'var(--syn-chan)' },
  { tag: tags.typeName, color: 'var(--syn-proc)', fontWeight: '550' },
  { tag: tags.number, color: 'var(--syn-num)' },
  { tag: tags.string, color: 'var(--syn-num)' },
  { tag: tags.comment, color: 'var(--syn-note)' },
]);

const theme = EditorView.theme({
  '&': { height: '100%', fontSize: '12.5px', backgroundColor: 'var(--surface)', color: 'var(--text)' },
  '&.cm-focused': { outline: 'none' },
  '.cm-scroller': { fontFamily: 'var(--mono)', lineHeight: '1.65', fontVariantLigatures: 'none' },
  '.cm-gutters': { backgroundColor: 'var(--surface)', color: 'var(--text-3)', border: '0', paddingRight: '6px' },
  '.cm-activeLine, .cm-activeLineGutter': { backgroundColor: 'color-mix(in srgb, var(--hover) 70%, transparent)' },
  '.cm-cursor': { borderLeftColor: 'var(--accent)', borderLeftWidth: '2px' },
  '&.cm-focused > .cm-scroller > .cm-selectionLayer .cm-selectionBackground, .cm-selectionBackground': { backgroundColor: 'var(--select)' },
  '.cm-matchingBracket': { backgroundColor: 'var(--mark)', outline: '1px solid var(--mark-line)' },
  '.cm-tooltip': { backgroundColor: 'var(--raised)', color: 'var(--text)', border: '0', boxShadow: 'var(--shadow-pop)', borderRadius: '6px', padding: '4px' },
  '.cm-tooltip-autocomplete ul li[aria-selected]': { backgroundColor: 'var(--select)', color: 'var(--text)' },
  '.cm-panels': { backgroundColor: 'var(--sunken)', color: 'var(--text)', borderTop: '1px solid var(--line)' },
  '.cm-panels input, .cm-panels button': { fontFamily: 'var(--sans)', fontSize: '12px', color: 'var(--text)', backgroundColor: 'var(--surface)', backgroundImage: 'none', border: '1px solid var(--line-2)', borderRadius: '4px' },
  '.cm-lintRange-error': { backgroundImage: 'none', textDecoration: 'underline wavy var(--fail) 1.2px', textUnderlineOffset: '3px' },
  '.cm-lintRange-warning': { backgroundImage: 'none', textDecoration: 'underline wavy var(--undecided) 1.2px', textUnderlineOffset: '3px' },
  '.cm-diagnostic': { fontFamily: 'var(--sans)', padding: '4px 8px' },
  '.csp-lens': { display: 'flex', gap: '4px', padding: '5px 0 1px 4px', fontFamily: 'var(--sans)', fontSize: '11px', alignItems: 'center' },
  '.csp-lens button': { border: '0', background: 'none', color: 'var(--accent)', font: 'inherit', cursor: 'pointer', padding: '2px 5px', borderRadius: '4px', minHeight: '20px' },
  '.csp-lens button:hover': { backgroundColor: 'var(--hover)' },
  '.csp-lens .v': { fontWeight: '650', marginRight: '2px' },
  '.csp-lens .pass': { color: 'var(--pass)' }, '.csp-lens .fail': { color: 'var(--fail)' }, '.csp-lens .inconclusive': { color: 'var(--undecided)' },
  '.csp-about': { padding: '4px 8px', fontFamily: 'var(--sans)', fontSize: '12px', maxWidth: '460px' },
  '.csp-value': { fontFamily: 'var(--mono)', marginTop: '4px', overflowWrap: 'anywhere' },
  '.csp-bracket': { color: 'var(--accent)', fontWeight: '650' },
  '.csp-about code': { fontFamily: 'var(--mono)' }, '.csp-about p': { margin: '4px 0 0', color: 'var(--text-2)', whiteSpace: 'pre-wrap' },
});

export interface Lens {
  /** Tells it from the others while its contents change. */
  key: string;
  line: number;
  mark: string;
  kind: string;
  actions: { label: string; run: () => void }[];
}

class LensWidget extends WidgetType {
  constructor(
    readonly lens: Lens,
    /** What the lens of this key does now: the widget may be older. */
    readonly now: (key: string) => Lens | undefined,
  ) {
    super();
  }
  eq(other: LensWidget) {
    return other.lens.key === this.lens.key && JSON.stringify([other.lens.mark, other.lens.kind, other.lens.actions.map((a) => a.label)]) === JSON.stringify([this.lens.mark, this.lens.kind, this.lens.actions.map((a) => a.label)]);
  }
  toDOM() {
    const box = document.createElement('div');
    box.className = 'csp-lens';
    // What is under a button is not what is pointed at.
    box.onmousemove = (event) => event.stopPropagation();
    if (this.lens.mark) {
      const mark = document.createElement('span');
      mark.className = `v ${this.lens.kind}`;
      mark.textContent = this.lens.mark;
      box.append(mark);
    }
    for (const action of this.lens.actions) {
      const button = document.createElement('button');
      button.textContent = action.label;
      button.onclick = () => this.now(this.lens.key)?.actions.find((a) => a.label === action.label)?.run();
      box.append(button);
    }
    return box;
  }
  ignoreEvent() {
    return true;
  }
}

const setLenses = StateEffect.define<{ list: Lens[]; now: (key: string) => Lens | undefined }>();
const lensField = StateField.define<DecorationSet>({
  create: () => Decoration.none,
  update(now, transaction) {
    now = now.map(transaction.changes);
    for (const effect of transaction.effects) {
      if (!effect.is(setLenses)) continue;
      const doc = transaction.state.doc;
      const list: Range<Decoration>[] = effect.value.list.filter((l) => l.line >= 1 && l.line <= doc.lines)
        .map((l) => Decoration.widget({ widget: new LensWidget(l, effect.value.now), block: true, side: -1 }).range(doc.line(l.line).from));
      now = Decoration.set(list, true);
    }
    return now;
  },
  provide: (field) => EditorView.decorations.from(field),
});

export interface Wishes {
  changed(text: string): void;
  save(): void;
  define(line: number, column: number): void;
  about(line: number, column: number): Promise<About | null>;
  outline(): Outline | null;
}

export class Editor {
  readonly view: EditorView;
  private readonly language = new Compartment();
  private channels = new Set<string>();
  private quiet = false;

  constructor(host: HTMLElement, text: string, wishes: Wishes) {
    const root = host.shadowRoot ?? host.attachShadow({ mode: 'open' });
    this.channels = channelsOf(text);
    const place = (pos: number) => {
      const line = this.view.state.doc.lineAt(pos);
      return { line: line.number, column: pos - line.from + 1 };
    };
    const jump = () => {
      const at = place(this.view.state.selection.main.head);
      wishes.define(at.line, at.column);
      return true;
    };
    this.view = new EditorView({
      root,
      parent: root as unknown as Element,
      state: EditorState.create({
        doc: text,
        extensions: [
          lineNumbers(), history(), drawSelection(), bracketMatching(), closeBrackets(), highlightActiveLine(), highlightSelectionMatches(), lintGutter(), lensField, bracketField, theme, syntaxHighlighting(colours),
          this.language.of(StreamLanguage.define(parser(() => this.channels))),
          autocompletion({ override: [(context) => complete(context, wishes.outline())] }),
          hoverTooltip(async (_, pos) => {
            const at = place(pos);
            const found = await wishes.about(at.line, at.column).catch(() => null);
            if (!found) return null;
            return { pos, above: false, create: () => ({ dom: aboutBox(found) }) };
          }),
          EditorView.contentAttributes.of({ 'aria-label': 'Script', spellcheck: 'false' }),
          EditorView.updateListener.of((update) => {
            if (update.docChanged && !this.quiet) wishes.changed(update.state.doc.toString());
          }),
          EditorView.domEventHandlers({
            mousedown: (event, view) => {
              if (!(event.ctrlKey || event.metaKey)) return false;
              const pos = view.posAtCoords({ x: event.clientX, y: event.clientY });
              if (pos === null) return false;
              const at = place(pos);
              wishes.define(at.line, at.column);
              return true;
            },
          }),
          keymap.of([
            { key: 'Mod-s', run: () => (wishes.save(), true) }, { key: 'F12', run: jump },
            ...closeBracketsKeymap, ...defaultKeymap, ...searchKeymap, ...historyKeymap, ...completionKeymap, ...lintKeymap, indentWithTab,
          ]),
        ],
      }),
    });
  }

  get text() {
    return this.view.state.doc.toString();
  }

  /** Another text, without telling that it changed. */
  replace(text: string) {
    if (text === this.text) return;
    this.quiet = true;
    this.view.dispatch({ changes: { from: 0, to: this.view.state.doc.length, insert: text } });
    this.quiet = false;
    this.recolour(text);
  }

  /** Puts other words at a place of the text. */
  write(span: Span, words: string) {
    const at = (line: number, column: number) => this.view.state.doc.line(Math.min(Math.max(1, line), this.view.state.doc.lines)).from + column - 1;
    const [from, to] = [at(span.line, span.column), at(span.end_line, span.end_column)];
    this.view.dispatch({ changes: { from, to: Math.min(to, this.view.state.doc.length), insert: words }, selection: { anchor: from + words.length } });
    this.view.focus();
  }

  /** Channels may have come or gone. */
  recolour(text: string) {
    const now = channelsOf(text);
    if ([...now].join() === [...this.channels].join()) return;
    this.channels = now;
    this.view.dispatch({ effects: this.language.reconfigure(StreamLanguage.define(parser(() => this.channels))) });
  }

  mark(list: Diagnostic[]) {
    const doc = this.view.state.doc;
    const offset = (line: number, column: number) => {
      const found = doc.line(Math.min(Math.max(1, line), doc.lines));
      return Math.min(found.to, found.from + Math.max(0, column - 1));
    };
    const lints: Lint[] = list.map((d) => {
      const from = offset(d.line, d.column);
      return { from, to: Math.max(offset(d.end_line, d.end_column), from), severity: d.severity, message: `${d.message}${d.help ? `\n${d.help}` : ''}`, source: d.code };
    });
    this.view.dispatch(setDiagnostics(this.view.state, lints));
  }

  private current: Lens[] = [];
  lenses(list: Lens[]) {
    this.current = list;
    this.view.dispatch({ effects: setLenses.of({ list, now: (key) => this.current.find((lens) => lens.key === key) }) });
  }

  brackets(pairs: Brackets[]) {
    showBrackets(this.view, pairs);
  }

  show(line: number, column = 1) {
    const found = this.view.state.doc.line(Math.min(Math.max(1, line), this.view.state.doc.lines));
    const at = Math.min(found.to, found.from + Math.max(0, column - 1));
    this.view.dispatch({ selection: { anchor: at }, effects: EditorView.scrollIntoView(at, { y: 'center' }) });
    this.view.focus();
  }

  showSpan = (span: Span) => this.show(span.line, span.column);

  destroy() {
    this.view.destroy();
  }
}

function aboutBox(found: About) {
  const box = document.createElement('div');
  box.className = 'csp-about';
  const code = document.createElement('code');
  code.textContent = found.type ? `${found.name} :: ${found.type}` : found.name;
  box.append(code);
  if (found.value !== null) {
    const value = document.createElement('div');
    value.className = 'csp-value';
    value.textContent = `= ${found.value}`;
    box.append(value);
  }
  if (found.comment) {
    const note = document.createElement('p');
    note.textContent = found.comment;
    box.append(note);
  }
  return box;
}

function complete(context: CompletionContext, outline: Outline | null) {
  const word = context.matchBefore(/[A-Za-z_][A-Za-z0-9_']*/);
  if (!word && !context.explicit) return null;
  const kinds: Record<string, string> = { process: 'class', function: 'function', channel: 'property', value: 'constant', datatype: 'type', constructor: 'enum', subtype: 'type', nametype: 'type' };
  const own = outline?.definitions.map((d) => ({ label: d.name, type: kinds[d.kind] ?? 'variable', detail: d.type, info: d.comment ?? undefined, boost: 1 })) ?? [];
  const rest = [...builtins, 'assert', 'channel', 'datatype', 'nametype', 'subtype', 'include', 'transparent', 'external', 'let', 'within', 'STOP', 'SKIP', 'Events', 'deadlock free', 'divergence free', 'deterministic']
    .map((label) => ({ label, type: 'keyword' }));
  return { from: word?.from ?? context.pos, options: [...own, ...rest] };
}
