import { ValidateIf } from 'class-validator';
import 'reflect-metadata';
import type { UserDecorator } from '../call/middleware.ts';
import { isClass, type Class, type Token } from '../shared/class-type.ts';
import type { Injection } from './injections.ts';
import type { SchemaSource } from '../shared/schema-source.ts';
import type {
  ActionOptions,
  Describe,
  FieldOptions,
  PageOptions,
  PromptOptions,
  ResourceOptions,
  ToolGroupOptions,
} from './options.ts';
import type {
  InjectableOptions,
  InjectOptions,
  ModuleOptions,
  ReadinessCheckOptions,
} from './module-options.ts';

interface ModuleRecord {
  readonly kind: 'module';
  readonly options: ModuleOptions;
}

interface InjectableRecord {
  readonly kind: 'injectable';
  readonly options: InjectableOptions;
}

interface ToolGroupRecord {
  readonly kind: 'toolGroup';
  readonly options: ToolGroupOptions;
  /** How its actions are described where neither options nor the application say it. Default: as text. */
  readonly defaultDescribe?: Describe | undefined;
}

interface ActionRecord {
  readonly kind: 'action';
  readonly member: string | symbol;
  readonly isStatic: boolean;
  readonly options: ActionOptions;
}

interface PromptRecord {
  readonly kind: 'prompt';
  readonly member: string | symbol;
  readonly isStatic: boolean;
  readonly options: PromptOptions;
}

interface ResourceRecord {
  readonly kind: 'resource';
  readonly member: string | symbol;
  readonly isStatic: boolean;
  /** A URI, or an RFC 6570 template when it has expressions in braces. */
  readonly uri: string;
  readonly options: ResourceOptions;
}

/** The method completes `argument` of the prompt or template that `of`, a method of the same class, declares. */
interface CompleteRecord {
  readonly kind: 'complete';
  readonly member: string | symbol;
  readonly of: string;
  readonly argument: string;
}

/** One use of @Readiness. The options are unchecked. */
interface ReadinessRecord {
  readonly kind: 'readiness';
  readonly member: string | symbol;
  readonly isStatic: boolean;
  readonly options: ReadinessCheckOptions;
}

export type Mark = 'destructive' | 'readOnly' | 'idempotent';

interface MarkRecord {
  readonly kind: 'mark';
  readonly member: string | symbol;
  readonly mark: Mark;
}

/** One use of @OpenWorld; `member` is undefined on a class. The value is unchecked. */
interface OpenWorldRecord {
  readonly kind: 'openWorld';
  readonly member: string | symbol | undefined;
  readonly isOpen: boolean;
}

/** One use of @Middleware; `member` is undefined on a class. */
export interface MiddlewareRecord {
  readonly kind: 'middleware';
  readonly member: string | symbol | undefined;
  /** Functions, objects with `use`, or classes that the container gives. */
  readonly middleware: readonly unknown[];
}

/** What a decorator requires of callers. Its values are unchecked. */
export type DeclaredRequirement =
  | { readonly kind: 'public' | 'authenticated' }
  | { readonly kind: 'scopes' | 'roles' | 'policy'; readonly given: readonly unknown[] };

/** One use of @Scopes, @Roles, @Policy, @Public or @Authenticated; `member` is undefined on a class. */
export interface RequirementRecord {
  readonly kind: 'requirement';
  readonly member: string | symbol | undefined;
  readonly requirement: DeclaredRequirement;
}

/** One use of a decorator of a feature; `member` is undefined on a class. The options are unchecked. */
interface FeatureRecord {
  readonly kind: 'feature';
  /** The name of the feature. */
  readonly feature: string;
  /** `@Name`. */
  readonly decorator: string;
  readonly member: string | symbol | undefined;
  readonly options: unknown;
}

/** What a parameter decorator says; `member` is undefined for a constructor's parameter. */
export interface ParameterRecord {
  readonly kind: 'parameter';
  readonly member: string | symbol | undefined;
  readonly index: number;
  readonly source:
    | { readonly kind: 'input'; readonly type: SchemaSource | undefined }
    | { readonly kind: 'inject'; readonly token: Token | (() => Token); readonly options: InjectOptions }
    | { readonly kind: 'context' }
    /** A decorator of tsyringe. */
    | { readonly kind: 'tsyringe'; readonly injection: Injection };
}

interface FieldRecord {
  readonly kind: 'field';
  readonly property: string | symbol;
  readonly options: FieldOptions;
}

