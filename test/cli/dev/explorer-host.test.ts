import { expect, test } from '@jest/globals';
import { symlink } from 'node:fs/promises';
import { createInterface } from 'node:readline';
import { Readable } from 'node:stream';
import {
  TOKEN_HEADER,
  type EvalsView,
  type ExploredApplication,
  type ExplorerEvent,
} from '../../../src/explorer/contract.ts';
import { atOnce, connect, createProject, edit, FILES, serve } from '../../support/dev-session.ts';

/** The explorer that `dev` has printed. */
async function explorerOf({ server }: Awaited<ReturnType<typeof serve>>) {
  const { origin, hash } = new URL((await server.line('stderr', 'explorer: ')).replace('explorer: ', ''));
  const headers = { [TOKEN_HEADER]: hash.replace('#token=', '') };
  const get = (path: string): Promise<Response> => fetch(`${origin}/explorer/api/${path}`, { headers });
  return {
    evals: async () => (await (await get('evals')).json()) as EvalsView,
    application: async () => (await (await get('application')).json()) as ExploredApplication,
    events: async () => {
      const { body } = await get('events');
      const lines = createInterface(Readable.fromWeb(body as never))[Symbol.asyncIterator]();
      const next = async (type: ExplorerEvent['type']): Promise<ExplorerEvent> => {
        for (;;) {
          const { value, done } = (await lines.next()) as IteratorResult<string, undefined>;
          if (done === true) throw new Error(`The stream ended without ${type}`);
          const event = value === '' ? undefined : (JSON.parse(value) as ExplorerEvent);
          if (event?.type === type) return event;
        }
      };
      return { next };
    },
  };
}

test('dev prints the address of the explorer, which sees swaps, failures, and what other clients call', async () => {
  const served = await serve();
  const { project, url } = served;
  const explorer = await explorerOf(served);
  const { next } = await explorer.events();
  const { surfaceHash, lock, tools } = await explorer.application();
  expect([lock, tools[0]?.name]).toEqual(['missing', 'counter']);
  expect(await next('connected')).toMatchObject({ surfaceHash });

  // What cannot be read stands in nobody's way
  const line = { type: 'surface', surface: 'own', model: 'scripted', surfaceHash: 'a', tools: 1 };
  await project.write('evals/runs/report.jsonl', JSON.stringify(line));
  await project.write('evals/runs/folder.jsonl/file', '');
  await symlink('nowhere', project.path('evals/runs/gone.jsonl'));
  expect((await explorer.evals()).runs.map(({ file }) => file)).toEqual(['report.jsonl']);

  const { call } = await connect(url, '2025');
  await call('add');
  expect(await next('traffic')).toMatchObject({ era: '2025', isError: false });

  await edit(project, 'controller.ts', "description: 'Counts'", "description: 'Counts on'");
  expect(await next('swapped')).toMatchObject({ files: ['controller.ts'], changed: ['tools'] });
  const swapped = await explorer.application();
  expect(swapped.surfaceHash).not.toBe(surfaceHash);
  expect(swapped.tools[0]?.definition['description']).toContain('Counts on');

  // As a whole: half of it fails in another way
  await atOnce(served.server, () =>
    edit(project, 'controller.ts', "@Action('Add one')", '@Action({ nonsense: 1 } as never)'),
  );
  const failed = await next('failed');
  expect(failed).toMatchObject({ failure: { problems: [{ code: 'TW_SCAN_OPTION_UNKNOWN' }] } });
  expect(failed).toMatchObject({ failure: { problems: [{ where: 'Counter.add()' }] } });

  await edit(project, 'controller.ts', '@Action({ nonsense: 1 } as never)', "@Action('Add one')");
  await next('recovered');
});

test.each(['0.0.0.0', '::', '0', '::ffff:0.0.0.0'])(
  'dev --host %s is refused without the flag',
  async (host) => {
    const project = await createProject(FILES);
    const server = project.command('dev', 'server.ts', '--host', host, '--no-watch');
    await server.line('stderr', 'TW_EXPLORER_HOST');
    server.kill('SIGTERM');
    await server.ended;
  },
);

test('--no-explorer serves none, and neither does run', async () => {
  for (const command of ['dev', 'run']) {
    const project = await createProject({
      ...FILES,
      'server.ts': FILES['server.ts'].replace('listen(0)', 'listen({ port: 0, explorer: true })'),
    });
    const server = project.command(command, 'server.ts', ...(command === 'dev' ? ['--no-explorer'] : []));
    const address = /http:\S+/.exec(await server.line('stdout', 'http://'))?.[0] ?? '';
    expect((await fetch(new URL('/explorer', address))).status).toBe(404);
    server.kill('SIGTERM');
    await server.ended;
    expect(server.stderr.join('\n')).not.toContain('explorer: ');
  }
});
