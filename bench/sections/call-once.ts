import type { HttpCall } from '../load/http-call.ts';
import { readResult } from '../load/read-result.ts';
import { ServerProcess, type ServerProgram } from '../processes/server-process.ts';

/** The result of one call. @throws Error for an answer without one */
export async function callOnce(
  url: URL,
  { message, headers }: HttpCall,
): Promise<Readonly<Record<string, unknown>>> {
  const body = JSON.stringify({ jsonrpc: '2.0', id: 999_999, ...message });
  const response = await fetch(url, { method: 'POST', headers, body });
  return readResult(await response.text());
}

/** What a server answers, so that the bare one can write as many bytes. */
export async function resultOf(program: ServerProgram, call: HttpCall): Promise<object> {
  const server = await ServerProcess.start(program);
  try {
    return await callOnce(server.url, call);
  } finally {
    await server.stop();
  }
}
