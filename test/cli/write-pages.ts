/** Writes what the table of commands says into the pages below docs/commands: `npm run docs:commands`. */
import { writeFileSync } from 'node:fs';
import { ROOT } from '../pins/docs/example.ts';
import { commandPages } from './command-pages.ts';

for (const [path, text] of await commandPages()) writeFileSync(`${ROOT}${path}`, text);
