/**
 * Attacks servers that are written with the built package, and prints what each attack cost. `--build DIR` attacks
 * the package of another folder; given more than once, the figures stand side by side. `--bytes N`, which may be given
 * more than once, too, says how long the values of the sweep are. `--beside DIR` lets `faults` run that version as well. `--processor` measures what the processor does, for a busy machine.
 */
import { resolve } from 'node:path';
import { parseArgs } from 'node:util';
import { fileURLToPath } from 'node:url';
import type { AttackProgram, AttackRow } from './attack.ts';
import { startServer } from './attacked-server.ts';
import { printTable } from './print-table.ts';
import { PROGRAMS } from './programs.ts';

const ROOT = fileURLToPath(new URL('../..', import.meta.url));
const { values } = parseArgs({
  options: {
    only: { type: 'string', multiple: true, default: PROGRAMS.map(({ name }) => name) },
    build: { type: 'string', multiple: true, default: [ROOT] },
    quick: { type: 'boolean', default: false },
    limit: { type: 'string', default: '20000' },
    processor: { type: 'boolean', default: false },
    beside: { type: 'string' },
    bytes: { type: 'string', multiple: true },
  },
});
const { only, quick: isQuick, limit } = values;
const sizes = values.bytes?.map(Number);
const builds = values.build.map((build) => resolve(build));
const unknown = only.filter((name) => !PROGRAMS.some((program) => program.name === name));
if (unknown.length > 0) {
  const names = PROGRAMS.map(({ name }) => name).join(', ');
  throw new RangeError(`No program is called ${unknown.join(', ')}; there are: ${names}`);
}

for (const program of PROGRAMS.filter(({ name }) => only.includes(name))) {
  const columns: (readonly AttackRow[])[] = [];
  for (const build of builds) columns.push(await attack(program, build));
  console.log(`\n${program.name}: ${program.measures}`);
  printTable(builds, columns, Number(limit));
  if (columns.flat().some(({ fault }) => fault !== undefined)) process.exitCode = 1;
}

function attack(program: AttackProgram, build: string): Promise<readonly AttackRow[]> {
  return program.run({
    build,
    isQuick,
    limit: Number(limit),
    sizes,
    beside: values.beside === undefined ? undefined : resolve(values.beside),
    isByProcessor: values.processor,
    serve: (name, options) => startServer(build, name, options),
    progress: (text) => console.error(`[${program.name}, ${performance.now().toFixed(0)} ms] ${text}`),
  });
}
