import type { AttackRow, Target } from '../attack.ts';
import { callLine, request, StdioWire } from './stdio-wire.ts';

type Flood = (wire: StdioWire, target: Target) => Promise<Omit<AttackRow, 'milliseconds'>>;

const FLOODS: readonly Flood[] = [pings, garbage, cancellations, endlessLine, openCalls, unreadAnswers];

/** Floods one server after the other over its standard input. */
export async function floodStdio(target: Target): Promise<readonly AttackRow[]> {
  const rows: AttackRow[] = [];
  for (const flood of FLOODS) {
    const wire = new StdioWire(target.build);
    const start = performance.now();
    try {
      const row = { ...(await flood(wire, target)), milliseconds: performance.now() - start };
      rows.push(row);
      target.progress(`${row.name}: ${row.note ?? ''}`);
    } finally {
      await wire.close();
    }
  }
  return rows;
}

async function pings(wire: StdioWire, { isQuick }: Target): Promise<Omit<AttackRow, 'milliseconds'>> {
  const count = isQuick ? 5000 : 500_000;
  wire.read();
  const bytes = await writeAll(wire, count, (id) => request(id, 'ping'));
  await wire.answers(count);
  return { name: `${String(count)} pings at once`, bytes, note: memoryOf(wire) };
}

async function garbage(wire: StdioWire, { isQuick }: Target): Promise<Omit<AttackRow, 'milliseconds'>> {
  const count = isQuick ? 5000 : 200_000;
  const lines = ['{"jsonrpc":', '\u0000\u0001', '[[[[[[[', '{"jsonrpc":"2.0","method":7,"id":{}}', 'null'];
  wire.read();
  const bytes = await writeAll(wire, count, (id) => `${String(lines[id % lines.length])}\n`);
  await wire.answers(count);
  const wrong = wire.lines.filter((line) => !line.includes('"code":-32'));
  return {
    name: `${String(count)} lines of garbage`,
    bytes,
    note: `${String(wrong.length)} wrong answers, ${memoryOf(wire)}`,
  };
}

async function cancellations(wire: StdioWire, { isQuick }: Target): Promise<Omit<AttackRow, 'milliseconds'>> {
  const count = isQuick ? 5000 : 500_000;
  wire.read();
  const method = 'notifications/cancelled';
  const bytes = await writeAll(
    wire,
    count,
    (requestId) => `${JSON.stringify({ jsonrpc: '2.0', method, params: { requestId } })}\n`,
  );
  await wire.write(request(1, 'ping'));
  await wire.answers(1);
  return { name: `${String(count)} cancellations of nothing`, bytes, note: memoryOf(wire) };
}

async function endlessLine(wire: StdioWire, { isQuick }: Target): Promise<Omit<AttackRow, 'milliseconds'>> {
  const megabytes = isQuick ? 20 : 1000;
  wire.read();
  for (let count = 0; count < megabytes; count += 1) await wire.write('x'.repeat(1_000_000));
  const note = memoryOf(wire);
  await wire.write(`\n${request(1, 'ping')}`);
  await wire.answers(2);
  return { name: 'a line without an end', bytes: megabytes * 1_000_000, note };
}

/** One limit of calls runs; what comes on top is refused, and served when there is room. */
async function openCalls(wire: StdioWire, { isQuick }: Target): Promise<Omit<AttackRow, 'milliseconds'>> {
  const count = isQuick ? 1500 : 20_000;
  wire.read();
  const bytes = await writeAll(wire, count, (id) => callLine(id, 'wait'));
  await wire.answers(count - 1000);
  const refused = wire.answered;
  await wire.write('{"jsonrpc":"2.0","method":"notifications/cancelled","params":{"requestId":0}}\n');
  await wire.write(callLine(count, 'short'));
  await wire.answers(refused + 1);
  const then = wire.lines.at(-1)?.includes('done') === true ? 'served' : 'not served';
  return {
    name: `${String(count)} calls that wait`,
    bytes,
    note: `${String(refused)} refused; with room again: ${then}, ${memoryOf(wire)}`,
  };
}

/** Asks for long answers and reads none, until no more is taken of it. Then it reads. */
async function unreadAnswers(wire: StdioWire, { isQuick }: Target): Promise<Omit<AttackRow, 'milliseconds'>> {
  const most = isQuick ? 2000 : 20_000;
  const padding = ' '.repeat(2000);
  let sent = 0;
  let bytes = 0;
  for (let isTaken = true; isTaken && sent < most; sent += 1) {
    const line = callLine(sent, 'long').replace('\n', `${padding}\n`);
    bytes += line.length;
    isTaken = await wire.write(line);
  }
  const memory = memoryOf(wire);
  wire.read();
  await wire.answers(sent);
  return { name: 'answers of 100 kB that nobody reads', bytes, note: `${String(sent)} taken, ${memory}` };
}

/** @returns how many bytes were written */
async function writeAll(wire: StdioWire, count: number, line: (id: number) => string): Promise<number> {
  let bytes = 0;
  for (let id = 0; id < count; id += 500) {
    const size = Math.min(500, count - id);
    const text = Array.from({ length: size }, (_, index) => line(id + index)).join('');
    bytes += text.length;
    await wire.write(text, 60_000);
  }
  return bytes;
}

function memoryOf({ memory }: StdioWire): string {
  return `rss ${String(memory)} MB`;
}
