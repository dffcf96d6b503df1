/** The text with line breaks, and the blanks around them, as single spaces; empty when there is none. */
export function oneLine(text: string | undefined): string {
  return (text ?? '').replace(/\s*[\r\n\u2028\u2029]\s*/g, ' ').trim();
}
