import { headOf, type AnswerHead } from '../support/oracle/http-differences.ts';
import { send, type RawRequest } from '../support/raw-http.ts';

/** What a client sees of an answer, whether it came as JSON or as events. */
export interface Observed {
  readonly status: number;
  readonly head: AnswerHead;
  /** As they were written, but for what differs in each answer. */
  readonly messages: readonly string[];
  readonly allow: unknown;
  readonly allowedOrigin: unknown;
}

export async function observe(url: string, request: RawRequest): Promise<Observed> {
  const { status, headers, body } = await send(url, request);
  return {
    status,
    head: headOf(status, { get: (name) => (headers[name] === undefined ? null : String(headers[name])) }),
    messages: messagesOf(String(headers['content-type'] ?? ''), body).map(steady),
    allow: headers['allow'],
    allowedOrigin: headers['access-control-allow-origin'],
  };
}

/** The messages in a body, whether it is JSON or events. */
export function messagesOf(type: string, body: string): readonly string[] {
  if (!type.startsWith('text/event-stream')) return body === '' ? [] : [body];
  const lines = body.split('\n').filter((line) => line.startsWith('data: '));
  return lines.map((line) => line.slice('data: '.length)).filter((data) => data !== '');
}

/** A sealed state is another one each time. */
function steady(text: string): string {
  return text.replaceAll(/"requestState":"[^"]*"/g, '"requestState":"…"');
}
