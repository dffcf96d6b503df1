import { expect, test } from '@jest/globals';
import type { ApplicationSettings } from '../../src/application/application-settings.ts';
import { Replicas } from '../../src/application/replicas.ts';
import { Opened } from '../../src/application/start-stages.ts';
import { MemoryLogger } from '../support/memory-logger.ts';

test('an instance leaves the others before the backplane is closed', async () => {
  const lines: string[] = [];
  const bus = {
    publish: async () => undefined,
    subscribe: async () => () => void lines.push('left'),
    onGap: () => () => undefined,
  };
  const opened = new Opened();
  opened.add(() => void lines.push('closed'));
  const settings = { name: 'desk', secrets: undefined, logger: new MemoryLogger() };
  const replicas = await Replicas.join({ bus }, settings as unknown as ApplicationSettings, opened);
  await replicas.close();
  await replicas.close();
  // It listens to what all get, and to what it gets alone
  expect(lines).toEqual(['left', 'left', 'closed']);
});
