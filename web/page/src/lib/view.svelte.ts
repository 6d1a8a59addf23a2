// The view that the address names, as state that screens read and change.
import { format, parse, type View } from './address';

let current = $state.raw<View>(parse(location.hash));

// Browsers refuse an address that changes hundreds of times in some seconds, as it would while a key is held down: the view
// changes at once, the address at most some times a second, and always before the page goes elsewhere.
const pause = 120;
let written = 0;
let later: ReturnType<typeof setTimeout> | undefined;
function write() {
  clearTimeout(later);
  later = undefined;
  written = performance.now();
  const now = format(current);
  if (now !== location.hash) history.replaceState(null, '', now);
}
function arrive() {
  clearTimeout(later);
  later = undefined;
  current = parse(location.hash);
}
addEventListener('hashchange', arrive);
addEventListener('popstate', arrive);
addEventListener('pagehide', () => later !== undefined && write());

export const view = {
  get now() {
    return current;
  },
};

/** The address of a view that differs in these points from the one shown. */
export const to = (change: Partial<View>) => format({ ...current, ...change });

/** Shows another view; the back button comes back to this one. */
export function go(change: Partial<View>) {
  const next = format({ ...current, ...change });
  if (next === format(current)) return;
  write();
  history.pushState(null, '', next);
  current = parse(next);
}

/** Changes the view without a step for the back button: a selection, a fold. */
export function adjust(change: Partial<View>) {
  const next = format({ ...current, ...change });
  if (next === format(current)) return;
  current = parse(next);
  if (later !== undefined) return;
  const wait = written + pause - performance.now();
  if (wait <= 0) write();
  else later = setTimeout(write, wait);
}

/** Keeps something of a screen's own in the address, or takes it out. */
export function keep(key: string, value: string | null) {
  const { [key]: _, ...rest } = current.rest;
  adjust({ rest: value === null || value === '' ? rest : { ...rest, [key]: value } });
}

/** A view of another script: nothing of what was selected in this one stays. */
export const fresh = (change: Partial<View>): Partial<View> => ({
  assertion: null, step: null, folded: [], watches: [], process: null, path: [], line: null, rest: {}, ...change,
});
