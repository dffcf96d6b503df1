import type { RequestContext } from '../../src/call/request-context.ts';
import { EventReader, type ReadEvent } from '../support/event-reader.ts';
import { latch, type FakeTool } from '../support/fake-application.ts';
import { initialize, JSON_HEADERS, message } from '../support/raw-http.ts';

const VERSION = { 'mcp-protocol-version': '2025-11-25' };

/** A client by hand that reads streams event by event, and comes back to them. */
export async function resumingSession(url: string, headers: Readonly<Record<string, string>> = {}) {
  const session = { ...VERSION, ...headers, 'mcp-session-id': await initialize(url, headers) };
  const sent = { ...JSON_HEADERS, ...session };
  const call = async (name: string, id: string | number = 1): Promise<EventReader> =>
    new EventReader(
      await fetch(url, { method: 'POST', headers: sent, body: message('tools/call', { name }, id) }),
    );
  const get = (lastEventId?: string): Promise<Response> =>
    fetch(url, {
      headers: { ...sent, ...(lastEventId === undefined ? {} : { 'last-event-id': lastEventId }) },
    });
  return {
    headers: session,
    call,
    get,
    resume: async (lastEventId: string) => new EventReader(await get(lastEventId)),
    cancel: (requestId: string | number) =>
      fetch(url, {
        method: 'POST',
        headers: sent,
        body: JSON.stringify({ jsonrpc: '2.0', method: 'notifications/cancelled', params: { requestId } }),
      }),
  };
}

/** A tool that logs before it answers, so that its answer comes on a stream. */
export const say: FakeTool = async (_args, { log }) => {
  await log('info', 0, undefined);
  return 'said';
};

/** A tool that logs one number for every turn, and ends when told. */
export function tickingTool() {
  let exchange: RequestContext | undefined;
  const started = latch();
  const end = latch();
  let count = 0;
  const tick: FakeTool = async (_args, given) => {
    exchange = given;
    started.open();
    await end.promise;
    return 'done';
  };
  return {
    tick,
    started: started.promise,
    /** Sends the next numbers. */
    turns: async (number: number) => {
      for (let n = 0; n < number; n += 1) await exchange?.log('info', (count += 1), undefined);
    },
    release: () => exchange?.releaseStream?.(),
    end: () => {
      end.open();
    },
  };
}

export const idOf = (event: ReadEvent | undefined): string => event?.id ?? 'no id';

/** The numbers that the events carry, and `answer` for an answer. */
export const contents = (events: readonly (ReadEvent | undefined)[]): readonly unknown[] =>
  events
    .map((event) => event?.message)
    .filter((each) => each !== undefined)
    .map((each) => ('method' in each ? (each['params'] as { data?: unknown }).data : 'answer'));
