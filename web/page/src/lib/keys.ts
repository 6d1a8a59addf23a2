// Keys: each screen says what its keys do; single keys work only outside fields.

export interface Binding {
  /** As `KeyboardEvent.key` calls it, with `Shift+` or `Ctrl+` before it. */
  keys: string[];
  /** What the foot and the list of shortcuts say. */
  label: string;
  run: (event: KeyboardEvent) => void;
  /** Not shown in the foot. */
  quiet?: boolean;
}

let bindings: Binding[] = [];
let everywhere: Binding[] = [];
let awaited: Record<string, () => void> | null = null;
/** Digits that were typed after the key that awaits them, and what they are for. */
let digits = '';
let typing: ReturnType<typeof setTimeout> | undefined;
let numbered: ((n: number) => void) | null = null;

/** What a number does after `g`; the function takes it away again. */
export function bindNumber(run: (n: number) => void): () => void {
  numbered = run;
  return () => {
    if (numbered === run) numbered = null;
  };
}

function endNumber() {
  clearTimeout(typing);
  const n = Number(digits);
  digits = '';
  awaited = null;
  if (n) numbered?.(n);
}

/** Single keys can be switched off. */
export const singleKeys = {
  get on() {
    return localStorage.getItem('csp-single-keys') !== 'off';
  },
  set on(value: boolean) {
    localStorage.setItem('csp-single-keys', value ? 'on' : 'off');
  },
};

/** The keys of the screen that is shown; the function takes them away again. */
export function bind(own: Binding[]): () => void {
  bindings = own;
  return () => {
    if (bindings === own) bindings = [];
  };
}

export function bindEverywhere(own: Binding[]) {
  everywhere = own;
}

export const shortcuts = () => ({ screen: bindings, everywhere });

/** The next key decides among these. */
export function expect(next: Record<string, () => void>) {
  awaited = next;
  setTimeout(() => {
    if (awaited === next) awaited = null;
  }, 4000);
}

const inField = (target: EventTarget | null) =>
  target instanceof HTMLElement && (target.isContentEditable || target.shadowRoot !== null || /^(input|textarea|select)$/i.test(target.tagName));

export function name(event: KeyboardEvent): string {
  const modifier = event.ctrlKey || event.metaKey ? 'Ctrl+' : '';
  const shift = event.shiftKey && event.key.length > 1 ? 'Shift+' : '';
  return modifier + shift + (event.key === ' ' ? 'Space' : event.key);
}

addEventListener('keydown', (event) => {
  if (event.defaultPrevented || event.altKey) return;
  const pressed = name(event);
  const field = inField(event.target);
  const single = pressed.length === 1 || pressed === 'Space';
  if (field && pressed !== 'Escape' && !pressed.startsWith('Ctrl+')) return;
  if (single && !singleKeys.on) return;
  // Buttons and links act on Enter and Space themselves.
  const control = !digits && event.target instanceof Element && event.target.closest('button, a, summary, [role=menuitem]');
  if (control && (pressed === 'Enter' || pressed === 'Space')) return;
  if ((awaited && numbered && /^\d$/.test(pressed)) || (digits && /^(\d|Enter)$/.test(pressed))) {
    event.preventDefault();
    if (pressed === 'Enter') return endNumber();
    digits += pressed;
    clearTimeout(typing);
    typing = setTimeout(endNumber, 700);
    return;
  }
  if (awaited) {
    const chosen = awaited[pressed];
    awaited = null;
    if (chosen) {
      event.preventDefault();
      chosen();
      return;
    }
  }
  const found = [...bindings, ...everywhere].find((binding) => binding.keys.includes(pressed));
  if (!found) return;
  if (field && pressed === 'Escape') (event.target as HTMLElement).blur();
  event.preventDefault();
  found.run(event);
});
