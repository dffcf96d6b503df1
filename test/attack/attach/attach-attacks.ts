import { setTimeout as after } from 'node:timers/promises';
import { DEEP, type AttachWire, type Json } from './attach-wires.ts';
import { told } from './attached-desk.ts';

/** What an attack found: how much it sent, and each answer that is not as it should be. */
export interface AttachFindings {
  readonly sent: number;
  readonly wrong: readonly string[];
}

const LONG = 'x'.repeat(1_000_000);
const NESTED = JSON.parse(`${'{"a":'.repeat(2000)}1${'}'.repeat(2000)}`) as unknown;
const PROTOTYPE = JSON.parse('{"__proto__":{"isAdmin":true},"constructor":{"prototype":{}}}') as Json;
const MANY = Object.fromEntries(Array.from({ length: 20_000 }, (_, index) => [`n${String(index)}`, index]));

/** A value of each kind that nobody asked for. */
const ODD_VALUES: readonly unknown[] = [
  ...[null, 0, -1, 1e308, true, '', 'x', '\u0000', '\ud800', '💥', LONG, [], [null], {}, DEEP, NESTED],
  ...[PROTOTYPE, MANY, { toString: 1, valueOf: null, then: 'x' }],
];

/** Of each method, params that are in order. */
const METHODS: Readonly<Record<string, Json>> = {
  'tools/list': {},
  'tools/call': { name: 'add', arguments: { a: 1, b: 2 } },
  'prompts/list': {},
  'prompts/get': { name: 'explain', arguments: { topic: 'x' } },
  'resources/list': {},
  'resources/templates/list': {},
  'resources/read': { uri: 'papers://index' },
  'resources/subscribe': { uri: 'papers://index' },
  'resources/unsubscribe': { uri: 'papers://index' },
  'completion/complete': {
    ref: { type: 'ref/prompt', name: 'explain' },
    argument: { name: 'topic', value: 'x' },
    context: { arguments: {} },
  },
  'tasks/get': { taskId: 'none' },
  'tasks/result': { taskId: 'none' },
  'tasks/list': {},
  'tasks/update': { taskId: 'none', inputResponses: {} },
  'tasks/cancel': { taskId: 'none' },
};
const EXTRAS = ['cursor', '_meta', 'task', 'inputResponses', 'requestState', '__proto__'];

/**
 * Every param of every method as everything that it is not.
 * @param every how many of them there are for each that is sent
 */
export async function hostileParams(wire: AttachWire, every = 1): Promise<AttachFindings> {
  const wrong: string[] = [];
  let [sent, known] = [0, 0];
  const attack = async (method: string, params: unknown): Promise<void> => {
    known += 1;
    if (known % every !== 0) return;
    sent += 1;
    const answer = await Promise.race([wire.ask(method, params), after(3_000, undefined, { ref: false })]);
    const fault = faultOf(answer);
    if (fault !== undefined) wrong.push(`${method} ${show(params)}: ${fault}`);
  };
  for (const [method, right] of Object.entries(METHODS)) {
    for (const value of ODD_VALUES) {
      // What is not a message at all never comes to a handler
      if (isObject(value)) await attack(method, value);
      for (const name of [...Object.keys(right), ...EXTRAS])
        await attack(method, { ...right, [name]: value });
    }
  }
  for (const name of ['fail', 'nothing', 'none', 'steps', '__proto__', 'constructor', 'toString']) {
    await attack('tools/call', { name, arguments: {} });
    await attack('tools/call', { name, arguments: {}, _meta: { progressToken: 'p' } });
  }
  for (const uri of [
    'papers://broken',
    'papers://%',
    'papers://../x',
    'file:///etc/passwd',
    'papers://a/b',
  ]) {
    await attack('resources/read', { uri });
  }
  await expectServed(wire, wrong);
  return { sent, wrong };
}

