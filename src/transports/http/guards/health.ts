import { optionError } from '../../../errors/option-errors.ts';
import type { ToolwrightError } from '../../../errors/toolwright-error.ts';
import type { Readiness } from '../../../engine/served-application.ts';
import type { PlainAnswer } from '../http-answer.ts';
import { withoutSlash, type RequestHead } from './check-head.ts';

const LIVE = '/livez';
const READY = '/readyz';
const HEADERS: PlainAnswer['headers'] = Object.freeze({
  'content-type': 'text/plain; charset=utf-8',
  'cache-control': 'no-store',
});
const METHODS = 'GET, HEAD';
const ALIVE = Object.freeze({ isReady: true, text: 'ok\n' });

/**
 * Answers health checks, which come under any host name and without a token: whether the process works, and whether it
 * wants requests. Undefined for a request to another path.
 */
export function healthAnswer(
  { path, method }: Pick<RequestHead, 'path' | 'method'>,
  readiness: Readiness | undefined,
): PlainAnswer | undefined {
  if (readiness === undefined || (path !== LIVE && path !== READY)) return undefined;
  if (method !== 'GET' && method !== 'HEAD') {
    return { status: 405, headers: { ...HEADERS, allow: METHODS }, text: '' };
  }
  readiness.noticed();
  const { isReady, text } = path === LIVE ? ALIVE : readiness.state();
  return { status: isReady ? 200 : 503, headers: HEADERS, text };
}

/** @throws ToolwrightError TW_SERVER_OPTION for an endpoint at the path of a health check */
export function checkHealthPaths(endpoint: string, readiness: Readiness | undefined): void {
  if (readiness === undefined || ![LIVE, READY].includes(withoutSlash(endpoint))) return;
  throw pathTaken(endpoint);
}

function pathTaken(given: string): ToolwrightError {
  return optionError('TW_SERVER_OPTION', 'listen()', [
    {
      path: 'path',
      kind: 'value',
      given,
      allowed:
        'another path than that of a health check, operations: { health: false } or an operations.port in create()',
      nearest: undefined,
    },
  ]);
}
