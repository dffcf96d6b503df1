import type { RequestOptions } from '../../../client/client-connection.ts';
import type { EraRequestOptions } from '../../../client/client-era.ts';
import type { McpClient } from '../../../client/mcp-client.ts';
import type { JsonObject } from '../../contract.ts';
import { ask } from './questions.ts';

interface TaskCall {
  readonly name: string;
  readonly args: JsonObject;
  readonly options: RequestOptions;
  /** Shows the status of the task. */
  readonly show: (status: string) => void;
}

const FINAL: ReadonlySet<unknown> = new Set(['completed', 'failed', 'cancelled']);
/** Milliseconds. */
const TTL = 3_600_000;
/** Declared with each request, because a server may make a task of any call whose client knows tasks. */
const EXTENSION = 'io.modelcontextprotocol/tasks';

/** Calls a tool as a task, and asks for its status until it has ended (basic/utilities/tasks; 2026-07-28: the extension). */
export async function callAsTask(
  client: Pick<McpClient, 'era' | 'request'>,
  { name, args, options, show }: TaskCall,
): Promise<JsonObject> {
  const is2025 = client.era === '2025';
  const params = { name, arguments: args, ...(is2025 ? { task: { ttl: TTL } } : {}) };
  const asked = { ...options, ...(is2025 ? {} : { extensions: { [EXTENSION]: {} } }) };
  const created = await client.request('tools/call', params, asked);
  const { taskId } = (created['task'] ?? created) as JsonObject;
  if (typeof taskId !== 'string') return created;
  const { signal: _, ...unbound } = asked;
  const cancel = (): void => {
    show('cancelled');
    // Also a server that knows the task no longer has ended it
    client.request('tasks/cancel', { taskId }, unbound).catch(() => undefined);
  };
  options.signal?.addEventListener('abort', cancel);
  const task = await ended(client, created, { options: asked, show });
  if (is2025) return resultOf2025(client, taskId, { options, show });
  const { result, error } = task;
  if (result !== undefined) return result as JsonObject;
  throw new Error(`The task is ${statusOf(task)}: ${JSON.stringify(error ?? 'it has no result')}`);
}

/** The questions of the task are asked while its result is waited for, so its last status comes after it. */
async function resultOf2025(
  client: Pick<McpClient, 'era' | 'request'>,
  taskId: string,
  { options, show }: Pick<TaskCall, 'options' | 'show'>,
): Promise<JsonObject> {
  const last = async (): Promise<void> => {
    show(statusOf(await client.request('tasks/get', { taskId }, options)));
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
  created: JsonObject,
  { options, show }: { readonly options: EraRequestOptions } & Pick<TaskCall, 'show'>,
): Promise<JsonObject> {
  const answered = new Set<string>();
  let task = (created['task'] ?? created) as JsonObject;
  const { taskId } = task;
  while (!FINAL.has(task['status'])) {
    show(statusOf(task));
    await pause(Number(task['pollIntervalMs'] ?? task['pollInterval'] ?? 500), options.signal);
    task = await client.request('tasks/get', { taskId }, options);
    // 2025-11-25 asks its questions while the result is waited for
    if (client.era === '2025' && task['status'] === 'input_required') break;
    if (client.era === '2026') await answer(client, task, answered, options);
  }
  show(statusOf(task));
  return task;
}

function statusOf({ status, statusMessage }: JsonObject): string {
  return `${String(status)}${typeof statusMessage === 'string' ? `: ${statusMessage}` : ''}`;
}

async function answer(
  client: Pick<McpClient, 'era' | 'request'>,
  task: JsonObject,
  answered: Set<string>,
  options: EraRequestOptions,
): Promise<void> {
  const open = Object.entries((task['inputRequests'] ?? {}) as JsonObject).filter(
    ([key]) => !answered.has(key),
  );
  if (open.length === 0) return;
  const answers = await Promise.all(
    open.map(async ([key, request]) => {
      const { method, params } = request as { readonly method: string; readonly params: JsonObject };
      answered.add(key);
      return [key, await ask(method, params)] as const;
    }),
  );
  const inputResponses = Object.fromEntries(answers);
  await client.request('tasks/update', { taskId: task['taskId'], inputResponses }, options);
}

function pause(milliseconds: number, signal: AbortSignal | undefined): Promise<void> {
  return new Promise((resolve, reject) => {
    const end = (): void => reject(signal?.reason as Error);
    if (signal?.aborted === true) end();
    signal?.addEventListener('abort', end, { once: true });
    setTimeout(resolve, milliseconds);
  });
}
