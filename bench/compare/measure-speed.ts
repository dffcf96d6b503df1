import { legacyCall } from '../load/http-call.ts';
import { verifyPrice } from '../load/read-result.ts';
import { ServerProcess, type ServerProgram } from '../processes/server-process.ts';
import { compareSides, spreadOfSide } from '../results/rounds.ts';
import { runSection, type SectionReport } from '../results/run-section.ts';
import type { SectionContext, SectionName } from '../results/section.ts';
import { takeTurns } from '../results/take-turns.ts';
import { SECTIONS } from '../sections/all-sections.ts';
import { callOnce } from '../sections/call-once.ts';
import { BARE, bareProgram, ownProgram, statelessPeers } from '../sections/programs.ts';
import { MEASURED_COLUMNS, type MeasuredRow } from './measured.ts';

/** The sections of the benchmarks that have peers, and what their rows are called here. */
const RACES: readonly (readonly [section: SectionName, name: string, own: string, unit: string])[] = [
  ['http', 'Calls over HTTP without sessions, 2025', 'toolwright', '× bare node:http'],
  ['modern', 'Calls over HTTP, 2026-07-28', 'toolwright', '× bare node:http'],
  ['session', 'Calls over HTTP with a session, 2025', 'toolwright', '× bare node:http'],
  ['stdio', 'Calls over stdio, 16 on their way, 2025 (SDK v2: 2026-07-28)', 'toolwright, 2025', '× SDK v1'],
];
const STARTS = 7;

/** Rates of calls and the time to a first answer, each as a ratio to what was measured beside it. */
export async function measureSpeed(context: SectionContext): Promise<readonly MeasuredRow[]> {
  const rows: MeasuredRow[] = [];
  for (const [section, name, own, unit] of RACES)
    rows.push(raceRow(await runSection(SECTIONS[section], context), { name, own, unit }));
  return [...rows, await measureStarts(context)];
}

function raceRow(
  { figures, failure }: SectionReport,
  { name, own, unit }: Readonly<Record<'name' | 'own' | 'unit', string>>,
): MeasuredRow {
  const values = MEASURED_COLUMNS.flatMap((column) => {
    const found = figures.find((figure) => figure.name === (column === 'toolwright' ? own : column));
    if (failure !== undefined) return [[column, `not measured: ${failure}`] as const];
    if (found === undefined) return [];
    return [[column, found.ratio ?? `not measured: ${found.note ?? 'it failed'}`] as const];
  });
  return { name, unit, better: 'more', values: Object.fromEntries(values) };
}

/** From the start of a process to its first answer over HTTP. */
async function measureStarts(context: SectionContext): Promise<MeasuredRow> {
  const programs = [bareProgram({ result: {} }), ownProgram('http'), ...statelessPeers].filter(
    ({ name }) => name === BARE || MEASURED_COLUMNS.some((column) => column === name),
  );
  const sides = programs.map((program) => ({ name: program.name, measure: () => timeStart(program) }));
  const rounds = await takeTurns(sides, [BARE], { ...context, rounds: STARTS });
  const milliseconds = Math.round(spreadOfSide(rounds, BARE).median);
  const values = MEASURED_COLUMNS.map((column) => [column, compareSides(rounds, column, BARE)] as const);
  return {
    name: 'From the start of a process to its first answer',
    unit: `× bare node:http, ${String(milliseconds)} ms`,
    better: 'less',
    values: Object.fromEntries(values),
  };
}

async function timeStart(program: ServerProgram): Promise<number> {
  const start = performance.now();
  const server = await ServerProcess.start(program);
  try {
    const result = await callOnce(server.url, legacyCall);
    const time = performance.now() - start;
    if (program.name !== BARE) verifyPrice(result);
    return time;
  } finally {
    await server.stop();
  }
}
