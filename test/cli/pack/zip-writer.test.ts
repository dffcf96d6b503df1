import { afterEach, beforeEach, expect, test } from '@jest/globals';
import { createHash } from 'node:crypto';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { strFromU8, unzipSync } from 'fflate';
import { ZipWriter } from '../../../src/cli/pack/zip-writer.ts';

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'zip-'));
});
afterEach(() => {
  rmSync(folder, { recursive: true });
});

const FILES = {
  'manifest.json': '{}',
  'größe/😀.txt': 'a'.repeat(100_000),
  'empty.txt': '',
  'random.bin': createHash('sha512').update('seed').digest('base64url'),
};

function writeZip(path: string) {
  const zip = new ZipWriter(path);
  for (const [name, text] of Object.entries(FILES)) zip.add(name, Buffer.from(text));
  return zip.end();
}

test('what is written is read by another program, and the same files give the same bytes', () => {
  const [first, second] = [join(folder, 'first.zip'), join(folder, 'second.zip')];
  const written = writeZip(first);
  const content = readFileSync(first);
  expect(written).toEqual({
    bytes: content.length,
    sha256: createHash('sha256').update(content).digest('hex'),
  });
  const found = Object.entries(unzipSync(content)).map(([name, bytes]) => [name, strFromU8(bytes)]);
  expect(found).toEqual(Object.entries(FILES));
  // What compresses is compressed
  expect(content.length).toBeLessThan(1500);
  expect(writeZip(second)).toEqual(written);
});

test('what is closed takes no more, and closes once', () => {
  const zip = new ZipWriter(join(folder, 'part.zip'));
  zip.add('a', Buffer.from('a'));
  zip.close();
  zip.close();
  expect(() => {
    zip.add('b', Buffer.from('b'));
  }).toThrow('The file is closed');
});
