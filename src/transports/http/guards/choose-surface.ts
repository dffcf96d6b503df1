import { jsonRpcCodes } from '../../../engine/json-rpc/json-rpc-error.ts';
import { SURFACE_NAMES, unknownSurface, type SurfaceSettings } from '../../../compile/surfaces/surface.ts';
import { HttpRefusal } from '../http-answer.ts';
import { withoutSlash } from './check-head.ts';

/** A path without the name of the surface at its end. */
export interface SurfacePath {
  readonly path: string;
  /** Undefined where the path names none. */
  readonly surface: string | undefined;
}

const HEADER = 'toolwright-surface';
const NONE: ReadonlySet<string> = new Set();

/** Reads `/mcp/flat` as the surface `flat` of the endpoint `/mcp`. @param isEndpoint whether a whole path is one already */
export function splitSurface(
  path: string,
  surfaces: SurfaceSettings | undefined,
  isEndpoint: (path: string) => boolean,
): SurfacePath {
  const { choose = NONE } = surfaces ?? {};
  const whole = { path, surface: undefined };
  if (!choose.has('path')) return whole;
  const plain = withoutSlash(path);
  const end = plain.lastIndexOf('/');
  const surface = plain.slice(end + 1);
  const isName = (SURFACE_NAMES as readonly string[]).includes(surface);
  if (!isName || isEndpoint(path)) return whole;
  return { path: plain.slice(0, end) || '/', surface };
}

/** What the query says. @throws HttpRefusal for a surface that does not exist */
export function surfaceInQuery(
  { searchParams }: URL,
  surfaces: SurfaceSettings | undefined,
): string | undefined {
  if (surfaces?.choose.has('query') !== true) return undefined;
  return checked(searchParams.get('surface'));
}

/** What the header says. @throws HttpRefusal for a surface that does not exist */
export function surfaceInHeader(
  headers: { get(name: string): string | null },
  surfaces: SurfaceSettings | undefined,
): string | undefined {
  if (surfaces?.choose.has('header') !== true) return undefined;
  return checked(headers.get(HEADER));
}

function checked(name: string | null): string | undefined {
  if (name === null) return undefined;
  const fault = unknownSurface(name);
  if (fault === undefined) return name;
  throw new HttpRefusal(400, fault, { code: jsonRpcCodes.invalidParams });
}
