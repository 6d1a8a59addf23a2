// Files that the page gives away.

export function download(name: string, text: string, type: string) {
  const address = URL.createObjectURL(new Blob([text], { type }));
  const link = document.createElement('a');
  link.href = address;
  link.download = name;
  link.click();
  setTimeout(() => URL.revokeObjectURL(address), 1000);
}

/** A drawing of the page as a file of its own: colours become values, because other programs know no tokens. */
export function standalone(svg: SVGSVGElement): string {
  const copy = svg.cloneNode(true) as SVGSVGElement;
  const own = [svg, ...svg.querySelectorAll('*')];
  const other = [copy, ...copy.querySelectorAll('*')];
  own.forEach((element, i) => {
    const style = getComputedStyle(element);
    for (const property of ['fill', 'stroke', 'stroke-width', 'stroke-dasharray', 'font-family', 'font-size', 'font-weight', 'text-anchor', 'opacity']) {
      const value = style.getPropertyValue(property);
      if (value && value !== 'none' || property === 'fill' || property === 'stroke') other[i].setAttribute(property, value || 'none');
    }
    other[i].removeAttribute('class');
    other[i].removeAttribute('tabindex');
  });
  copy.setAttribute('xmlns', 'http://www.w3.org/2000/svg');
  return new XMLSerializer().serializeToString(copy);
}
