import { getMetadataStorage } from 'class-validator';
import type { Class } from '../shared/class-type.ts';
import { afterThisTurn } from '../shared/platform.ts';
import { ownRecords, type RecordOf } from './records.ts';

/** The part of class-validator's records that is read here. */
interface StoredRecord {
  readonly propertyName: string;
  readonly constraints?: unknown;
  readonly constraintCls?: { readonly name: string; readonly length: number };
}

type StoredRecords = ReadonlyMap<unknown, readonly StoredRecord[]>;
type PropertyKind = 'field' | 'sensitive' | 'page';

/**
 * The records about properties that decorators wrote on a class, and those on the classes that its properties were copied
 * from: `PickType` and the like make a new class and copy what class-validator knows of the old one, and nothing else.
 */
export function propertyRecords<K extends PropertyKind>(type: Class, kind: K): readonly RecordOf<K>[] {
  const copied = [...originsOf(type)].flatMap(([property, origins]) =>
    origins.flatMap((origin) => ownRecords(origin, kind).filter((record) => isAbout(record, property))),
  );
  return copied.length === 0 ? ownRecords(type, kind) : [...copied, ...ownRecords(type, kind)];
}

function isAbout(record: RecordOf<PropertyKind>, property: string): boolean {
  return record.property === property;
}

/** Where the properties of a class were copied from. Classes do not change any more when they are read. */
const known = new WeakMap<Class, ReadonlyMap<string, readonly Class[]>>();

/** Property → the other classes that have the very same validators on it. */
export function originsOf(type: Class): ReadonlyMap<string, readonly Class[]> {
  const found = known.get(type) ?? findOrigins(type);
  known.set(type, found);
  return found;
}

const NONE: ReadonlyMap<string, readonly Class[]> = new Map();

function findOrigins(type: Class): ReadonlyMap<string, readonly Class[]> {
  const users = sharedUses();
  const records = users.size === 0 ? [] : (storedRecords()?.get(type) ?? []);
  if (records.length === 0) return NONE;
  const origins = new Map<string, Set<Class>>();
  for (const record of records) {
    for (const other of identitiesOf(record).flatMap((one) => [...(users.get(one) ?? [])])) {
      if (other === type) continue;
      origins.set(record.propertyName, (origins.get(record.propertyName) ?? new Set()).add(other));
    }
  }
  return new Map([...origins].map(([property, classes]) => [property, [...classes]]));
}

function storedRecords(): StoredRecords | undefined {
  const { validationMetadatas } = getMetadataStorage() as unknown as {
    readonly validationMetadatas?: unknown;
  };
  return validationMetadatas instanceof Map ? (validationMetadatas as StoredRecords) : undefined;
}

/** What belongs to one use of a decorator: its list of arguments, and the class that is made for it. */
function identitiesOf({ constraints, constraintCls }: StoredRecord): readonly object[] {
  const isMade = constraintCls?.name === 'CustomConstraint' && constraintCls.length === 0;
  return [
    ...(Array.isArray(constraints) ? [constraints as object] : []),
    ...(isMade ? [constraintCls as object] : []),
  ];
}

let sharedInThisTurn: ReadonlyMap<object, ReadonlySet<Class>> | undefined;

/**
 * One use of a decorator → the classes that have it, where there are several: an application has thousands of uses, and
 * hardly any is copied. Kept for one scan, during which no class is loaded.
 */
function sharedUses(): ReadonlyMap<object, ReadonlySet<Class>> {
  if (sharedInThisTurn !== undefined) return sharedInThisTurn;
  const first = new Map<object, Class>();
  const shared = new Map<object, Set<Class>>();
  for (const [type, records] of (storedRecords() ?? []) as Iterable<[Class, readonly StoredRecord[]]>) {
    for (const record of records) {
      for (const identity of identitiesOf(record)) {
        const user = first.get(identity);
        if (user === undefined) first.set(identity, type);
        else if (user !== type) shared.set(identity, (shared.get(identity) ?? new Set([user])).add(type));
      }
    }
  }
  afterThisTurn(() => (sharedInThisTurn = undefined));
  return (sharedInThisTurn = shared);
}
