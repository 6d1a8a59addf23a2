// A field that appears because it was asked for takes the keyboard.
export const focus = (element: HTMLElement) => element.focus();
