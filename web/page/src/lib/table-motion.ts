// How things move on the table: short, with one curve, and not at all where motion is not wanted.

const curve = 'cubic-bezier(.2, .7, .2, 1)';
const still = () => matchMedia('(prefers-reduced-motion: reduce)').matches;

interface Place {
  x: number;
  y: number;
}
const at = ({ x, y }: Place) => `translate(${x}px, ${y}px)`;

/** From one place to another, above everything that lies still. */
export function fly(element: HTMLElement, from: Place, to: Place, duration: number, delay: number) {
  if (still()) return;
  const z = String(600 + Math.round(delay / 120));
  element.animate([{ transform: at(from), zIndex: z }, { transform: at(to), zIndex: z }], { duration, delay, easing: curve, fill: 'backwards' });
}

/** Once, for what was refused. */
export function shake(element: Element | undefined) {
  if (!element || still()) return;
  element.animate([0, -5, 5, -3, 3, 0].map((x) => ({ translate: `${x}px 0` })), { duration: 260, easing: 'linear' });
}