/** One use of @Sensitive. */
interface SensitiveRecord {
  readonly kind: 'sensitive';
  readonly property: string | symbol;
}

/** One use of @Page. The options are unchecked. */
interface PageRecord {
  readonly kind: 'page';
  readonly property: string | symbol;
  readonly options: PageOptions<never>;
}

/** One use of a decorator made by createDecorator; `member` is undefined on a class. */
export interface UserRecord {
  readonly kind: 'user';
  readonly member: string | symbol | undefined;
  readonly decorator: UserDecorator<unknown>;
  readonly value: unknown;
}

/** What a decorator wrote about a class or one of its members. */
type MetadataRecord =
  | ModuleRecord
  | InjectableRecord
  | ToolGroupRecord
  | ActionRecord
  | PromptRecord
  | ResourceRecord
  | CompleteRecord
  | ReadinessRecord
  | MarkRecord
  | OpenWorldRecord
  | MiddlewareRecord
  | RequirementRecord
  | FeatureRecord
  | ParameterRecord
  | FieldRecord
  | SensitiveRecord
  | PageRecord
  | UserRecord;

export type RecordOf<Kind extends MetadataRecord['kind']> = Extract<MetadataRecord, { kind: Kind }>;

// Symbol.for: a second installed copy of the package reads the same records.
const RECORDS = Symbol.for('toolwright:records');

/** Adds a record to a class. Records are never changed or removed. */
export function appendRecord(target: Class, record: MetadataRecord): void {
  Reflect.defineMetadata(RECORDS, Object.freeze([...recordsOf(target), Object.freeze(record)]), target);
}

/** The records of one kind that decorators wrote on this very class, in evaluation order. */
export function ownRecords<K extends MetadataRecord['kind']>(target: Class, kind: K): readonly RecordOf<K>[] {
  const records = recordsOf(target);
  if (records.length === 0) return NONE;
  const kinds = byKind.get(records) ?? sortByKind(records);
  byKind.set(records, kinds);
  return (kinds.get(kind) as readonly RecordOf<K>[] | undefined) ?? NONE;
}

const NONE: readonly never[] = Object.freeze([]);

type RecordsByKind = ReadonlyMap<MetadataRecord['kind'], readonly MetadataRecord[]>;

/** A class is asked for each kind, and for each of its members again. Its list is another one after each addition. */
const byKind = new WeakMap<readonly MetadataRecord[], RecordsByKind>();

function sortByKind(records: readonly MetadataRecord[]): RecordsByKind {
  const kinds = new Map<MetadataRecord['kind'], MetadataRecord[]>();
  for (const record of records) {
    const known = kinds.get(record.kind);
    if (known === undefined) kinds.set(record.kind, [record]);
    else known.push(record);
  }
  return kinds;
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

/** True for a class with @Module, of whichever copy of the package. */
export function isModule(value: unknown): value is Class {
  return isClass(value) && ownRecords(value, 'module').length > 0;
}

/** True when any decorator of the framework stands on the class or one of its members. */
export function hasRecords(target: Class): boolean {
  return recordsOf(target).length > 0;
}

/** True when a decorator of the framework stands on the class itself, or on a parameter of its constructor. */
export function hasClassRecord(target: Class): boolean {
  return recordsOf(target).some((record) =>
    'member' in record ? record.member === undefined : !('property' in record),
  );
}

/** Every part of a scan asks for the chain of each class again, and it does not change. */
const chains = new WeakMap<Class, readonly Class[]>();

/** The class itself, then its base classes, the outermost one last. */
export function classChain(target: Class): readonly Class[] {
  const known = chains.get(target);
  if (known !== undefined) return known;
  const chain: Class[] = [];
  for (let type: unknown = target; isClass(type); type = Object.getPrototypeOf(type)) chain.push(type);
  // What a user names in the place of a class may be anything
  if (chain.length > 0) chains.set(target, Object.freeze(chain));
  return chain;
}

function recordsOf(target: Class): readonly MetadataRecord[] {
  return (Reflect.getOwnMetadata(RECORDS, target) as readonly MetadataRecord[] | undefined) ?? [];
}

/** The condition of `@Field({ nullable: true })`: null is valid, so all validators are skipped for it. */
export function isNotNull(_object: object, value: unknown): boolean {
  return value !== null;
}

/** Declares to class-validator that a property may be null; whatever reads its records sees it, too. */
export function admitNull(target: Class, property: string | symbol): void {
  ValidateIf(isNotNull)(target.prototype as object, property);
}
