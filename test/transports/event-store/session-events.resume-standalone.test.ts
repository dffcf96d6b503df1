import { describe, expect, test } from '@jest/globals';
import { EventReader, type ReadEvent } from '../../support/event-reader.ts';
import { initialize, send } from '../../support/raw-http.ts';
import { serve } from '../../support/http-server.ts';
import { contents, idOf, resumingSession, tickingTool } from '../resuming-session.ts';

describe('the standalone stream', () => {
  const changed = (events: readonly (ReadEvent | undefined)[]): readonly unknown[] =>
    events.map((event) => event?.message?.['method']);

  test('goes on where it was', async () => {
    const serving = await serve();
    const session = await resumingSession(serving.url);
    const first = new EventReader(await session.get());
    const primed = await first.next();
    serving.notify({ kind: 'tools' });
    const one = await first.next();
    await first.leave();
    serving.notify({ kind: 'tools' });
    serving.notify({ kind: 'tools' });
    const second = await session.resume(idOf(one));
    const name = 'notifications/tools/list_changed';
    expect(changed([one, await second.next(), await second.next()])).toEqual([name, name, name]);
    await second.leave();
    const third = await session.resume(idOf(primed));
    expect(changed([await third.next(), await third.next(), await third.next()])).toEqual([name, name, name]);
    await third.leave();
  });

  test('is reopened by a client that names no event', async () => {
    const serving = await serve();
    const session = await resumingSession(serving.url);
    const first = new EventReader(await session.get());
    await first.next();
    await first.leave();
    await initialize(serving.url);
    serving.notify({ kind: 'tools' });
    const second = new EventReader(await session.get());
    expect(await second.next()).toMatchObject({ data: '' });
    await second.leave();
  });
});

describe('ending', () => {
  test('close() answers and ends what was resumed', async () => {
    const { tick, started } = tickingTool();
    const serving = await serve({}, { tick });
    const session = await resumingSession(serving.url);
    const first = await session.call('tick');
    await started;
    const primed = idOf(await first.next());
    const second = await session.resume(primed);
    // Its place once more, so that a client keeps it where this stream breaks, too
    expect(await second.next()).toMatchObject({ id: primed, message: undefined });
    await serving.close();
    expect(await second.next()).toMatchObject({ message: { error: { code: -32001 } } });
    expect(await second.next()).toBeUndefined();
  });

  test('a deleted session gives nothing back', async () => {
    const { url } = await serve();
    const session = await resumingSession(url);
    const [primed] = await (await session.call('echo')).rest();
    expect((await send(url, { method: 'DELETE', headers: session.headers })).status).toBe(200);
    expect((await session.get(idOf(primed))).status).toBe(404);
  });

  test('stop() lets a client come back for what it waits for', async () => {
    const { tick, started, turns, end } = tickingTool();
    const serving = await serve({}, { tick });
    const session = await resumingSession(serving.url);
    const first = await session.call('tick');
    await started;
    const primed = idOf(await first.next());
    await first.leave();
    const stopped = serving.stop();
    const second = await session.resume(primed);
    await turns(1);
    end();
    expect(contents(await second.rest())).toEqual([1, 'answer']);
    await stopped;
    expect((await session.get()).status).toBe(503);
  });
});
