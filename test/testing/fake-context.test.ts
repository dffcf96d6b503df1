import { describe, expect, test } from '@jest/globals';
import { IsEmail } from 'class-validator';
import { FakeToolContext } from 'toolwright/testing';

class Contact {
  @IsEmail() email!: string;
}

describe('a scripted client', () => {
  test('answers in order and remembers what it was asked', async () => {
    const ctx = new FakeToolContext({
      answers: [
        { action: 'accept', content: { email: 'ada@example.com' } },
        { action: 'decline' },
        { action: 'accept' },
      ],
      samples: ['short', { content: [{ type: 'text', text: 'long' }] }],
      roots: [{ uri: 'file:///work' }],
    });
    const first = await ctx.ask(Contact, 'Who?');
    expect(first.action === 'accept' && first.content).toBeInstanceOf(Contact);
    expect(await ctx.ask(Contact, 'And then?')).toEqual({ action: 'decline' });
    expect(await ctx.askUrl('https://example.com', 'Go?')).toEqual({ action: 'accept' });
    expect((await ctx.sample('Summarise')).text).toBe('short');
    expect((await ctx.sample('Summarise')).text).toBe('long');
    expect(await ctx.roots()).toEqual([{ uri: 'file:///work' }]);
    expect(ctx.asked).toEqual([
      { schema: Contact, message: 'Who?' },
      { schema: Contact, message: 'And then?' },
      { url: 'https://example.com', message: 'Go?' },
    ]);
    expect(ctx.sampled).toEqual(['Summarise', 'Summarise']);
  });

  test('is checked as a real one is', async () => {
    const ctx = new FakeToolContext({ answers: [{ action: 'accept', content: { email: 'ada' } }] });
    await expect(ctx.ask(Contact, 'Who?')).rejects.toMatchObject({ code: 'INVALID_ANSWER' });
  });

  test('may be one that cannot be asked', async () => {
    const ctx = new FakeToolContext({ client: { capabilities: {} } });
    await expect(ctx.sample('Hello')).rejects.toMatchObject({ code: 'CLIENT_CAPABILITY_MISSING' });
  });
});

describe('the end of the script', () => {
  test('says which question had no answer, and what to pass', async () => {
    const ctx = new FakeToolContext({ answers: [{ action: 'cancel' }] });
    await ctx.ask(Contact, 'Who?');
    await expect(ctx.ask(Contact, 'Who else?')).rejects.toThrow(
      'No answer is left for ask(…, "Who else?"): all 1 of them are used up. ' +
        'Pass new FakeToolContext({ answers: […] })',
    );
    await expect(ctx.sample('Hello')).rejects.toThrow('sample(): none was given');
    await expect(ctx.roots()).rejects.toThrow('roots(): none was given');
  });
});
