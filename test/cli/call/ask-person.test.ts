import { describe, expect, test } from '@jest/globals';
import { askPerson } from '../../../src/cli/call/ask-person.ts';
import { CTRL_C, DOWN, ENTER, ESCAPE, TypedTerminal } from '../../support/typed-terminal.ts';

const AGREED = {
  message: 'Allow "pay"?',
  requestedSchema: {
    type: 'object',
    properties: { agreed: { type: 'boolean', title: 'Yes, run it', default: false } },
    required: ['agreed'],
  },
};
const UP = '\u001b[A';

async function ask(question: object, answers: Readonly<Record<string, string>>) {
  const typed = new TypedTerminal(answers);
  let interruptions = 0;
  const answer = await askPerson({ ...question }, typed.terminal, () => {
    interruptions += 1;
  });
  return { answer, interruptions, asked: typed.asked, shown: typed.shown };
}

describe('a form of one box is one question', () => {
  test.each([
    ['the first choice', UP + ENTER, { action: 'accept', content: { agreed: true } }],
    ['Enter alone, which changes nothing', ENTER, { action: 'accept', content: { agreed: false } }],
    ['the last choice', DOWN + ENTER, { action: 'decline' }],
  ])('%s', async (_what, keys, expected) => {
    const { answer, shown, asked, interruptions } = await ask(AGREED, { 'Allow "pay"?': keys });
    expect([answer, asked, interruptions]).toEqual([expected, ['Allow "pay"?'], 0]);
    expect(shown).toContain('Yes, run it');
  });
});

describe('a key that closes the question', () => {
  test.each([
    ['Ctrl-C ends the call', CTRL_C, 1],
    ['Esc does not', ESCAPE, 0],
  ])('%s', async (_what, key, expected) => {
    const { answer, interruptions } = await ask(AGREED, { 'Allow "pay"?': key });
    expect([answer, interruptions]).toEqual([{ action: 'cancel' }, expected]);
  });
});

test('a form with several fields asks for each of them', async () => {
  const question = {
    message: 'A name?',
    requestedSchema: {
      type: 'object',
      properties: { name: { type: 'string' }, urgent: { type: 'boolean' } },
      required: ['name', 'urgent'],
    },
  };
  const { answer, asked } = await ask(question, {
    'A name?': ENTER,
    name: `Ada${ENTER}`,
    urgent: ENTER,
  });
  expect(answer).toEqual({ action: 'accept', content: { name: 'Ada', urgent: false } });
  expect(asked).toEqual(['A name?', 'name', 'urgent']);
});
