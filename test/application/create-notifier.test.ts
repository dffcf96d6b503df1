import { expect, test } from '@jest/globals';
import { createNotifier } from '../../src/application/create-notifier.ts';
import { Notifier, type ChangeNotice } from '../../src/call/notifier.ts';

test('every listener hears every change until it ends', () => {
  const { notifier, onChange } = createNotifier();
  const [first, second]: ChangeNotice[][] = [[], []];
  const end = onChange((change) => first?.push(change));
  onChange((change) => second?.push(change));
  notifier.toolsChanged();
  notifier.promptsChanged();
  end();
  end();
  notifier.resourcesChanged();
  notifier.resourceUpdated('memo:one');
  expect(first).toEqual([{ kind: 'tools' }, { kind: 'prompts' }]);
  expect(second).toEqual([
    { kind: 'tools' },
    { kind: 'prompts' },
    { kind: 'resources' },
    { kind: 'resource', uri: 'memo:one' },
  ]);
  expect(notifier).toBeInstanceOf(Notifier);
});

test('a notifier that nobody listens to is silent', () => {
  const { notifier } = createNotifier();
  expect(() => notifier.toolsChanged()).not.toThrow();
});
