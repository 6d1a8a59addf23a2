// Which process an assertion is about.

/** The implementation: what stands to the right of `[T=`, or before `:[`. */
export function subject(text: string): string {
  const refined = /\[(?:T|F|FD|V|VD|R|RD)=\s*(.*)$/s.exec(text);
  const process = refined ? refined[1].replace(/:\s*\[tau priority[^\]]*\].*$/s, '') : text.replace(/^not\s+/, '').replace(/:\s*\[.*$/s, '');
  return process.trim();
}
