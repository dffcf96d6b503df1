import { readBody } from '../shared/read-body.ts';

/** Fetches as the global `fetch` does; a proxy or a test may take its place. */
export type Fetch = (url: string, init: RequestInit) => Promise<Response>;

/** What is asked of a provider, and how much of an answer is read. */
export interface JsonRequest {
  readonly fetch: Fetch | undefined;
  /** Milliseconds for all of it. */
  readonly timeout: number;
  /** Bytes of the answer, decoded. */
  readonly limit: number;
  readonly init?: Omit<RequestInit, 'headers'> & { readonly headers?: Readonly<Record<string, string>> };
}

const decoder = new TextDecoder('utf-8', { fatal: true });

/**
 * The JSON that a provider answers with status 200. Redirects are not followed: they lead where nobody has said that
 * the provider is.
 * @throws Error for every other answer, with nothing of it in its message
 */
export async function fetchJson(url: string, request: JsonRequest): Promise<unknown> {
  const { timeout, limit, init = {} } = request;
  const ask = request.fetch ?? fetch;
  const signal = AbortSignal.timeout(timeout);
  const headers = { accept: 'application/json', ...init.headers };
  const response = await ask(url, { ...init, headers, redirect: 'manual', signal });
  if (response.status !== 200) {
    await response.body?.cancel();
    throw new Error(`the provider answered with status ${String(response.status)}`);
  }
  const bytes = await readBody(response.body, limit);
  if (bytes === undefined) throw new Error(`the provider answered with more than ${String(limit)} bytes`);
  try {
    return JSON.parse(decoder.decode(bytes)) as unknown;
  } catch {
    // Its message would repeat a part of the answer
    throw new Error('the provider answered with something other than JSON');
  }
}
