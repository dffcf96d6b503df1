/** Puts one sentence behind another: after a mark of its own only a space, and never a lone separator. */
export function joinSentences(first: string, second: string): string {
  const start = first.trim();
  if (start === '' || second === '') return start + second;
  return `${start}${/[.!?:;,…]$/.test(start) ? '' : '.'} ${second}`;
}
