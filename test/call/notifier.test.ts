import { expect, test } from '@jest/globals';
import { ListenedNotifier, Notifier, type ChangeNotice } from '../../src/call/notifier.ts';

test('the notifier of an application hands on every change', () => {
  const heard: ChangeNotice[] = [];
  const notifier: Notifier = new ListenedNotifier((change) => heard.push(change));
  notifier.toolsChanged();
  notifier.promptsChanged();
  notifier.resourcesChanged();
  notifier.resourceUpdated('memo:one');
  expect(heard).toEqual([
    { kind: 'tools' },
    { kind: 'prompts' },
    { kind: 'resources' },
    { kind: 'resource', uri: 'memo:one' },
  ]);
  expect(notifier).toBeInstanceOf(Notifier);
});
