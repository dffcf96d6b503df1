import { envelope, headers2026 } from '../../support/client-of-2026.ts';
import { message } from '../../support/raw-http.ts';
import type { AttackedServer } from '../attacked-server.ts';
import type { AttackProgram, AttackRow, Target } from '../attack.ts';
import { hostileInputs, type HostileInput } from '../hostile-inputs.ts';

/** Milliseconds; no request below the default limits holds the loop for longer on a quiet machine. */
const MAX_HELD_MS = 250;
/** A busy machine is asked again before a row counts as broken. */
const TRIES = 5;

export const loop: AttackProgram = {
  name: 'loop',
  measures: `how long a request below all limits holds the event loop, in milliseconds; at most ${String(MAX_HELD_MS)}`,
  run: async (target) => {
    const server = await target.serve('loop');
    try {
      const rows: AttackRow[] = [];
      for (const input of hostileInputs()) {
        for (const era of ['2025', '2026'] as const) rows.push(await attack(target, server, input, era));
      }
      return rows;
    } finally {
      await server.close();
    }
  },
};

async function attack(target: Target, server: AttackedServer, input: HostileInput, era: '2025' | '2026') {
  const name = `${input.name} (${era})`;
  const { body, headers } = requestOf(input, era);
  let row: AttackRow | undefined;
  for (let tries = 0; tries < TRIES && (row === undefined || row.fault !== undefined); tries += 1) {
    const before = await server.vitals();
    const { status, text } = await server.post(body, { headers, limit: target.limit });
    const { held, processor } = await server.vitals();
    // On a busy machine the loop waits for the processor; and work in parts holds it for no longer than one of them
    const milliseconds = Math.min(held, processor - before.processor);
    const note = `${outcomeOf(status, text)}, ${String(text.length)} bytes back`;
    const fault = milliseconds > MAX_HELD_MS ? `more than ${String(MAX_HELD_MS)} ms` : undefined;
    row = { name, bytes: body.length, milliseconds, note, fault };
  }
  target.progress(`${name}: ${row?.milliseconds?.toFixed(0) ?? ''} ${row?.note ?? ''}`);
  return row as AttackRow;
}

function requestOf({ method, params, target }: HostileInput, era: '2025' | '2026') {
  const { params: none, ...request } = JSON.parse(message(method, {})) as { readonly params?: object };
  const head = JSON.stringify(request).slice(0, -1);
  if (era === '2025') return { body: `${head},"params":{${params}}}`, headers: {} };
  const meta = JSON.stringify(envelope());
  return { body: `${head},"params":{"_meta":${meta},${params}}}`, headers: headers2026(method, target) };
}

function outcomeOf(status: number, text: string): string {
  if (status !== 200) return String(status);
  return /Code: (\w+)|"code":(-\d+)/.exec(text)?.slice(1).find(Boolean) ?? 'accepted';
}
