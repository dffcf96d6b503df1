import type { RouteTemplate } from '../operations/other-routes.ts';
import type { NestApplication } from './nest-application.ts';

/** An adapter, by what both have. */
interface NestAdapter {
  getType?(): string;
  getInstance?(): unknown;
}

/** Fastify answers nothing before it is ready, which `listen()` sees to and `init()` does not. */
export async function becomeReady(app: NestApplication): Promise<void> {
  const adapter = app.getHttpAdapter() as NestAdapter;
  const instance = adapter.getInstance?.() as { ready?(): Promise<unknown> } | undefined;
  await instance?.ready?.();
}

interface ExpressRouter {
  readonly stack: readonly {
    readonly route?: { readonly path: unknown; readonly methods: Readonly<Record<string, boolean>> };
  }[];
}

/** Whether the router knows a path; undefined paths of other adapters are taken for known. */
export function isRegistered(app: NestApplication, method: string, path: string): boolean {
  const adapter = app.getHttpAdapter() as NestAdapter;
  const instance = adapter.getInstance?.() as
    | { readonly router?: ExpressRouter; hasRoute?(route: object): boolean }
    | undefined;
  // In the form of the router: `{id}` is `:id`, an optional end of Express `{/:id}`
  const url = path.replace(/\{([^}?]+)\}/g, ':$1');
  if (typeof instance?.hasRoute === 'function')
    return method === 'ALL' || hasFastifyRoute(instance as never, method, url);
  const { stack } = instance?.router ?? {};
  if (stack === undefined) return true;
  const wanted = normal(url);
  return stack.some(
    ({ route }) =>
      route !== undefined &&
      [route.path].flat().some((each) => normal(String(each)) === wanted) &&
      (route.methods[method.toLowerCase()] === true || route.methods['_all'] === true || method === 'ALL'),
  );
}

/** The routes that the router of Express has, also those that Nest does not know; none of other adapters. */
export function registeredRoutes(app: NestApplication): readonly RouteTemplate[] {
  const adapter = app.getHttpAdapter() as NestAdapter;
  const { stack = [] } = (adapter.getInstance?.() as { readonly router?: ExpressRouter }).router ?? {};
  return stack.flatMap(({ route }) => {
    const paths = [route?.path].flat().filter((path) => typeof path === 'string');
    const methods = Object.keys(route?.methods ?? {});
    return methods.flatMap((method) =>
      paths.map((path) => ({ method: method === '_all' ? 'ALL' : method.toUpperCase(), path })),
    );
  });
}

function hasFastifyRoute(
  instance: { hasRoute(route: object): boolean },
  method: string,
  url: string,
): boolean {
  const plain = url.replace(/\{([^}?]+)\?\}/g, ':$1?');
  return instance.hasRoute({ method, url: plain }) || isVersioned(instance, method, plain);
}

/** Routes with a version in a header have a constraint, by which they are found. */
function isVersioned(instance: object, method: string, url: string): boolean {
  const { printRoutes } = instance as { printRoutes?: (options: object) => string };
  if (printRoutes === undefined) return true;
  const last = url.split('/').at(-1) ?? '';
  return (
    printRoutes.call(instance, { commonPrefix: false, includeMeta: false }).includes(last) &&
    printRoutes.call(instance, { commonPrefix: false }).includes(method)
  );
}

function normal(path: string): string {
  return path
    .replace(/\{\/:(\w+)\}/g, '/:$1?')
    .replace(/\{([^}?]+)\?\}/g, ':$1?')
    .replace(/(.)\/$/, '$1');
}
