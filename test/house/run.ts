/**
 * Looks at the code as a reader would: `--call` prints the files of `src` that one call passes, by each route. With
 * `--files`, also which they are.
 */
import 'reflect-metadata';
import { parseArgs } from 'node:util';
import { countCall, type CallCount } from './count-call.ts';

const { values } = parseArgs({
  options: { call: { type: 'boolean', default: false }, files: { type: 'boolean', default: false } },
});
if (!values.call) throw new RangeError('Say what to look at: --call');

const counts = await countCall();
const everywhere = inAll(counts);
for (const { route, files } of counts) {
  const own = files.filter((file) => !everywhere.includes(file));
  console.log(
    `${route.padEnd(14)} ${String(files.length).padStart(3)} files, ${String(own.length)} not in all routes`,
  );
  if (values.files) for (const file of own) console.log(`    ${file}`);
}
console.log(`${'all routes'.padEnd(14)} ${String(everywhere.length).padStart(3)} files`);
if (values.files) for (const file of everywhere) console.log(`    ${file}`);
process.exit();

function inAll([first, ...others]: readonly CallCount[]): readonly string[] {
  return first?.files.filter((file) => others.every(({ files }) => files.includes(file))) ?? [];
}
