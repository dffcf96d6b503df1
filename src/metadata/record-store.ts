import 'reflect-metadata';
import { isClass, type Class } from '../shared/class-type.ts';
import type { MetadataRecord, RecordOf } from './records.ts';

// Symbol.for: a second installed copy of the package reads the same records.
const RECORDS = Symbol.for('toolwright:records');

/** Adds a record to a class. Records are never changed or removed. */
export function appendRecord(target: Class, record: MetadataRecord): void {
  Reflect.defineMetadata(RECORDS, Object.freeze([...recordsOf(target), Object.freeze(record)]), target);
}

/** The records of one kind that decorators wrote on this very class, in evaluation order. */
export function ownRecords<K extends MetadataRecord['kind']>(target: Class, kind: K): readonly RecordOf<K>[] {
  return recordsOf(target).filter((record): record is RecordOf<K> => record.kind === kind);
}

/** The last record of a kind on the class, or on the nearest base class that has one. */
export function nearestRecord<K extends MetadataRecord['kind']>(
  target: Class,
  kind: K,
): RecordOf<K> | undefined {
  for (const type of classChain(target)) {
    const record = ownRecords(type, kind).at(-1);
    if (record !== undefined) return record;
  }
  return undefined;
}

/** True when any decorator of the framework stands on the class or one of its members. */
export function hasRecords(target: Class): boolean {
  return recordsOf(target).length > 0;
}

/** True when a decorator of the framework stands on the class itself, or on a parameter of its constructor. */
export function hasClassRecord(target: Class): boolean {
  return recordsOf(target).some((record) =>
    'member' in record ? record.member === undefined : record.kind !== 'field',
  );
}

/** The class itself, then its base classes, the outermost one last. */
export function classChain(target: Class): readonly Class[] {
  const chain: Class[] = [];
  for (let type: unknown = target; isClass(type); type = Object.getPrototypeOf(type)) chain.push(type);
  return chain;
}

function recordsOf(target: Class): readonly MetadataRecord[] {
  return (Reflect.getOwnMetadata(RECORDS, target) as readonly MetadataRecord[] | undefined) ?? [];
}
