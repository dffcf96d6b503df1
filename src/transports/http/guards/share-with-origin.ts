import type { HeaderReader } from '../../../engine/revision.ts';
import { isPlainAnswer, type HttpAnswer, type PlainAnswer } from '../http-answer.ts';

// What a page may send and read beside what every page may (Fetch standard, 3.3 CORS protocol; MCP spec:
// basic/transports, Session Management and Protocol Version Header).
const SENT =
  'Accept, Authorization, Content-Type, Last-Event-ID, MCP-Protocol-Version, Mcp-Method, Mcp-Name, Mcp-Session-Id';
const ASKED_HEADER = /^(dpop|mcp-param-[!#$%&'*+.^_`|~0-9a-z-]+)$/i;
const READ = 'Mcp-Session-Id, WWW-Authenticate, Retry-After';

/** For answers to callers who are known: nobody else may get them (RFC 9111, 5.2.2.5). */
export const NO_STORE = 'no-store';

/** Keeps an answer out of caches. */
export function withoutStoring(answer: HttpAnswer): HttpAnswer {
  return addHeaders(answer, { 'cache-control': NO_STORE });
}

/** Lets the page of an allowed origin read the answer. */
export function shareWithOrigin(answer: HttpAnswer, origin: string): HttpAnswer {
  return addHeaders(answer, {
    'access-control-allow-origin': origin,
    'access-control-expose-headers': READ,
    vary: 'Origin',
  });
}

function addHeaders(answer: HttpAnswer, headers: PlainAnswer['headers']): HttpAnswer {
  if (!isPlainAnswer(answer)) {
    for (const [name, value] of Object.entries(headers)) answer.headers.set(name, value);
    return answer;
  }
  return {
    status: answer.status,
    headers: { ...answer.headers, ...headers },
    // Only one of both is made.
    get text() {
      return answer.text;
    },
    get bytes() {
      return answer.bytes;
    },
  };
}

/** Answers the preflight request of a browser. */
export function preflightAnswer(methods: readonly string[], requested: HeaderReader): PlainAnswer {
  return {
    status: 204,
    headers: {
      'access-control-allow-methods': methods.join(', '),
      'access-control-allow-headers': [SENT, ...askedHeaders(requested)].join(', '),
    },
    text: '',
  };
}

/**
 * What only the browser knows that it needs: what tools name (spec 2026-07-28: server/tools, x-mcp-header), and proofs
 * (RFC 9449).
 */
function askedHeaders(requested: HeaderReader): readonly string[] {
  const names = requested.get('access-control-request-headers')?.split(',') ?? [];
  return names.map((name) => name.trim()).filter((name) => ASKED_HEADER.test(name));
}
