import { ToolwrightError } from '../errors/toolwright-error.ts';
import { isObject } from '../shared/json.ts';

/** An application of NestJS 11 or 12, by its shape: what `NestFactory.create` gives. */
export interface NestApplication {
  /** Adds middleware. */
  use(...args: unknown[]): unknown;
  /** Starts modules and registers routes. */
  init(): Promise<unknown>;
  /** The server of `node:http`. */
  getHttpServer(): unknown;
  /** The adapter of Express or Fastify. */
  getHttpAdapter(): unknown;
  /** A provider, by its token. */
  get(token: never, options?: never): unknown;
}

/** What Nest knows of one class. */
export interface NestWrapper {
  readonly metatype?: unknown;
  readonly instance?: unknown;
}

interface NestModule {
  readonly metatype: object;
  readonly controllers: ReadonlyMap<unknown, NestWrapper>;
}

/** What one path is made of. */
export interface RoutePath {
  readonly ctrlPath: string;
  readonly modulePath?: string | undefined;
  readonly methodPath: string;
  readonly globalPrefix: string;
  readonly controllerVersion?: unknown;
  readonly methodVersion?: unknown;
  readonly versioningOptions?: VersioningOptions | undefined;
}

export interface VersioningOptions {
  /** 0 in the path, 1 in a header, 2 in the media type, 3 by a function. */
  readonly type: number;
  readonly defaultVersion?: unknown;
  readonly header?: string;
  readonly key?: string;
}

/** The parts of an application that say which routes there are, equal in 11 and 12. */
export interface NestParts {
  readonly isInitialized: boolean;
  readonly container: { getModules(): ReadonlyMap<string, NestModule> & { readonly applicationId?: string } };
  readonly config: {
    getGlobalPrefix(): string;
    getVersioning(): VersioningOptions | undefined;
    getGlobalPipes(): readonly unknown[];
  };
  /** It makes the paths that Nest has registered. */
  readonly routesResolver: {
    readonly routePathFactory: { create(path: RoutePath, method?: number): string[] };
  };
}

/**
 * Reads the parts. By their shape and not by Nest's classes: an application may have another copy of Nest than the one
 * that would be found from here, and who uses none of it needs none of it.
 * @throws ToolwrightError TW_NEST_APPLICATION
 */
export function partsOfNest(app: NestApplication, where: string): NestParts {
  const parts = app as unknown as Partial<NestParts> | undefined;
  const isWhole =
    isObject(parts) &&
    typeof parts.container?.getModules === 'function' &&
    typeof parts.config?.getGlobalPrefix === 'function' &&
    typeof parts.routesResolver?.routePathFactory.create === 'function';
  if (isWhole) return parts as NestParts;
  throw new ToolwrightError('TW_NEST_APPLICATION', {
    where,
    what: 'was given something other than an application of NestJS 11 or 12.',
    fix: 'pass what await NestFactory.create(AppModule) gives',
  });
}
