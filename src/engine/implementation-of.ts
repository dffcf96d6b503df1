import type { IconOptions } from '../metadata/options.ts';
import type { ServerInfo } from './server-info.ts';

/** A server's introduction as the protocol writes it. */
export interface ServerImplementation {
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
