import { expect, test } from '@jest/globals';
import fc from 'fast-check';
import { titleFromName } from '../../src/shared/names.ts';

test.each([
  ['add_line', 'Add line'],
  ['HTTPServer_logs', 'HTTP server logs'],
  ['crm.customers.find', 'Crm customers find'],
  ['listOpenTasks', 'List open tasks'],
  ['toPDF', 'To PDF'],
  ['v2-beta', 'V2 beta'],
  ['a', 'A'],
  ['überprüfeÄnderung', 'Überprüfe änderung'],
  ['任务.创建', '任务 创建'],
  ['--', '--'],
  ['', ''],
])('%j is %j in words', (name, title) => {
  expect(titleFromName(name)).toBe(title);
});

test('a title has the letters and digits of the name, and is never empty', () => {
  const plain = (text: string): string => text.toLowerCase().replace(/[^\p{L}\p{N}]/gu, '');
  fc.assert(
    fc.property(fc.string({ minLength: 1, unit: 'grapheme-ascii' }), (name) => {
      const title = titleFromName(name);
      expect(plain(title)).toBe(plain(name));
      expect(title).not.toBe('');
    }),
  );
});
