/** Lays out what a generator has written as `npm run format` does, so that its check and that of the format agree. */
import { readFileSync } from 'node:fs';
import { format } from 'oxfmt';

const {
  $schema: _,
  ignorePatterns: __,
  ...options
} = JSON.parse(readFileSync(new URL('../.oxfmtrc.json', import.meta.url), 'utf8'));

/** The text of a file of that name, laid out. `more` are further options of oxfmt. Throws where it cannot be read. */
export async function layOut(name, text, more = {}) {
  const { code, errors } = await format(name, text, { ...options, ...more });
  if (errors.length > 0) throw new Error(`${name} cannot be laid out: ${errors[0].message}`);
  return code;
}
