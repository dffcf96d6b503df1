import type { UserDecorator } from '../call/user-decorator.ts';
import type { SchemaSource } from '../shared/schema-source.ts';
import type { Token } from '../shared/token.ts';
import type {
  ActionOptions,
  FieldOptions,
  InjectableOptions,
  InjectOptions,
  ModuleOptions,
  PromptOptions,
  ResourceOptions,
  ToolGroupOptions,
} from './options.ts';

export interface ModuleRecord {
  readonly kind: 'module';
  readonly options: ModuleOptions;
}

export interface InjectableRecord {
  readonly kind: 'injectable';
  readonly options: InjectableOptions;
}

export interface ToolGroupRecord {
  readonly kind: 'toolGroup';
  readonly options: ToolGroupOptions;
}

export interface ActionRecord {
  readonly kind: 'action';
  readonly member: string | symbol;
  readonly isStatic: boolean;
  readonly options: ActionOptions;
}

export interface PromptRecord {
  readonly kind: 'prompt';
  readonly member: string | symbol;
  readonly isStatic: boolean;
  readonly options: PromptOptions;
}

export interface ResourceRecord {
  readonly kind: 'resource';
  readonly member: string | symbol;
  readonly isStatic: boolean;
  /** A URI, or an RFC 6570 template when it has expressions in braces. */
  readonly uri: string;
  readonly options: ResourceOptions;
}

/** The method completes `argument` of the prompt or template that `of`, a method of the same class, declares. */
export interface CompleteRecord {
  readonly kind: 'complete';
  readonly member: string | symbol;
  readonly of: string;
  readonly argument: string;
}

export type Mark = 'destructive' | 'readOnly' | 'idempotent' | 'openWorld';

export interface MarkRecord {
  readonly kind: 'mark';
  readonly member: string | symbol;
  readonly mark: Mark;
}

/** One use of @Middleware; `member` is undefined on a class. */
export interface MiddlewareRecord {
  readonly kind: 'middleware';
  readonly member: string | symbol | undefined;
  /** Functions, objects with `use`, or classes that the container gives. */
  readonly middleware: readonly unknown[];
}

/** One use of @Timeout; `member` is undefined on a class. The value is unchecked. */
export interface TimeoutRecord {
  readonly kind: 'timeout';
  readonly member: string | symbol | undefined;
  readonly milliseconds: number;
}

/** What a parameter decorator says; `member` is undefined for a constructor's parameter. */
export interface ParameterRecord {
  readonly kind: 'parameter';
  readonly member: string | symbol | undefined;
  readonly index: number;
  readonly source:
    | { readonly kind: 'input'; readonly type: SchemaSource | undefined }
    | { readonly kind: 'inject'; readonly token: Token | (() => Token); readonly options: InjectOptions }
    | { readonly kind: 'context' };
}

export interface FieldRecord {
  readonly kind: 'field';
  readonly property: string | symbol;
  readonly options: FieldOptions;
}

/** One use of a decorator made by createDecorator; `member` is undefined on a class. */
export interface UserRecord {
  readonly kind: 'user';
  readonly member: string | symbol | undefined;
  readonly decorator: UserDecorator<unknown>;
  readonly value: unknown;
}

/** What a decorator wrote about a class or one of its members. */
export type MetadataRecord =
  | ModuleRecord
  | InjectableRecord
  | ToolGroupRecord
  | ActionRecord
  | PromptRecord
  | ResourceRecord
  | CompleteRecord
  | MarkRecord
  | MiddlewareRecord
  | TimeoutRecord
  | ParameterRecord
  | FieldRecord
  | UserRecord;

export type RecordOf<Kind extends MetadataRecord['kind']> = Extract<MetadataRecord, { kind: Kind }>;
