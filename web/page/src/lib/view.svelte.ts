// The view that the address names, as state that screens read and change.
import { format, parse, type View } from './address';

let current = $state.raw<View>(parse(location.hash));

addEventListener('hashchange', () => {
  current = parse(location.hash);
});
addEventListener('popstate', () => {
  current = parse(location.hash);
});

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
  if (next === location.hash) return;
  history.pushState(null, '', next);
  current = parse(next);
}

/** Changes the view without a step for the back button: a selection, a fold. */
export function adjust(change: Partial<View>) {
  const next = format({ ...current, ...change });
  if (next === location.hash) return;
  history.replaceState(null, '', next);
  current = parse(next);
}

/** A view of another script: nothing of what was selected in this one stays. */
export const fresh = (change: Partial<View>): Partial<View> => ({
  assertion: null, step: null, folded: [], watches: [], process: null, path: [], line: null, rest: {}, ...change,
});
