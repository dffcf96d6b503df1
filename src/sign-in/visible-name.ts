const MAX_LENGTH = 60;

/** A name that a client gives itself, on one line and without characters that turn or hide others. */
export function visibleText(given: unknown): string {
  if (typeof given !== 'string') return '';
  const shown = given
    .slice(0, 500)
    .normalize('NFC')
    .replace(/[\p{Cc}\p{Cf}\p{Co}\p{Cn}\p{Cs}\p{Zl}\p{Zp}]/gu, '')
    .replace(/\s+/g, ' ')
    .trim();
  return Array.from(shown).slice(0, MAX_LENGTH).join('');
}
