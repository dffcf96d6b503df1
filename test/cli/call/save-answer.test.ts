import { afterEach, beforeEach, expect, test } from '@jest/globals';
import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { blobsIn, resourceBlobs, toolResultText } from '../../../src/cli/call/answer-text.ts';
import { saveAnswer } from '../../../src/cli/call/save-answer.ts';

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'answer-'));
});
afterEach(() => {
  rmSync(folder, { recursive: true });
});

const base64 = (text: string): string => Buffer.from(text).toString('base64');
const CONTENT = [
  { type: 'text' as const, text: 'two charts' },
  { type: 'image' as const, mimeType: 'image/png', data: base64('first') },
  { type: 'audio' as const, mimeType: 'audio/wav', data: base64('second') },
  {
    type: 'resource' as const,
    resource: { uri: 'a://b', mimeType: 'application/pdf', blob: base64('third') },
  },
];

test('the bytes of an answer are written, and further ones get a number', () => {
  const saved = saveAnswer(join(folder, 'chart.png'), blobsIn(CONTENT), 'two charts');
  expect(saved.map(({ mimeType, bytes }) => [mimeType, bytes])).toEqual([
    ['image/png', 5],
    ['audio/wav', 6],
    ['application/pdf', 5],
  ]);
  expect(readdirSync(folder).toSorted()).toEqual(['chart-2.png', 'chart-3.png', 'chart.png']);
  expect(readFileSync(join(folder, 'chart-2.png'), 'utf8')).toBe('second');
});

test('an answer without bytes is written as text', () => {
  saveAnswer(join(folder, 'today'), resourceBlobs([{ uri: 'tasks://today', text: 'Milk' }]), 'Milk');
  expect(readFileSync(join(folder, 'today'), 'utf8')).toBe('Milk\n');
});

test('a file that cannot be written is a wrong option, and what is shown says how to save bytes', () => {
  expect(() => saveAnswer(join(folder, 'missing/file'), [], 'text')).toThrow(
    /^TW_CLI_OPTION: --out cannot be/,
  );
  expect(toolResultText({ content: CONTENT })).toContain('[image image/png, 5 bytes; --out <file> saves it]');
});
