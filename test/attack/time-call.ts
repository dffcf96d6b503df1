import type { AttackRow, Target } from './attack.ts';
import type { AttackedServer } from './attacked-server.ts';

/** One call of a tool, and a harmless one of the same size. */
export interface TimedCall {
  readonly name: string;
  readonly body: string;
  readonly benign?: string;
}

/** Times calls one after the other, each with a server that has done it before with the harmless one. */
export async function timeCalls(
  target: Target,
  server: string,
  calls: Iterable<TimedCall>,
): Promise<readonly AttackRow[]> {
  const rows: AttackRow[] = [];
  let running: AttackedServer | undefined;
  try {
    for (const { name, body, benign } of calls) {
      running ??= await target.serve(server);
      const usual = benign === undefined ? undefined : await timed(running, benign, target);
      const attack = await timed(running, body, target);
      if (attack === undefined) {
        await running.close();
        running = undefined;
      }
      const { milliseconds, outcome } = attack ?? {};
      rows.push({ name, bytes: body.length, milliseconds, benign: usual?.milliseconds, note: outcome });
      target.progress(`${name}: ${milliseconds?.toFixed(0) ?? 'endless'}`);
    }
  } finally {
    await running?.close();
  }
  return rows;
}

interface Timed {
  /** How long the loop was held, or the processor busy. */
  readonly milliseconds: number;
  readonly outcome: string;
}

/** Undefined when a request had not ended at the limit. */
async function timed(
  server: AttackedServer,
  body: string,
  { limit, isByProcessor = false }: Target,
): Promise<Timed | undefined> {
  const before = await server.vitals();
  try {
    const { status, text } = await server.post(body, { limit });
    const { held, processor } = await server.vitals();
    const milliseconds = isByProcessor ? processor - before.processor : held;
    return { milliseconds, outcome: outcomeOf(status, text) };
  } catch {
    return undefined;
  }
}

function outcomeOf(status: number, text: string): string {
  if (status !== 200) return String(status);
  return text.includes('"isError":true') ? (/Code: (\w+)/.exec(text)?.[1] ?? 'refused') : 'accepted';
}

/** The message that calls the action `run` of a tool, as it goes over the wire. */
export function callOf(tool: string, args: string): string {
  return `{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":${JSON.stringify(`${tool}_run`)},"arguments":${args}}}`;
}
