import { expect, test } from '@jest/globals';
import {
  appendRecord,
  classChain,
  hasRecords,
  nearestRecord,
  ownRecords,
} from '../../src/metadata/records.ts';

class Base {}
class Derived extends Base {}

test('gives the records of one kind in evaluation order', () => {
  class Target {}
  appendRecord(Target, { kind: 'mark', member: 'b', mark: 'readOnly' });
  appendRecord(Target, { kind: 'injectable', options: {} });
  appendRecord(Target, { kind: 'mark', member: 'a', mark: 'idempotent' });
  expect(ownRecords(Target, 'mark').map((record) => record.member)).toEqual(['b', 'a']);
  expect(ownRecords(Target, 'action')).toEqual([]);
});

test('keeps the records of a class apart from those of its base class', () => {
  appendRecord(Base, { kind: 'injectable', options: { scope: 'request' } });
  expect(ownRecords(Derived, 'injectable')).toEqual([]);
  expect(hasRecords(Derived)).toBe(false);
  expect(nearestRecord(Derived, 'injectable')?.options).toEqual({ scope: 'request' });
  appendRecord(Derived, { kind: 'injectable', options: {} });
  expect(ownRecords(Base, 'injectable')).toHaveLength(1);
});

test('lists a class before its base classes', () => {
  expect(classChain(Derived)).toEqual([Derived, Base]);
});

test('freezes every record', () => {
  class Target {}
  appendRecord(Target, { kind: 'injectable', options: {} });
  expect(Object.isFrozen(ownRecords(Target, 'injectable')[0])).toBe(true);
});

test('shares its key with other copies of the package', () => {
  class Target {}
  appendRecord(Target, { kind: 'injectable', options: {} });
  expect(Reflect.getOwnMetadataKeys(Target)).toEqual([Symbol.for('toolwright:records')]);
});
