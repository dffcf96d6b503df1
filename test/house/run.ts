/**
 * Looks at the code as a reader would. Without options it prints the figures of `src`, with `--files` also the files
 * and names behind them. `--call` prints the files of `src` that one call passes, by each route; with `--files`, also
 * which they are, and with `--json` as data.
 */
import 'reflect-metadata';
import { parseArgs } from 'node:util';

const { values } = parseArgs({
  options: {
    call: { type: 'boolean', default: false },
    files: { type: 'boolean', default: false },
    json: { type: 'boolean', default: false },
  },
});
if (values.call) {
  const { printCall } = await import('./print-call.ts');
  await printCall(values);
} else {
  const { printFigures } = await import('./print-figures.ts');
  printFigures(values);
}
process.exit();
