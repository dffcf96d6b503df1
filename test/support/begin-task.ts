import type { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { CreateTaskResultSchema, type Task } from '@modelcontextprotocol/sdk/types.js';

/** Calls a tool as a task of 2025-11-25. */
export async function beginTask(
  client: Client,
  name: string,
  args: Readonly<Record<string, unknown>> = {},
  task: { readonly ttl?: number } = {},
): Promise<Task> {
  const params = { name, arguments: args, task };
  return (await client.request({ method: 'tools/call', params }, CreateTaskResultSchema)).task;
}
