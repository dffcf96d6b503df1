import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import { countTokens } from 'gpt-tokenizer/encoding/o200k_base';
import { countToolTokens, loadTokenizer } from '../../src/tokens/index.ts';

const tool = (name: string, description = `Does what ${name} says`): object => ({
  name,
  description,
  inputSchema: {
    type: 'object',
    properties: { title: { type: 'string', description: 'What to do', enum: ['first', 'second'] } },
  },
});

describe('the tokenizer', () => {
  test('counts as the published vectors say', async () => {
    const count = await loadTokenizer();
    expect(count('hello world')).toBe(2);
    expect(count('<|endoftext|> hello')).toBe(8);
  });

  test('counts long words as the library does, which takes the square of their length', async () => {
    const count = await loadTokenizer();
    const word = fc.string({
      unit: fc.constantFrom('a', 'b', 'the', 'é', '漢', '🙂', 'Ab'),
      minLength: 501,
      maxLength: 900,
    });
    fc.assert(
      fc.property(word, (text) => count(`x ${text} y`) === countTokens(`x ${text} y`)),
      { numRuns: 60 },
    );
    for (const letter of ['a', ' ', '-', '漢'])
      expect(count(letter.repeat(1500))).toBe(countTokens(letter.repeat(1500)));
  });

  test('takes twenty times as long for a word that is twenty times as long, not 400 times', async () => {
    const count = await loadTokenizer();
    // The least of several, because the process also collects what other suites left behind
    const least = (length: number): number =>
      Math.min(
        ...Array.from({ length: 7 }, () => {
          const start = process.cpuUsage();
          count('a'.repeat(length));
          return process.cpuUsage(start).user;
        }),
      );
    const short = Math.max(1000, least(5000));
    expect(least(100_000)).toBeLessThan(short * 150);
  });
});

describe('a tool costs what the list is longer with it', () => {
  test('at each place of a list', async () => {
    const count = await loadTokenizer();
    const names = fc.array(fc.string({ minLength: 1, maxLength: 12 }), { minLength: 1, maxLength: 6 });
    await fc.assert(
      fc.asyncProperty(names, async (list) => {
        const tools = list.map((name) => tool(name));
        const counted = await countToolTokens(tools);
        expect(counted.tokens).toBe(count(JSON.stringify(tools)));
        for (const [index, { tokens }] of counted.tools.entries()) {
          const others = tools.toSpliced(index, 1);
          expect(tokens).toBe(counted.tokens - count(JSON.stringify(others)));
        }
      }),
      { numRuns: 50 },
    );
  });

  test('and its parts are texts, names, values, and the rest', async () => {
    const count = await loadTokenizer();
    const [counted] = (await countToolTokens([tool('tasks', 'Work with tasks')])).tools;
    expect(counted).toMatchObject({
      name: 'tasks',
      parts: {
        description: count('Work with tasks'),
        fieldTexts: count('What to do'),
        names: count('tasks') + count('title'),
        values: count('"first"') + count('"second"'),
      },
    });
    const { description, fieldTexts, names, values, structure } = counted!.parts;
    expect(description + fieldTexts + names + values + structure).toBe(counted!.tokens);
  });

  test.each([
    ['OpenAI', { type: 'function', function: { name: 'tasks', description: 'Work with tasks' } }],
    ['Gemini', { functionDeclarations: [{ name: 'tasks', description: 'Work with tasks' }] }],
  ])('in the form of %s as well', async (_api, wrapped) => {
    const count = await loadTokenizer();
    expect((await countToolTokens([wrapped])).tools).toMatchObject([
      {
        name: 'tasks',
        parts: { description: count('Work with tasks'), names: count('tasks'), fieldTexts: 0 },
      },
    ]);
  });
});

test('what only clients read costs a model nothing, so that every list of a server costs the same', async () => {
  const tool = { name: 'notes', description: 'Keep notes', inputSchema: { type: 'object' } };
  const listed = { ...tool, execution: { taskSupport: 'optional' } };
  expect(await countToolTokens([listed, tool])).toEqual(await countToolTokens([tool, tool]));
});
