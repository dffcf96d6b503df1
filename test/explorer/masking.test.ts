import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import { Mask, maskExchange, REDACTED, withoutTexts } from '../../src/explorer/masking.ts';

describe('the mask', () => {
  test('takes what is at its paths: members, items, and the values of maps', () => {
    const mask = new Mask(['card.number', 'people[].secret', 'keys.*', 'list[]']);
    const given = {
      card: { number: '4111', owner: 'Ada' },
      people: [{ secret: 1234, name: 'Bob' }, { secret: null }],
      keys: { a: 'key of a' },
      number: 'stays',
    };
    expect(mask.places(given)).toEqual({
      card: { number: REDACTED, owner: 'Ada' },
      people: [{ secret: REDACTED, name: 'Bob' }, { secret: REDACTED }],
      keys: { a: REDACTED },
      number: 'stays',
    });
    expect([...mask.found]).toEqual(['4111', '1234', 'key of a']);
  });

  test('takes credentials and sealed states wherever they stand', () => {
    const mask = new Mask();
    const given = { headers: { Authorization: 'Bearer x', Cookie: 'a=b' }, r: [{ requestState: 'sealed' }] };
    expect(mask.places(given)).toEqual({
      headers: { Authorization: REDACTED, Cookie: REDACTED },
      r: [{ requestState: REDACTED }],
    });
    expect(withoutTexts('it was sealed', mask.found)).toBe('it was [redacted]');
  });

  test.each<[string, unknown]>([
    ['an object for a list', { people: { secret: 'Z9-4711' } }],
    ['a list for an object', { card: [{ number: 'Z9-4711' }] }],
    ['a list in a list', { people: [[{ secret: 'Z9-4711' }]] }],
    ['an object for a map of them', { keys: { pin: 'Z9-4711' } }],
    ['JSON as text', { card: '{"number":"Z9-4711"}', people: ['{"secret":"Z9-4711"}'] }],
    ['deeper than it belongs', { people: [{ secret: { secret: ['Z9-4711'] } }] }],
    ['under a misspelt name', { people: [{ secrt: 'Z9-4711' }], card: { numbr: { number: 'Z9-4711' } } }],
  ])('takes a value that a client sends as %s', (_kind, given) => {
    const names = new Set(['card', 'number', 'owner', 'people', 'secret', 'name', 'keys', 'pin']);
    const mask = new Mask(['card.number', 'people[].secret', 'keys.*.pin'], names);
    expect(JSON.stringify(mask.places(given))).not.toContain('Z9');
  });

  test('leaves no value of its places anywhere in what passed', () => {
    const secret = fc.stringMatching(/^[a-z0-9]{6,20}$/);
    fc.assert(
      fc.property(secret, fc.jsonValue(), (value, other) => {
        const { request, response } = maskExchange(
          {
            request: { method: 'tools/call', params: { name: 'a' } },
            response: {
              result: {
                content: [{ type: 'text', text: JSON.stringify({ value, other }) }],
                structuredContent: { result: [{ value }], other },
              },
            },
          },
          ['value'],
        );
        expect(JSON.stringify([request, response])).not.toContain(`"${value}"`);
        expect(JSON.stringify(response)).not.toContain(`\\"${value}\\"`);
      }),
    );
  });
});
