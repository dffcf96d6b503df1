import type { Class } from '../index.ts';
import { readForeignMetadata } from '../metadata/design-types.ts';

/** What decorators of NestJS write; equal in 11 and 12, and not exported by either. */
export function readMetadata(key: string, target: object, member?: string | symbol): unknown {
  return readForeignMetadata(key, target, member);
}

/** A parameter of a route. */
export interface RouteParameter {
  readonly kind: number;
  readonly index: number;
  /** The name of one value; undefined for all of them. */
  readonly name: string | undefined;
  readonly pipes: readonly unknown[];
  /** A Standard Schema, in NestJS 12. */
  readonly schema: unknown;
  readonly type: unknown;
}

/** The kinds of parameters (RouteParamtypes of @nestjs/common). */
export const KIND = { body: 3, query: 4, param: 5, headers: 6, file: 8, files: 9, rawBody: 12 } as const;

interface StoredParameter {
  readonly index: number;
  readonly data?: unknown;
  readonly pipes?: readonly unknown[];
  readonly schema?: unknown;
}

/** The parameters of a route, but for those of decorators of the application's own. */
export function readParameters(controller: Class, member: string): readonly RouteParameter[] {
  const stored = (readMetadata('__routeArguments__', controller, member) ?? {}) as Readonly<
    Record<string, StoredParameter>
  >;
  const types = (readMetadata('design:paramtypes', controller.prototype as object, member) ??
    []) as readonly unknown[];
  return Object.entries(stored).flatMap(([key, { index, data, pipes = [], schema }]) => {
    const kind = /^(\d+):\d+$/.exec(key)?.[1];
    if (kind === undefined) return [];
    const name = typeof data === 'string' && data !== '' ? data : undefined;
    return [{ kind: Number(kind), index, name, pipes, schema, type: types[index] }];
  });
}

/** What `@nestjs/swagger` writes about a method or a class. */
export function readSwagger(key: string, ...targets: readonly object[]): unknown {
  for (const target of targets) {
    const found = readMetadata(`swagger/${key}`, target);
    if (found !== undefined) return found;
  }
  return undefined;
}

/** Descriptions of the properties of a DTO, by `@ApiProperty` or the plugin of the Nest CLI. */
export function readPropertyTexts(type: Class): ReadonlyMap<string, string> {
  const prototype = type.prototype as object;
  const listed = (readMetadata('swagger/apiModelPropertiesArray', prototype) ?? []) as readonly string[];
  const texts = new Map<string, string>();
  const plugin = (type as { readonly _OPENAPI_METADATA_FACTORY?: () => Readonly<Record<string, unknown>> })
    ._OPENAPI_METADATA_FACTORY;
  for (const [name, facts] of Object.entries(plugin?.() ?? {})) addText(texts, name, facts);
  for (const entry of listed) {
    const name = entry.replace(/^:/, '');
    addText(texts, name, readMetadata('swagger/apiModelProperties', prototype, name));
  }
  return texts;
}

function addText(texts: Map<string, string>, name: string, facts: unknown): void {
  const description = (facts as { readonly description?: unknown } | undefined)?.description;
  if (typeof description === 'string' && description !== '') texts.set(name, description);
}
