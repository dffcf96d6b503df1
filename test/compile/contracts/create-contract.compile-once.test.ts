import { expect, jest, test } from '@jest/globals';
import { Ajv2020 } from 'ajv/dist/2020.js';
import { createContract, createOutputContract } from '../../../src/compile/contracts/create-contract.ts';
import { strict } from '../../support/check-helpers.ts';

const schema = (index: number) => ({ type: 'object', properties: { [`f${index}`]: { type: 'string' } } });

test('the schema of schemas is compiled once, not for every contract', () => {
  createContract(schema(0), strict);
  const added = jest.spyOn(Ajv2020.prototype, 'addMetaSchema');
  const compiled = jest.spyOn(Ajv2020.prototype, 'compile');
  for (let index = 1; index < 20; index += 1) {
    createContract(schema(index), strict);
    createOutputContract(schema(index), { where: 'x' });
  }
  expect(added).not.toHaveBeenCalled();
  expect(compiled).toHaveBeenCalledTimes(38);
});

test('equal schemas of two contracts do not disturb each other', () => {
  const shared = {
    type: 'object',
    properties: { a: { anyOf: [{ $ref: '#/$defs/T' }] } },
    $defs: { T: { type: 'string' } },
  };
  expect(createContract(shared, strict).check({ a: 'x' })).toMatchObject({ ok: true });
  expect(createContract(shared, strict).check({ a: 1 })).toMatchObject({ ok: false });
});
