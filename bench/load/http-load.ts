import { performance } from 'node:perf_hooks';
import type { HttpAnswer } from './answer-reader.ts';
import { requestOf, type HttpCall } from './http-call.ts';
import { HttpConnection } from './http-connection.ts';
import { keepAwake } from './keep-awake.ts';

/** How many clients call at the same time. */
const CONNECTIONS = 16;

export interface LoadOptions {
  /** Its first one is sent by the first client, and so on; one call is sent by all. */
  readonly calls: readonly HttpCall[];
  /** What the body of every answer has to contain. */
  readonly mark: string;
  /** Milliseconds. */
  readonly window: number;
  /** Ends before the time is over, after as many answers. */
  readonly enough?: number;
}

export interface LoadResult {
  /** Answers per second, until the last one. */
  readonly rate: number;
  readonly answers: number;
  /** The share of the time that the clients themselves were busy; near 1 they are what was measured. */
  readonly clientShare: number;
}

/** Calls from all clients for some time. @throws Error for the first answer that is not the right one. */
export async function loadOverHttp(url: URL, options: LoadOptions): Promise<LoadResult> {
  const { calls, mark, window, enough = Number.POSITIVE_INFINITY } = options;
  const awake = keepAwake();
  const connections: HttpConnection[] = [];
  let clientShare = 0;
  let answers = 0;
  let start = 0;
  const goesOn = (answer: HttpAnswer): boolean => {
    verify(answer, mark);
    answers += 1;
    return answers < enough && performance.now() - start < window;
  };
  try {
    for (let index = 0; index < CONNECTIONS; index += 1) {
      const request = requestOf(calls[index % calls.length] as HttpCall, url);
      connections.push(await HttpConnection.open(url, request, awake.worked));
    }
    start = performance.now();
    await Promise.all(connections.map((connection) => connection.callWhile(goesOn)));
  } finally {
    // Also where a server does not answer: nothing else would let the process end.
    clientShare = awake.end();
    for (const connection of connections) connection.close();
  }
  const seconds = (performance.now() - start) / 1000;
  return { rate: answers / seconds, answers, clientShare };
}

function verify({ status, body }: HttpAnswer, mark: string): void {
  if (status === 200 && body.includes(mark)) return;
  throw new Error(`It answers ${status}: ${body.toString('utf8', 0, 300)}`);
}

/** One client for every session. */
export const SESSIONS = CONNECTIONS;