/** Calls that are cancelled while they run, some of them by ids that nobody used, or twice. */
export async function cancelledCalls(wire: AttachWire, count: number): Promise<AttachFindings> {
  const wrong: string[] = [];
  const before = { ...told };
  for (let id = 10_000; id < 10_000 + count; id += 1) {
    void wire.ask('tools/call', { name: 'wait', arguments: {} }, id).catch(() => undefined);
  }
  while (told.started < before.started + count) await after(1);
  for (let id = 10_000; id < 10_000 + count; id += 1) {
    await wire.tell('notifications/cancelled', { requestId: id, reason: 'attack' });
    await wire.tell('notifications/cancelled', { requestId: id });
    await wire.tell('notifications/cancelled', { requestId: -id });
  }
  for (const requestId of ODD_VALUES) await wire.tell('notifications/cancelled', { requestId });
  while (told.finished < before.finished + count) await after(1);
  await expectServed(wire, wrong);
  return { sent: count, wrong };
}

/** Two calls with one id at the same time, again and again. */
export async function sharedIds(wire: AttachWire, count: number): Promise<AttachFindings> {
  const wrong: string[] = [];
  for (let pair = 0; pair < count; pair += 1) {
    const id = 50_000 + (pair % 3);
    const first = wire.ask('tools/call', { name: 'wait', arguments: {} }, id);
    const second = wire.ask('tools/call', { name: 'add', arguments: { a: 1, b: 2 } }, id);
    const answer = await Promise.race([first, second, after(3_000, undefined, { ref: false })]);
    const fault = faultOf(answer);
    if (fault !== undefined) wrong.push(`the id ${String(id)} twice: ${fault}`);
  }
  // The slow ones come to their end
  await after(200);
  await expectServed(wire, wrong);
  return { sent: 2 * count, wrong };
}

/** What runs when its application is detached has its answer, and what comes later gets an error. */
export async function detachedMeanwhile(wire: AttachWire, count: number): Promise<AttachFindings> {
  const wrong: string[] = [];
  const before = told.started;
  const running = Array.from({ length: count }, () =>
    wire.ask('tools/call', { name: 'wait', arguments: {} }),
  );
  while (told.started < before + count) await after(1);
  wire.detach();
  wire.detach();
  for (const answer of await Promise.all(running)) {
    if (!JSON.stringify(answer).includes('waited')) wrong.push(`a call that ran: ${show(answer)}`);
  }
  return { sent: count, wrong };
}

function isObject(value: unknown): boolean {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

async function expectServed(wire: AttachWire, wrong: string[]): Promise<void> {
  const answer = await wire.ask('tools/call', { name: 'add', arguments: { a: 20, b: 22 } });
  if (!JSON.stringify(answer).includes('"text":"42"')) wrong.push(`afterwards: ${show(answer)}`);
}

/** What no answer may be, whatever was asked. */
function faultOf(answer: Json | undefined): string | undefined {
  if (answer === undefined) return 'no answer';
  const text = JSON.stringify(answer);
  if (text.includes('SECRET')) return `a secret: ${show(answer)}`;
  if (/\bat .*\.[cm]?[jt]s:\d+/.test(text)) return `a stack: ${show(answer)}`;
  if (({} as { isAdmin?: unknown }).isAdmin !== undefined) return 'the prototype of objects is changed';
  const { error } = answer as { readonly error?: { readonly code?: unknown; readonly message?: unknown } };
  if (error !== undefined && (typeof error.code !== 'number' || typeof error.message !== 'string')) {
    return `no error of the protocol: ${show(answer)}`;
  }
  if (error?.code === -32603 && !text.includes('Reference:')) return `a fault of the server: ${show(answer)}`;
  return text.length > 100_000 ? `an answer of ${String(text.length)} characters` : undefined;
}

function show(value: unknown): string {
  const text = JSON.stringify(value, (_, part: unknown) => (part === DEEP ? 'deep' : part)) as
    | string
    | undefined;
  return text?.slice(0, 160) ?? 'nothing';
}
