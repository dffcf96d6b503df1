import { expect, test } from '@jest/globals';
import { faultOfCaller } from '../../../src/runtime/auth/verified-caller.ts';

const caller = (extra: object): object => ({ token: 't', clientId: 'c', extra });

test.each(['sub', 'issuer', 'tenant'])(
  'a caller whose %s is not a text is refused: two people could be one',
  (name) => {
    for (const value of [1, ['1'], { id: 1 }, true]) {
      expect(faultOfCaller(caller({ [name]: value }))).toBe(`a text as extra.${name}`);
    }
    for (const value of ['1', '', null, undefined]) {
      expect(faultOfCaller(caller({ [name]: value }))).toBeUndefined();
    }
  },
);
