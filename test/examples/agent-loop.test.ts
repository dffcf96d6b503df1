import { expect, test } from '@jest/globals';
import { runExample } from '../support/example-process.ts';

test('the example agent-loop leads every provider through a mistake to the end', async () => {
  const { ended, stdout, stderr } = runExample('agent-loop/main.ts', [], {});
  expect(await ended).toBe(0);
  expect(stderr).toEqual([]);
  const said = stdout.join('\n');
  for (const provider of ['openai', 'openai-responses', 'anthropic', 'gemini']) {
    // 9800 is what two lamps cost: the model asked for "two" of them first, and was asked to repair it.
    expect(said).toMatch(new RegExp(`^${provider}: Done\\. The shop said: .*?9800`, 'ms'));
  }
});
