import type { IconOptions } from '../metadata/options.ts';

/** How the server introduces itself (spec: basic/lifecycle, Initialization). */
export interface ServerInfo {
  readonly name: string;
  readonly version: string;
  readonly title?: string;
  readonly instructions?: string;
  readonly icons?: readonly IconOptions[];
}

/** The introduction as the protocol writes it. */
interface ServerImplementation {
  name: string;
  version: string;
  title?: string;
  icons?: (Omit<IconOptions, 'sizes'> & { sizes?: string[] })[];
}

export function implementationOf({ name, version, title, icons }: ServerInfo): ServerImplementation {
  return {
    name,
    version,
    ...(title === undefined ? {} : { title }),
    ...(icons === undefined
      ? {}
      : { icons: icons.map(({ sizes, ...icon }) => ({ ...icon, ...copy(sizes) })) }),
  };
}

function copy(sizes: readonly string[] | undefined): { sizes?: string[] } {
  return sizes === undefined ? {} : { sizes: [...sizes] };
}
