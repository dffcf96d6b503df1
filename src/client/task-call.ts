import { isPlainObject, membersOf, type PlainObject } from '../shared/json.ts';
import { pause } from '../shared/platform.ts';
import type { RequestOptions } from './client-connection.ts';
import type { EraRequestOptions } from './client-era.ts';
import type { McpClient } from './mcp-client.ts';

interface TaskCall {
  readonly name: string;
  readonly args: PlainObject;
  readonly options: RequestOptions;
  /** Milliseconds for which the server keeps the task. Default: an hour. Servers of 2026-07-28 decide it themselves. */
  readonly ttl?: number;
  /** The `_meta` of the call. */
  readonly meta?: PlainObject;
  /** Answers what the task asks. */
  readonly ask: (method: string, params: PlainObject) => Promise<PlainObject>;
  /** Called with the status of the task, whenever it was asked for. */
  readonly show: (status: string, message?: string) => void;
}

const FINAL: ReadonlySet<unknown> = new Set(['completed', 'failed', 'cancelled']);
/** Milliseconds. */
const TTL = 3_600_000;
const POLL = 500;
const MAX_POLL = 60_000;
/** Declared with each request, because a server may make a task of any call whose client knows tasks. */
const EXTENSION = 'io.modelcontextprotocol/tasks';

/** Calls a tool as a task, and asks for its status until it has ended (basic/utilities/tasks; 2026-07-28: the extension). */
export async function callAsTask(
  client: Pick<McpClient, 'era' | 'request'>,
  { name, args, options, ttl = TTL, meta, ask, show }: TaskCall,
): Promise<PlainObject> {
  const is2025 = client.era === '2025';
  const given = { name, arguments: args, ...(meta === undefined ? {} : { _meta: meta }) };
  const params = is2025 ? { ...given, task: { ttl } } : given;
  const asked = { ...options, ...(is2025 ? {} : { extensions: { [EXTENSION]: {} } }) };
  const created = await client.request('tools/call', params, asked);
  const { taskId } = (created['task'] ?? created) as PlainObject;
  if (typeof taskId !== 'string') return created;
  const { signal: _, ...unbound } = asked;
  const cancel = (): void => {
    show('cancelled');
    // Also a server that knows the task no longer has ended it
    client.request('tasks/cancel', { taskId }, unbound).catch(() => undefined);
  };
  options.signal?.addEventListener('abort', cancel);
  try {
    const task = await ended(client, created, { options: asked, ask, show });
    return is2025 ? await resultOf2025(client, taskId, { options, show }) : resultOf2026(task);
  } finally {
    options.signal?.removeEventListener('abort', cancel);
  }
}

function resultOf2026({ status, result, error }: PlainObject): PlainObject {
  if (isPlainObject(result)) return result;
  throw new Error(`The task is ${String(status)}: ${JSON.stringify(error ?? 'it has no result')}`);
}

/** The questions of the task are asked while its result is waited for, so its last status comes after it. */
async function resultOf2025(
  client: Pick<McpClient, 'era' | 'request'>,
  taskId: string,
  { options, show }: Pick<TaskCall, 'options' | 'show'>,
): Promise<PlainObject> {
  const last = async (): Promise<void> => {
    showStatus(show, await client.request('tasks/get', { taskId }, options));
  };
  try {
    const result = await client.request('tasks/result', { taskId }, options);
    await last();
    return result;
  } catch (error) {
    if (options.signal?.aborted !== true) await last();
    throw error;
  }
}

/** Asks for the status of a task until it has ended, and answers what it asks. */
async function ended(
  client: Pick<McpClient, 'era' | 'request'>,
  created: PlainObject,
  { options, ask, show }: { readonly options: EraRequestOptions } & Pick<TaskCall, 'ask' | 'show'>,
): Promise<PlainObject> {
  const answered = new Set<string>();
  let task = (created['task'] ?? created) as PlainObject;
  const { taskId } = task;
  while (!FINAL.has(task['status'])) {
    showStatus(show, task);
    await pollAgain(task, options.signal);
    task = await client.request('tasks/get', { taskId }, options);
    // 2025-11-25 asks its questions while the result is waited for
    if (client.era === '2025' && task['status'] === 'input_required') break;
    if (client.era === '2026') await answer(client, task, { answered, ask, options });
  }
  showStatus(show, task);
  return task;
}

function showStatus(show: TaskCall['show'], { status, statusMessage }: PlainObject): void {
  if (typeof statusMessage === 'string') show(String(status), statusMessage);
  else show(String(status));
}

async function answer(
  client: Pick<McpClient, 'era' | 'request'>,
  task: PlainObject,
  {
    answered,
    ask,
    options,
  }: Pick<TaskCall, 'ask'> & {
    readonly answered: Set<string>;
    readonly options: EraRequestOptions;
  },
): Promise<void> {
  const open = Object.entries((task['inputRequests'] ?? {}) as PlainObject).filter(
    ([key]) => !answered.has(key),
  );
  if (open.length === 0) return;
  const answers = await Promise.all(
    open.map(async ([key, request]) => {
      const { method, params } = membersOf(request);
      answered.add(key);
      return [key, await ask(String(method), membersOf(params))] as const;
    }),
  );
  const inputResponses = Object.fromEntries(answers);
  await client.request('tasks/update', { taskId: task['taskId'], inputResponses }, options);
}

/** Waits as long as the server wants, within bounds: any server may have written the number. */
async function pollAgain(task: PlainObject, signal: AbortSignal | undefined): Promise<void> {
  const wanted = Number(task['pollIntervalMs'] ?? task['pollInterval'] ?? POLL);
  const milliseconds = wanted >= 0 ? Math.min(wanted, MAX_POLL) : POLL;
  await pause(milliseconds, signal ?? new AbortController().signal);
  signal?.throwIfAborted();
}
