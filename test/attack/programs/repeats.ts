import { envelope, headers2026, message2026 } from '../../support/client-of-2026.ts';
import { message } from '../../support/raw-http.ts';
import type { AttackProgram, AttackRow, Target } from '../attack.ts';
import type { AttackedServer } from '../attacked-server.ts';
import { inParallel } from '../serving/requests.ts';

/** The connection is cut so often, and then no more. */
const CUTS = 5;
/** Milliseconds; a call takes up to 40, and its answer some more. */
const LATEST_CUT = 60;

export const repeats: AttackProgram = {
  name: 'repeats',
  measures:
    'how often calls with a key run whose connections are cut at random moments, and that are repeated',
  run: async (target) => [await cutAndRepeat(target, '2025'), await cutAndRepeat(target, '2026')],
};

async function cutAndRepeat({ serve, isQuick, progress }: Target, era: '2025' | '2026'): Promise<AttackRow> {
  const calls = isQuick ? 100 : 1000;
  const server = await serve('repeats');
  try {
    const start = performance.now();
    let cuts = 0;
    let wrong = 0;
    await inParallel(calls, async (index) => {
      const { cut, text } = await repeat(server, requestOf(era, `call-${String(index)}`));
      cuts += cut;
      if (!text.includes(`paid call-${String(index)}"`)) wrong += 1;
    });
    const { text } = await server.post(message('tools/call', { name: 'till_count' }));
    const [effects = text] = /\d+ of \d+/.exec(text) ?? [];
    const note = `${effects} effects after ${String(cuts)} cuts; ${String(wrong)} wrong answers`;
    progress(note);
    return {
      name: `${String(calls)} calls, ${era}`,
      bytes: 0,
      milliseconds: performance.now() - start,
      note,
    };
  } finally {
    await server.close();
  }
}

interface Posted {
  readonly body: string;
  readonly headers: Readonly<Record<string, string>>;
}

function requestOf(era: '2025' | '2026', of: string): Posted {
  const params = { name: 'till_pay', arguments: { of, idempotencyKey: of } };
  if (era === '2025') return { body: message('tools/call', params), headers: {} };
  const body = JSON.stringify(message2026('tools/call', { ...params, _meta: envelope() }));
  return { body, headers: headers2026('tools/call', 'till_pay') };
}

async function repeat({ post }: AttackedServer, { body, headers }: Posted) {
  for (let tries = 0, cut = 0; ; tries += 1) {
    const limit = tries < CUTS ? Math.random() * LATEST_CUT : 20_000;
    const text = await post(body, { headers, limit }).then(
      (answer) => answer.text,
      () => undefined,
    );
    if (text === undefined) cut += 1;
    // A client that has lost its connection once more cannot know that there was an answer
    else if (tries > 0 && !text.includes('IDEMPOTENCY_IN_PROGRESS')) return { cut, text };
  }
}
