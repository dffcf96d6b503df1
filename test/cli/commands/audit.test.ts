import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { CommandFolder } from '../../support/command-line.ts';
import { chainOf, checkpointOf, linesOf, SIGNING } from '../../support/audit-chain.ts';

let folder: CommandFolder;
const records = chainOf('only', 6);
const CHECKPOINT = JSON.stringify(checkpointOf(records[4] as never));
const lines = (given: readonly string[]): string => `${given.join('\n')}\n`;

beforeAll(() => {
  folder = new CommandFolder({
    'audit.jsonl': lines(linesOf(records)),
    'changed.jsonl': lines(linesOf(records.with(2, { ...records[2], tool: 'other' } as never))),
    'cut.jsonl': lines(linesOf(records.slice(0, 3))),
    'pruned.jsonl': lines(linesOf(records.slice(4))),
    'anchor.jsonl': lines([CHECKPOINT]),
    'half.jsonl': lines([CHECKPOINT, CHECKPOINT.slice(0, 100)]),
    'audit.pub.pem': SIGNING.publicKey,
  });
});
afterAll(() => folder.remove());

const SIGNED = ['--checkpoints', 'anchor.jsonl', '--public-key', 'audit.pub.pem'];

describe('toolwright audit verify', () => {
  test('says that nothing is wrong, and what it cannot know', async () => {
    const end = await folder.run(['audit', 'verify', 'audit.jsonl']);
    expect(end).toMatchObject({
      exitCode: 0,
      stdout: expect.stringContaining('6 records, and nothing is wrong'),
    });
    expect(end.stderr).toContain('--checkpoints');
    const signed = await folder.run(['audit', 'verify', 'audit.jsonl', ...SIGNED]);
    expect(signed).toMatchObject({ exitCode: 0, stderr: '' });
    expect(signed.stdout).toContain('records 1 to 6, signed up to 5');
  });

  test('names the first record that was changed, and ends with 1', async () => {
    const end = await folder.run(['audit', 'verify', 'changed.jsonl']);
    expect(end).toMatchObject({
      exitCode: 1,
      stdout: expect.stringContaining('changed: Record 3 of the chain only'),
    });
    const json = await folder.run(['audit', 'verify', 'changed.jsonl', '--json']);
    expect(json.exitCode).toBe(1);
    expect(JSON.parse(json.stdout)).toMatchObject({
      isSound: false,
      fault: { kind: 'changed', position: 3, seq: 3 },
    });
  });

  test('finds by a checkpoint what was cut off', async () => {
    expect(await folder.run(['audit', 'verify', 'cut.jsonl'])).toMatchObject({ exitCode: 0 });
    const end = await folder.run(['audit', 'verify', 'cut.jsonl', ...SIGNED]);
    expect(end).toMatchObject({ exitCode: 1, stdout: expect.stringContaining('cut: The records 4 to 5') });
  });

  test('finds by a date what was deleted and cannot have been pruned', async () => {
    const pruned = ['audit', 'verify', 'pruned.jsonl', ...SIGNED];
    const end = await folder.run(pruned);
    expect(end).toMatchObject({ exitCode: 0, stderr: expect.stringContaining('--pruned-before') });
    expect(await folder.run([...pruned, '--pruned-before', '2026-01-02'])).toMatchObject({
      ...{ exitCode: 0, stderr: '' },
    });
    expect(await folder.run([...pruned, '--pruned-before', '2025-12-31'])).toMatchObject({
      exitCode: 1,
      stdout: expect.stringContaining('removed: The records 1 to 4 of the chain only are missing'),
    });
  });

  test.each([
    [['audit', 'verify', 'missing.jsonl'], 'cannot read missing.jsonl'],
    [['audit', 'verify', 'audit.jsonl', '--checkpoints', 'anchor.jsonl'], '--public-key'],
    [['audit', 'forge', 'audit.jsonl'], 'verify'],
    [['audit', 'verify', '.'], 'it is a folder'],
    [['audit', 'verify', 'audit.jsonl', '--pruned-before', 'once'], '--pruned-before 2026-01-31'],
    [
      ['audit', 'verify', 'audit.jsonl', '--checkpoints', 'anchor.jsonl', '--public-key', 'audit.jsonl'],
      'not the PEM of an Ed25519 key',
    ],
    [
      ['audit', 'verify', 'audit.jsonl', '--checkpoints', 'half.jsonl', '--public-key', 'audit.pub.pem'],
      'line 2 of half.jsonl: it is not a checkpoint',
    ],
    [['audit', 'verify', 'postgres://nobody@127.0.0.1:1/none'], 'PostgreSQL cannot be reached'],
    [['audit', 'verify'], 'source'],
  ])('%j is refused', async (command, said) => {
    expect(await folder.run(command)).toMatchObject({ exitCode: 2, stderr: expect.stringContaining(said) });
  });
});
