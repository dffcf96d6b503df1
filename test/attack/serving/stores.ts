import type { AttackRow, Target } from '../attack.ts';
import type { TaskRequests } from '../../support/task-requests.ts';
import { callOf } from '../time-call.ts';
import { heapNote, inParallel, initialize, requests2026, post } from './requests.ts';

/** One caller opens as many sessions as it can, and a stream in each; then another one calls. */
export async function manySessions({ isQuick, serve }: Target): Promise<AttackRow> {
  const server = await serve('serving', { environment: { SESSIONS: 'on' } });
  const start = performance.now();
  const [, alice] = await initialize(server, 'alice');
  const streams: Response[] = [];
  for (let count = 0; count < (isQuick ? 1050 : 2000); count += 1) {
    const [, id] = await initialize(server, 'bob');
    if (id === null) continue;
    const headers = { accept: 'text/event-stream', 'mcp-session-id': id, authorization: 'bob' };
    streams.push(await fetch(server.url, { headers }));
  }
  const ping = await server.post('{"jsonrpc":"2.0","id":1,"method":"ping"}', {
    headers: { authorization: 'alice', 'mcp-session-id': String(alice) },
  });
  const [next] = await initialize(server, 'alice');
  const note = `${String(streams.length)} sessions; the other: old session ${String(ping.status)}, new one ${String(next)}`;
  for (const { body } of streams) await body?.cancel().catch(() => undefined);
  await server.close();
  return { name: 'sessions with streams', bytes: 0, milliseconds: performance.now() - start, note };
}

/** Sessions that are opened, used and deleted, one after the other. */
export async function sessionsInALoop({ isQuick, serve }: Target): Promise<AttackRow> {
  const server = await serve('serving', {
    nodeOptions: ['--expose-gc'],
    environment: { SESSIONS: 'on' },
  });
  const count = isQuick ? 300 : 5000;
  const body = callOf('desk_short', '{}');
  const use = async (index: number): Promise<void> => {
    const person = `person ${String(index % 10)}`;
    const [, id] = await initialize(server, person);
    const headers = { authorization: person, 'mcp-session-id': String(id) };
    await (await post(server, body, headers)).text();
    await (await fetch(server.url, { method: 'DELETE', headers })).text();
  };
  await inParallel(count / 2, use);
  const before = await server.vitals();
  const start = performance.now();
  await inParallel(count, use);
  const milliseconds = performance.now() - start;
  const after = await server.vitals();
  await server.close();
  return {
    name: `${String(count)} sessions opened and deleted`,
    bytes: 0,
    milliseconds,
    note: heapNote(before, after),
  };
}

/** One caller answers questions until nothing more is taken of it; then another one answers. */
export async function answeredQuestions({ isQuick, serve }: Target): Promise<AttackRow> {
  const server = await serve('serving', { environment: { SESSIONS: 'on' } });
  const start = performance.now();
  const count = isQuick ? 500 : 12_000;
  const client = requests2026(server);
  let taken = 0;
  await inParallel(count, async () => {
    if (await answersOnce(client, 'bob')) taken += 1;
  });
  const other = (await answersOnce(client, 'alice')) ? 'taken' : 'refused';
  await server.close();
  return {
    name: `${String(count)} answered questions`,
    bytes: 0,
    milliseconds: performance.now() - start,
    note: `${String(taken)} taken; the other: ${other}`,
  };
}

/** Asks a tool and answers its question. False where the answer is refused. */
async function answersOnce(client: TaskRequests, person: string): Promise<boolean> {
  const headers = { authorization: person };
  const call = { name: 'desk_ask_run', arguments: {} };
  const { result: asked } = await client.send('tools/call', call, headers);
  const { requestState, inputRequests = {} } = asked ?? {};
  const answers = Object.keys(inputRequests as object).map((key) => [
    key,
    { action: 'accept', content: { isSure: true } },
  ]);
  const inputResponses = Object.fromEntries(answers) as object;
  const { result } = await client.send('tools/call', { ...call, requestState, inputResponses }, headers);
  return JSON.stringify(result ?? {}).includes('accept');
}

/** Tasks that are done at once, of clients whom nobody knows; then there is one more. */
export async function manyTasks({ isQuick, serve }: Target): Promise<AttackRow> {
  const server = await serve('serving');
  const client = requests2026(server);
  const count = isQuick ? 500 : 11_000;
  const part = count / 10;
  const call = { name: 'desk_job_run', arguments: {} };
  let refused = 0;
  const make = async (): Promise<void> => {
    const { result } = await client.send('tools/call', call);
    if (typeof result?.['taskId'] !== 'string') refused += 1;
  };
  const start = performance.now();
  const rates: number[] = [];
  for (let nth = 0; nth < 10; nth += 1) {
    const began = performance.now();
    await inParallel(part, make);
    rates.push(Math.round((part * 1000) / (performance.now() - began)));
  }
  const milliseconds = performance.now() - start;
  await server.close();
  return {
    name: `${String(count)} tasks that are done`,
    bytes: 0,
    milliseconds,
    note: `${String(refused)} refused; ${String(rates[0])} a second at first, ${String(rates.at(-1))} at last`,
  };
}

/** A call that asks for reports, so that its answer comes as events. */
function streamed(name: string): string {
  const params = { name, arguments: {}, _meta: { progressToken: 'p' } };
  return JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'tools/call', params });
}

/** One caller has long answers stored; then another one comes back for a stream that it lost. */
export async function storedEvents({ serve }: Target): Promise<AttackRow> {
  const server = await serve('serving', { environment: { SESSIONS: 'on' } });
  const start = performance.now();
  const revision = { 'mcp-protocol-version': '2025-11-25' };
  const enter = async (person: string): Promise<Readonly<Record<string, string>>> => {
    const [, id] = await initialize(server, person);
    return { ...revision, authorization: person, 'mcp-session-id': String(id) };
  };
  const alice = await enter('alice');
  const answer = await (await post(server, streamed('desk_steps_run'), alice)).text();
  const [, lost] = /^id: (.*)$/m.exec(answer) ?? [];
  if (lost === undefined) throw new Error(`There is no event to come back to: ${answer.slice(0, 200)}`);
  const bob = await enter('bob');
  for (let count = 0; count < 3; count += 1) {
    await (await post(server, streamed('desk_report_run'), bob)).text();
  }
  const headers = { ...alice, accept: 'text/event-stream', 'last-event-id': lost };
  const response = await fetch(server.url, { headers });
  // It may stay open.
  await response.body?.cancel();
  await server.close();
  return {
    name: '3 stored answers of 9 MB',
    bytes: 0,
    milliseconds: performance.now() - start,
    note: `the other comes back: ${String(response.status)}`,
  };
}
